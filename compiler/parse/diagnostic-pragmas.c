// diagnostic-pragmas.c: `#pragma GCC diagnostic` (or clang's) about fmcc's own warnings, for
// example -Wblocking. In: the pragmas of the unit, in order. Out: for each warning and each place,
// whether the warning is wanted there. The C compiler underneath does not know the names, so it
// does not get these pragmas. Pragmas about its own warnings stay; push and pop concern both.
#include "fmcc.h"

#include <stdlib.h>
#include <string.h>

typedef enum Action {
  ACTION_NONE,
  ACTION_PUSH,
  ACTION_POP,
  ACTION_IGNORED,
  ACTION_WARNING,
  ACTION_ERROR
} Action;

typedef struct Words {
  const char *at;
  const char *end;
} Words;

static void skip(Words *w) {
  while (w->at < w->end && (*w->at == ' ' || *w->at == '\t'))
    w->at++;
}

static bool take(Words *w, const char *word) {
  size_t n = strlen(word);
  skip(w);
  if ((size_t)(w->end - w->at) < n || memcmp(w->at, word, n) != 0)
    return false;
  w->at += n;
  return true;
}

// Reads "-WNAME". OWN_WARNINGS: the name is not one of ours.
static OwnWarning quoted_warning(Words *w) {
  if (!take(w, "\"-W"))
    return OWN_WARNINGS;
  const char *close = memchr(w->at, '"', (size_t)(w->end - w->at));
  return close ? own_warning(w->at, (size_t)(close - w->at)) : OWN_WARNINGS;
}

// Reads a line from its `#` on.
static Action read_line(const char *s, size_t len, OwnWarning *of) {
  // clang-format off
  static const char *const names[] = {
    [ACTION_PUSH] = "push",
    [ACTION_POP] = "pop",
    [ACTION_IGNORED] = "ignored",
    [ACTION_WARNING] = "warning",
    [ACTION_ERROR] = "error",
  };
  // clang-format on
  Words w = { s, s + len };
  *of = OWN_WARNINGS;
  if (!take(&w, "#") || !take(&w, "pragma") ||
      !(take(&w, "GCC") || take(&w, "clang")) || !take(&w, "diagnostic"))
    return ACTION_NONE;
  Action a = ACTION_PUSH;
  while (a <= ACTION_ERROR && !take(&w, names[a]))
    a++;
  if (a > ACTION_ERROR)
    return ACTION_NONE;
  if (a >= ACTION_IGNORED)
    *of = quoted_warning(&w);
  return a;
}

bool names_own_warning(const char *s, size_t len) {
  OwnWarning of;
  read_line(s, len, &of);
  return of < OWN_WARNINGS;
}

void note_diagnostic_pragma(Unit *u, const Pragma *g) {
  OwnWarning of;
  Action a = read_line(u->text + g->pos, g->len, &of);
  if (a == ACTION_NONE || (a >= ACTION_IGNORED && of == OWN_WARNINGS))
    return;
  DiagnosticPragma *p = NEW(&u->arena, DiagnosticPragma);
  *p = (DiagnosticPragma){ g->before, (uint8_t)a, (uint8_t)of };
  vec_push(&u->diagnostics, p);
  u->own_diagnostics |= of < OWN_WARNINGS;
}

// As with gcc, a pop without a push returns to the setting of the command line.
PragmaSays pragma_says(const Unit *u, OwnWarning w, TokIndex t) {
  PragmaSays now = PRAGMA_SILENT;
  size_t depth = 0;
  if (!u->own_diagnostics)
    return now;
  PragmaSays *saved = xmalloc((u->diagnostics.len + 1) * sizeof *saved);
  FOR_EACH (const DiagnosticPragma, p, u->diagnostics) {
    if (p->before > t)
      break;
    if (p->action == ACTION_PUSH)
      saved[depth++] = now;
    else if (p->action == ACTION_POP)
      now = depth ? saved[--depth] : PRAGMA_SILENT;
    else if (p->of == w)
      now = (PragmaSays)(PRAGMA_IGNORED + p->action - ACTION_IGNORED);
  }
  free(saved);
  return now;
}

static bool is_on_by_default(Unit *u, OwnWarning w) {
  if (w == OWN_BLOCKING || w == OWN_SHARED_STATE)
    return includes_posix(u);
  return w == OWN_UNAWAITED_TASK;
}

bool is_wanted(Unit *u, OwnWarning w, TokIndex t) {
  PragmaSays says = pragma_says(u, w, t);
  if (says != PRAGMA_SILENT)
    return says != PRAGMA_IGNORED;
  return u->opt.warn_of[w] == WISH_UNSAID ? is_on_by_default(u, w)
                                          : u->opt.warn_of[w] == WISH_YES;
}
