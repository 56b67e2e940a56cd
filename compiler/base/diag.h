// diag.h: messages to the user.
#ifndef FMCC_BASE_DIAG_H
#define FMCC_BASE_DIAG_H

#include "base/types.h"

typedef struct HeldDiag {
  char *text;
  bool is_error;
  struct HeldDiag *next;
} HeldDiag;

// ---- diag.c ----
// All take the token they speak of. error_at() counts; note_at() belongs to the error before it.
void error_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// right behind it
void error_after(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void note_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void warn_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
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
// prints or forgets what was held back (Unit.hold_errors)
void diags_flush(Unit *u, bool print);

// ---- hints.c: what was probably meant ----
void error_undeclared(Unit *u, TokIndex t, const char *name);
_Noreturn void fail_unknown_type(Unit *u, TokIndex t); // of the identifier at t
bool misspells_async(Unit *u, TokIndex t);             // a word before a type
// "a channel", whose object has that member; NULL: it is not the library's
const char *library_kind(const char *member);

#endif
