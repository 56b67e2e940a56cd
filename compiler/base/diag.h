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

// A message. Messages about plain declarations are held back until it is known whether they matter
// (Unit.held). The others wait for the end (Unit.said). There they are put in the order of the
// external declarations that they are about, whichever pass has found them.
typedef struct Diag {
  char *text;
  uint8_t severity; // Severity
  size_t place;     // length of the `file:line:column` at its beginning
  bool library;     // that is the name of a function of the library
  int external;     // Unit.external
  size_t number;    // counts messages in the order in which they were found
  struct Diag *next;
} Diag;

// ---- diag.c ----
// t: the token that the message is about. error_at() counts errors; note_at() belongs to the error
// before it.
void error_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// The place right after the token.
void error_after(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void note_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// The name of the warning is added, as [-WNAME].
void warn_at(Unit *u, OwnWarning w, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
// For the lexer, when there are no tokens yet.
void error_pos(Unit *u,
               uint32_t pos,
               uint32_t len,
               uint32_t line,
               uint16_t file,
               const char *fmt,
               ...) __attribute__((format(printf, 6, 7)));
// An error, after which this declaration is given up.
_Noreturn void fail_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// The line of the user's own file. NULL: the file cannot be read.
const char *source_line(Unit *u, uint16_t file, uint32_t line, size_t *n);
// Messages that were held back (Unit.hold_errors) are to be printed after all.
void diags_release(Unit *u);
void diags_print(Unit *u); // all of them
// The function of the library whose name or arguments stand where t does; NULL: none.
const char *library_call_at(Unit *u, TokIndex t);

// ---- hints.c: advice in messages ----
void error_undeclared(Unit *u, TokIndex t, const char *name);
_Noreturn void fail_unknown_type(Unit *u, TokIndex t); // of the identifier at t
void refuse_bare_type(Unit *u, TokIndex t);            // `task t`, `job j`
void refuse_spawn_word(Unit *u, TokIndex t);           // `spawn nwo f(x)`
bool misspells_async(Unit *u, TokIndex t);             // a word before a type
// `what`, the name of the function of the library whose tokens stand around `inside`, and how that
// is declared; nothing if it is no such function
void fail_argument(Unit *u, TokIndex t, TokIndex inside, const char *what);
// Its argument is not such a call.
#define NEEDS_CALL "a call of an async function is expected in"
// "a channel": the kind of object of the library that has this member. NULL: there is none.
const char *library_kind(const char *member);

#endif
