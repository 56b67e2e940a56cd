// diag.h: messages to the user.
#ifndef FMCC_BASE_DIAG_H
#define FMCC_BASE_DIAG_H

#include "base/types.h"
#include "translate.h"

typedef enum Severity {
  DIAG_ERROR,
  DIAG_WARNING,
  DIAG_NOTE,
} Severity;

// A message. Those of plain declarations are held back until it is known whether they matter
// (Unit.held); the others wait for the end (Unit.said), where they are put in the order of the
// external declarations that they speak of, whatever pass has found them.
typedef struct Diag {
  char *text;
  uint8_t severity; // Severity
  size_t place;     // length of the `file:line:column` that it begins with
  int external;     // Unit.external
  size_t number;    // in the order in which they were found
  struct Diag *next;
} Diag;

// ---- diag.c ----
// All take the token they speak of. error_at() counts; note_at() belongs to the error before it.
void error_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// right after the token
void error_after(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void note_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// its name is added, as [-WNAME]
void warn_at(Unit *u, OwnWarning w, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
// before there are tokens
void error_pos(Unit *u,
               uint32_t pos,
               uint32_t len,
               uint32_t line,
               uint16_t file,
               const char *fmt,
               ...) __attribute__((format(printf, 6, 7)));
// and give up this declaration
_Noreturn void fail_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// of the user's own file; NULL: it cannot be read
const char *source_line(Unit *u, uint16_t file, uint32_t line, size_t *n);
// what was held back (Unit.hold_errors) is to be printed after all
void diags_release(Unit *u);
void diags_print(Unit *u); // all of them

// ---- hints.c: what was probably meant ----
void error_undeclared(Unit *u, TokIndex t, const char *name);
_Noreturn void fail_unknown_type(Unit *u, TokIndex t); // of the identifier at t
void refuse_bare_type(Unit *u, TokIndex t);            // `task t`, `job j`
bool misspells_async(Unit *u, TokIndex t);             // a word before a type
// "a channel", whose object has that member; NULL: it is not the library's
const char *library_kind(const char *member);

#endif
