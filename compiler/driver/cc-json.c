// cc-json.c: -fdiagnostics-format=json for units in the dialect. The compiler underneath would give
// positions in the generated text, and each message several times. So it is asked for text, which
// is changed like all messages (cc-messages.c) and becomes JSON here. In: the messages about the
// units on standard error. Out: one line, an array as gcc makes it; lines that are no messages of a
// compiler stand before it.
#include "driver/driver.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct Note {
  const char *file; // file_len bytes; NULL: it has no place
  size_t file_len;
  long line, column;                // 0: not known
  const char *kind, *text, *option; // option: "-Wx", or NULL
} Note;

static void put_string(Buf *out, const char *s, size_t len) {
  buf_putc(out, '"');
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)s[i];
    if (c < 0x20)
      buf_printf(out, "\\u%04x", c);
    else if (c == '"' || c == '\\')
      buf_printf(out, "\\%c", c);
    else
      buf_putc(out, (char)c);
  }
  buf_putc(out, '"');
}

static void put_place(Buf *out, const Note *n) {
  if (!n->file)
    return;
  buf_puts(out, "{\"caret\": {\"file\": ");
  put_string(out, n->file, n->file_len);
  buf_printf(out, ", \"line\": %ld", n->line);
  static const char *const names[] = { "display-column",
                                       "byte-column",
                                       "column" };
  for (size_t i = 0; n->column && i < COUNT(names); i++)
    buf_printf(out, ", \"%s\": %ld", names[i], n->column);
  buf_puts(out, "}}");
}

// The object stays open, so that its children can follow.
static void open_note(Buf *out, const Note *n) {
  buf_puts(out, "{\"kind\": ");
  put_string(out, n->kind, strlen(n->kind));
  buf_puts(out, ", \"message\": ");
  put_string(out, n->text, strlen(n->text));
  if (n->option) {
    buf_puts(out, ", \"option\": ");
    put_string(out, n->option, strlen(n->option));
  }
  buf_puts(
      out,
      ", \"column-origin\": 1, \"escape-source\": false, \"locations\": [");
  put_place(out, n);
  buf_puts(out, "], \"children\": [");
}

// ---- reading ----
static const char *kind_at(const char *s, const char **text) {
  // clang-format off
  static const char *const kinds[] = {
    "error",
    "warning",
    "note",
    "fatal error",
    "sorry, unimplemented",
    "internal compiler error",
  };
  // clang-format on
  for (size_t i = 0; i < COUNT(kinds); i++) {
    size_t n = strlen(kinds[i]);
    if (strncmp(s, kinds[i], n) != 0 || s[n] != ':')
      continue;
    *text = s + n + 1 + strspn(s + n + 1, " ");
    return kinds[i];
  }
  return NULL;
}

// Reads "a.c:7:3: " or "a.c:7: " and returns the text after it. NULL: the line has no place.
static const char *read_place(const char *s, Note *n) {
  for (const char *colon = strchr(s, ':'); colon && colon > s;
       colon = strchr(colon + 1, ':')) {
    char *end;
    if (!isdigit((unsigned char)colon[1]))
      continue;
    n->line = strtol(colon + 1, &end, 10);
    n->column = *end == ':' && isdigit((unsigned char)end[1])
                    ? strtol(end + 1, &end, 10)
                    : 0;
    if (end[0] != ':' || end[1] != ' ')
      continue;
    n->file = s;
    n->file_len = (size_t)(colon - s);
    return end + 2;
  }
  return NULL;
}

// Cuts the option off the text "… [-Wunused-variable]".
static void cut_option(char *text, Note *n) {
  size_t len = strlen(text);
  char *open = len && text[len - 1] == ']' ? strrchr(text, '[') : NULL;
  if (!open || open[1] != '-' || open == text)
    return;
  text[len - 1] = 0;
  n->option = open + 1;
  while (open > text && open[-1] == ' ')
    open--;
  *open = 0;
}

static bool read_note(char *line, Note *n) {
  *n = (Note){ 0 };
  const char *rest = read_place(line, n);
  const char *text;
  if (!rest) { // "fmcc: error: …"
    const char *colon = strstr(line, ": ");
    if (!colon || strcspn(line, " ") != (size_t)(colon - line) + 1)
      return false;
    rest = colon + 2;
  }
  n->kind = kind_at(rest, &text);
  if (!n->kind)
    return false;
  n->text = text;
  cut_option((char *)text, n);
  return true;
}

// Source lines, carets, "In function …", "compilation terminated.": JSON has no place for them.
static bool is_around(const char *line) {
  static const char *const starts[] = {
    "In file included from ", "cc1: ", "compilation terminated"
  };
  if (!*line || *line == ' ')
    return true;
  if (strstr(line, ": In function ") || strstr(line, ": At top level:"))
    return true;
  for (size_t i = 0; i < COUNT(starts); i++)
    if (strncmp(line, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

// ---- the whole ----
typedef struct Array {
  Buf out;
  bool any;   // the last message is open, for its children
  bool child; // it has some
} Array;

static void add_note(Array *a, const Note *n) {
  bool child = a->any && strcmp(n->kind, "note") == 0;
  if (child) {
    buf_puts(&a->out, a->child ? ", " : "");
    open_note(&a->out, n);
    buf_puts(&a->out, "]}");
  } else {
    buf_puts(&a->out, a->any ? "]}, " : "");
    open_note(&a->out, n);
  }
  a->any = true;
  a->child = child;
}

void print_json(const char *text, size_t len, FILE *to) {
  Array a = { 0 };
  buf_putc(&a.out, '[');
  for (const char *s = text, *end = text + len, *next; s < end; s = next) {
    const char *newline = memchr(s, '\n', (size_t)(end - s));
    Note n;
    next = newline ? newline + 1 : end;
    char *line = xstrndup(s, (size_t)((newline ? newline : end) - s));
    if (*line != '[' && read_note(line, &n))
      add_note(&a, &n);
    else if (!is_around(line))
      fwrite(s, 1, (size_t)(next - s), to);
    free(line);
  }
  fprintf(to, "%s%s]\n", a.out.data, a.any ? "]}" : "");
  buf_free(&a.out);
}
