// lost-pragmas.c: clang's -E drops `#pragma GCC diagnostic` with a name that clang does not know,
// and reports it; the names of fmcc's own warnings are among them. Its reports have the place and
// the text of each pragma: the pragmas are put back into its output, and the reports are dropped.
#include "driver/driver.h"
#include "translate.h"

#include <stdlib.h>
#include <string.h>

// A pragma that was dropped. end: after the message about it.
typedef struct Lost {
  const char *file;
  size_t file_len;
  unsigned long line;
  const char *action; // ignored, warning or error
  OwnWarning of;
} Lost;

static const char *line_end(const char *s, const char *end) {
  const char *newline = memchr(s, '\n', (size_t)(end - s));
  return newline ? newline + 1 : end;
}

static const char *find(const char *s, const char *end, const char *what) {
  return memmem(s, (size_t)(end - s), what, strlen(what));
}

static bool begins(const char *s, const char *end, const char *what) {
  size_t n = strlen(what);
  return (size_t)(end - s) >= n && memcmp(s, what, n) == 0;
}

// FILE:LINE:COLUMN: warning: unknown warning group '-WNAME', ignored
static bool is_about_lost(const char *s, const char *end, Lost *lost) {
  const char *said = find(s, end, ": unknown warning group '-W");
  if (!said)
    return false;
  const char *name = strchr(said, '\'') + 3;
  const char *quote = memchr(name, '\'', (size_t)(end - name));
  lost->of = quote ? own_warning(name, (size_t)(quote - name)) : OWN_WARNINGS;
  if (lost->of == OWN_WARNINGS)
    return false;
  // before it: ": warning" or ": error", and two numbers
  const char *at = said - 1;
  for (int colons = 0; at > s && colons < 3; at--)
    colons += *at == ':';
  lost->file = s;
  lost->file_len = (size_t)(at + 1 - s);
  lost->line = strtoul(at + 2, NULL, 10);
  return at > s;
}

static bool begins_message(const char *s, const char *end) {
  return find(s, end, ": warning: ") || find(s, end, ": error: ") ||
         find(s, end, ": fatal error: ") ||
         begins(s, end, "In file included from ");
}

// The end of a message, with its notes and the source lines that it shows.
static const char *message_end(const char *s, const char *end) {
  const char *p = line_end(s, end);
  while (p < end && !begins_message(p, line_end(p, end)) &&
         !find(p, line_end(p, end), " generated."))
    p = line_end(p, end);
  return p;
}

static const char *action_in(const char *s, const char *end) {
  static const char *const actions[] = {
    "ignored",
    "warning",
    "error",
  };
  for (const char *p = s; (p = find(p, end, "diagnostic")); p++)
    for (size_t i = 0; i < 3; i++) {
      const char *word = p + strlen("diagnostic");
      word += strspn(word, " \t");
      if (begins(word, end, actions[i]))
        return actions[i];
    }
  return "ignored";
}

// Fills `lost`; other messages go to `rest`. Returns the number of lost pragmas.
static size_t collect(const char *s, const char *end, Buf *rest, Vec *lost) {
  const char *headed = NULL; // "In file included from …" before a message
  for (const char *next; s < end; s = next) {
    Lost l;
    next = line_end(s, end);
    if (begins(s, next, "In file included from ")) {
      headed = headed ? headed : s;
      continue;
    }
    if (is_about_lost(s, next, &l)) {
      next = message_end(s, end);
      l.action = action_in(line_end(s, end), next);
      Lost *copy = xmalloc(sizeof *copy);
      *copy = l;
      vec_push(lost, copy);
    } else {
      const char *from = headed ? headed : s;
      buf_add(rest, from, (size_t)(next - from));
    }
    headed = NULL;
  }
  return lost->len;
}

typedef struct Where {
  const char *file;
  size_t len;
  unsigned long line;
} Where;

// # LINE "FILE" FLAGS; leaves: the end of an included file
static bool
read_marker(const char *s, const char *end, Where *at, bool *leaves) {
  if (!begins(s, end, "# ") || s[2] < '0' || s[2] > '9')
    return false;
  const char *open = memchr(s, '"', (size_t)(end - s));
  const char *close =
      open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
  if (!close)
    return false;
  *leaves = close + 2 < end && close[2] == '2';
  *at =
      (Where){ open + 1, (size_t)(close - open - 1), strtoul(s + 2, NULL, 10) };
  return true;
}

static bool same_file(const Where *at, const Lost *l) {
  return at->len == l->file_len && memcmp(at->file, l->file, at->len) == 0;
}

static bool comes_before(const Lost *l, const Where *at, const char *s) {
  if (!same_file(at, l) || at->line < l->line)
    return false;
  return at->line > l->line || !strchr("#\n", s[strspn(s, " \t")]);
}

static void put_back(Buf *out, const Lost *l, const Where *at) {
  buf_printf(out,
             "#pragma GCC diagnostic %s \"-W%s\"\n# %lu \"%.*s\"\n",
             l->action,
             own_warning_name(l->of),
             at->line,
             (int)at->len,
             at->file);
}

static void put_all_back(Buf *text, const Vec *lost) {
  Buf out = { 0 };
  Where at = { "", 0, 0 };
  size_t i = 0;
  const char *s = text->data;
  const char *end = s + text->len;
  for (const char *next; s < end; s = next) {
    Where to;
    bool leaves = false;
    next = line_end(s, end);
    bool marker = read_marker(s, next, &to, &leaves);
    for (; i < lost->len; i++) {
      const Lost *l = lost->at[i];
      bool now = marker ? leaves && same_file(&at, l) : comes_before(l, &at, s);
      if (!now)
        break;
      put_back(&out, l, &at);
    }
    buf_add(&out, s, (size_t)(next - s));
    if (marker)
      at = to;
    else
      at.line++;
  }
  buf_free(text);
  *text = out;
}

bool restore_pragmas(Buf *text, Buf *notes) {
  Buf plain = { 0 };
  Buf rest = { 0 };
  Vec lost = { 0 };
  without_colors(notes->data ? notes->data : "", notes->len, &plain);
  bool any = plain.data &&
             collect(plain.data, plain.data + plain.len, &rest, &lost) > 0;
  if (any) {
    put_all_back(text, &lost);
    buf_free(notes);
    *notes = rest;
  } else {
    buf_free(&rest);
  }
  FOR_EACH (void, line, lost) {
    free(line);
  }
  vec_free(&lost);
  buf_free(&plain);
  return any;
}
