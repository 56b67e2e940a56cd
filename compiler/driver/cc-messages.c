// cc-messages.c: messages of the compiler underneath become messages about the user's program.
//
// Messages about the witness (witness.c) are nearly as the user is to read them; only clang shows
// lines that the user has not written. Messages about the generated text are shown if there is no
// witness, or if the witness had no errors. There an async function has several versions, so a
// mistake is reported for each of them:
//
//     a.c: In function ‘f__fm_call’:            a.c: In function ‘f’:
//     a.c:7:132: error: duplicate case value    a.c:7:37: error: duplicate case value
//     a.c: In function ‘f__fm_atomic’:
//     a.c:7:52: error: duplicate case value
//
// A message is a line, and the lines after it that show the source. The same message about the same
// line of the source comes once. A column of the generated text becomes the user's (cc-columns.c);
// if that is not found, it becomes 1, and the source is not shown.
#include "driver/driver.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct Retelling {
  Arena arena;
  bool clang;
  Vec told; // texts of messages, without their columns
  // "In file included from …", not printed yet, or NULL
  const char *included;
  const char *function;      // "In function …", the same
  const char *last_function; // the last "In function …" that was printed
  // gcc: the function of the generated text that the message is about, or NULL
  const char *in;
  const char *generated_path;
  Buf generated; // its content; read when it is needed
  // the file of the user's that was read last, and its content
  const char *path;
  Buf source;
  bool dropped; // the previous message was dropped
  bool any_dropped;
  bool excused; // the user has read that it is fmcc's own mistake
  // the messages are about the witness: lines and columns are the user's
  bool exact;
} Retelling;

typedef struct Message {
  const char *at; // with colours
  size_t len;
  // its first line, and the next line or NULL; without colours
  char *plain;
  char *shown;
} Message;

// ---- texts ----
static void trim(char *s) {
  size_t n = strlen(s);
  while (n && isspace((unsigned char)s[n - 1]))
    n--;
  s[n] = '\0';
}

void without_colors(const char *line, size_t len, Buf *out) {
  buf_add(out, "", 0);
  for (size_t i = 0; i < len; i++) {
    if (line[i] != '\033')
      buf_putc(out, line[i]);
    else
      while (i < len && line[i] != 'm' && line[i] != 'K')
        i++;
  }
}

// The text without __fm_call, __fm_resume … after names.
static char *with_own_names(Arena *a, const char *s, size_t len) {
  char *out = arena_text(a, s, len);
  char *to = out;
  for (const char *from = out; *from;) {
    if (strncmp(from, "__fm_", 5) == 0)
      from += 5 + strspn(from + 5, "abcdefghijklmnopqrstuvwxyz0123456789");
    else
      *to++ = *from++;
  }
  *to = '\0';
  return out;
}

// Reads ‘name’; the locale chooses the quotes.
static const char *name_in(Arena *a, const char *s) {
  while (*s && !isalpha((unsigned char)*s) && *s != '_')
    s++;
  size_t n = 0;
  while (isalnum((unsigned char)s[n]) || s[n] == '_')
    n++;
  return arena_text(a, s, n);
}

static const char *end_of_line(const char *s, const char *end) {
  const char *newline = memchr(s, '\n', (size_t)(end - s));
  return newline ? newline + 1 : end;
}

// Keeps the file that was read last: messages about one file usually follow each other.
static const Buf *source_of(Retelling *r, const char *path) {
  if (r->path && strcmp(r->path, path) == 0)
    return &r->source;
  buf_free(&r->source);
  r->path = path;
  if (strcmp(path, "-") != 0)
    buf_read_file(&r->source, path);
  return &r->source;
}

// The line of the user's file, without the blanks at its end. NULL: not known.
static char *source_line(Retelling *r, const char *path, long line) {
  const Buf *text = source_of(r, path);
  if (!text->data)
    return NULL;
  const char *s = text->data;
  const char *end = s + text->len;
  for (; line > 1 && s < end; line--)
    s = end_of_line(s, end);
  if (s == end)
    return NULL;
  char *found = arena_text(&r->arena, s, (size_t)(end_of_line(s, end) - s));
  trim(found);
  return found;
}

// ---- messages ----
// file: length of its name; rest: where the kind begins
typedef struct Place {
  int file;
  long line;
  long column;
  int rest;
} Place;

static bool find_place(const char *s, Place *p) {
  for (const char *colon = strchr(s, ':'); colon;
       colon = strchr(colon + 1, ':')) {
    int used = 0;
    if (sscanf(colon, ":%ld:%ld: %n", &p->line, &p->column, &used) < 2 || !used)
      continue;
    p->file = (int)(colon - s);
    p->rest = p->file + used;
    return true;
  }
  return false;
}

static bool is_told(Retelling *r, const char *text) {
  FOR_EACH (const char, text_told, r->told) {
    if (strcmp(text_told, text) == 0)
      return true;
  }
  vec_push(&r->told, (char *)text);
  return false;
}

// "2 errors generated."
static bool is_count(const char *s) {
  return strspn(s, "0123456789") && strstr(s, " generated.");
}

static bool
is_to_drop(Retelling *r, const Message *m, const Place *p, bool placed) {
  if (is_count(m->plain))
    return r->any_dropped;
  if (!placed)
    return false;
  // the value of a job
  if (r->exact && strstr(m->plain + p->rest, "(near initialization for ") &&
      strstr(m->plain, "(anonymous)"))
    return true;
  if (strncmp(m->plain + p->rest, "note:", 5) == 0)
    return r->dropped || strncmp(m->plain, "<fermata>:", 10) == 0;
  if (r->exact)
    return is_told(r, m->plain);
  return is_told(r,
                 arena_printf(&r->arena,
                              "%.*s:%ld: %s",
                              p->file,
                              m->plain,
                              p->line,
                              m->plain + p->rest));
}

static void tell_line(Retelling *r, const char *s, size_t len) {
  fputs(with_own_names(&r->arena, s, len), stderr);
}

// ---- columns ----
static bool starts_statement(const char *s) {
  // clang-format off
  static const char *const words[] = {
    "return",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "(",
    "*",
  };
  // clang-format on
  for (size_t i = 0; i < COUNT(words); i++)
    if (strncmp(s, words[i], strlen(words[i])) == 0)
      return true;
  return false;
}

// Whether the definition of the function begins in that line of the generated text:
// `static int f__fm_call(…) {`.
static bool defines(const char *line, const char *function) {
  const char *at = strstr(line, function);
  const char *start = line + strspn(line, " \t");
  if (!at || at == start || at[strlen(function)] != '(' ||
      isalnum((unsigned char)at[-1]) || at[-1] == '_')
    return false;
  for (const char *s = start; s < at; s++)
    if (strchr(";{}=:,", *s))
      return false;
  return !starts_statement(start) && strstr(at, ") {");
}

typedef struct Marker {
  const char *file;
  size_t len;
  long line;
} Marker; // # 7 "a.c" 3

static bool read_marker(const char *s, Marker *m) {
  char *end;
  if (s[0] != '#' || s[1] != ' ' || !isdigit((unsigned char)s[2]))
    return false;
  m->line = strtol(s + 2, &end, 10);
  const char *name = strchr(end, '"');
  const char *close = name ? strchr(name + 1, '"') : NULL;
  if (!close)
    return true;
  m->file = name + 1;
  m->len = (size_t)(close - m->file);
  return true;
}

static char *trimmed(Retelling *r, const char *s, const char *end) {
  char *text = arena_text(&r->arena, s, (size_t)(end - s));
  trim(text);
  return text;
}

static bool is_file(const Marker *m, const char *path) {
  return m->len == strlen(path) && memcmp(m->file, path, m->len) == 0;
}

// The line defines the function that the message is about.
static bool begins_function(Retelling *r, const char *s, const char *end) {
  return memmem(s, (size_t)(end - s), r->in, strlen(r->in)) &&
         defines(trimmed(r, s, end), r->in);
}

// Finds the line of the generated text that gcc has read; gcc shows the user's line instead. Each
// version of a function may have such a line. NULL: not found.
static char *
generated_line(Retelling *r, const char *path, long line, size_t column) {
  Marker at = { .file = "" };
  char *found = NULL;
  bool inside = !r->in;
  if (!r->generated.data && !buf_read_file(&r->generated, r->generated_path))
    return NULL;
  for (const char *s = r->generated.data, *end = s + r->generated.len, *next;
       s < end && !(found && inside);
       s = next) {
    next = end_of_line(s, end);
    if (read_marker(s, &at))
      continue;
    if (!inside && begins_function(r, s, next)) {
      inside = true;
      found = NULL;
    }
    bool here = at.line++ == line && is_file(&at, path);
    if (here && (size_t)(next - s) > column && (inside || !found))
      found = trimmed(r, s, next);
  }
  return found;
}

// clang shows the line of the generated text.
static size_t users_column(Retelling *r,
                           const Message *m,
                           const char *path,
                           const char *line,
                           const Place *p) {
  const char *generated =
      r->clang ? m->shown : generated_line(r, path, p->line, (size_t)p->column);
  if (!generated)
    return (size_t)p->column > strlen(line) + 1 ? 0 : (size_t)p->column;
  return strcmp(generated, line) == 0
             ? (size_t)p->column
             : own_column(line, generated, (size_t)p->column - 1);
}

static void show_caret(const char *before,
                       const char *below,
                       const char *source,
                       size_t column) {
  fprintf(stderr, "%s%s\n%s", before, source, below);
  for (size_t i = 0; i + 1 < column; i++)
    fputc(source[i] == '\t' ? '\t' : ' ', stderr);
  fputs("^\n", stderr);
}

// The column stands right after the line's number, with colours or without.
static void tell_at(Retelling *r,
                    const Message *m,
                    const Place *p,
                    const char *source,
                    size_t column) {
  const char *newline = memchr(m->at, '\n', m->len);
  char *line = with_own_names(&r->arena,
                              m->at,
                              newline ? (size_t)(newline - m->at) + 1 : m->len);
  const char *number = arena_printf(&r->arena, ":%ld:%ld:", p->line, p->column);
  const char *at = strstr(line, number);
  if (at)
    fprintf(stderr,
            "%.*s:%ld:%zu:%s",
            (int)(at - line),
            line,
            p->line,
            column ? column : 1,
            at + strlen(number));
  else
    fputs(line, stderr);
  if (column)
    show_caret(r->clang ? "" : arena_printf(&r->arena, "%5ld | ", p->line),
               r->clang ? "" : "      | ",
               source,
               column);
}

// An error in a part of the generated text that is not the user's, while the witness had no error.
static void tell_own_mistake(Retelling *r, const Message *m, const Place *p) {
  const char *text =
      with_own_names(&r->arena, m->plain + p->rest, strlen(m->plain + p->rest));
  if (strncmp(text, "error: ", 7) == 0)
    text += 7;
  complain("the C code that fmcc generated from this file is not valid: %s",
           text);
  if (!r->excused)
    advise("this is a mistake in fmcc: please report it, with the source");
  r->excused = true;
}

static void tell_placed(Retelling *r, const Message *m, const Place *p) {
  const char *path = arena_text(&r->arena, m->plain, (size_t)p->file);
  if (strcmp(path, "<fermata>") == 0) {
    tell_own_mistake(r, m, p);
    return;
  }
  char *line = source_line(r, path, p->line);
  size_t column = line && p->column > 0 ? users_column(r, m, path, line, p)
                                        : (size_t)p->column;
  // the line that clang shows is not the user's
  bool ours = r->clang && m->shown && strstr(m->shown, "fm__");
  if (!line || (column == (size_t)p->column && !ours))
    tell_line(r, m->at, m->len);
  else
    tell_at(r, m, p, line, column);
}

// The column of the directive (`%d`) that the message quotes, in the string that begins at
// `column`. gcc finds it only in a text without line markers. 0: not found, or found several times.
static size_t
directive_column(const char *line, const char *text, size_t column) {
  const char *from = strchr(text, '%');
  size_t len = from ? strcspn(from, "'\342") : 0; // up to the quote after it
  if (!len || column > strlen(line) || line[column - 1] != '"')
    return 0;
  const char *literal = line + column;
  const char *end = strchr(literal, '"');
  const char *at =
      memmem(literal, end ? (size_t)(end - literal) : 0, from, len);
  if (!at || memmem(at + 1, (size_t)(end - at) - 1, from, len))
    return 0;
  return (size_t)(at - line) + (strstr(text, "[-Wformat=]") ? len : 1);
}

// Reports the message at the directive. Returns false if the column is not found.
static bool tell_directive(Retelling *r,
                           const Message *m,
                           const Place *p,
                           const char *path) {
  const char *text = m->plain + p->rest;
  const char *line =
      strstr(text, "[-Wformat") ? source_line(r, path, p->line) : NULL;
  size_t column = line && p->column > 0 && !strchr(line, '\t')
                      ? directive_column(line, text, (size_t)p->column)
                      : 0;
  if (column)
    tell_at(r, m, p, line, column);
  return column != 0;
}

// gcc shows the user's line. clang shows the line of the witness, which is replaced by the user's:
// the carets below it still fit, unless there are tabs.
static void tell_exact(Retelling *r, const Message *m, const Place *p) {
  const char *path = arena_text(&r->arena, m->plain, (size_t)p->file);
  const char *end = m->at + m->len;
  const char *shown = end_of_line(m->at, end);
  const char *below = end_of_line(shown, end);
  if (!r->clang && tell_directive(r, m, p, path))
    return;
  tell_line(r, m->at, (size_t)(shown - m->at));
  const char *line =
      r->clang && shown < end ? source_line(r, path, p->line) : NULL;
  if (!line)
    fwrite(shown, 1, (size_t)(end - shown), stderr);
  else if (strchr(line, '\t'))
    show_caret("", "", line, (size_t)p->column);
  else
    fprintf(stderr, "%s\n%.*s", line, (int)(end - below), below);
}

// `In function ‘f’:`, `At top level:` and `In file included from …`: they are printed before the
// next message that is not dropped. Returns false if the message is none of them.
static bool note_context(Retelling *r, const Message *m) {
  const char *in = strstr(m->plain, ": In function ");
  if (in || strstr(m->plain, ": At top level:"))
    r->in = in ? name_in(&r->arena, in + 14) : NULL;
  if (in) {
    r->function = strncmp(m->plain, "<fermata>", 9) == 0
                      ? NULL
                      : with_own_names(&r->arena, m->at, m->len);
    return true;
  }
  if (strncmp(m->plain, "In file included", 16) == 0) {
    r->included = arena_text(&r->arena, m->at, m->len);
    return true;
  }
  return false;
}

static void tell_context(Retelling *r, const char *included) {
  if (included)
    fputs(included, stderr);
  if (r->function &&
      (!r->last_function || strcmp(r->function, r->last_function) != 0))
    fputs(r->last_function = r->function, stderr);
  r->function = NULL;
}

// Notes are dropped with the message that they belong to.
static bool drop(Retelling *r, const Message *m, Place *p, bool placed) {
  bool note = placed && strncmp(m->plain + p->rest, "note:", 5) == 0;
  bool dropped = is_to_drop(r, m, p, placed);
  if (!note || dropped)
    r->dropped = dropped;
  r->any_dropped |= dropped;
  return dropped;
}

static void tell(Retelling *r, const Message *m) {
  Place p;
  if (note_context(r, m))
    return;
  bool placed = find_place(m->plain, &p);
  if (r->exact)
    r->in = NULL;
  const char *included = r->included;
  r->included = NULL;
  if (drop(r, m, &p, placed))
    return;
  tell_context(r, included);
  if (placed && r->exact)
    tell_exact(r, m, &p);
  else if (placed)
    tell_placed(r, m, &p);
  else
    tell_line(r, m->at, m->len);
}

// clang's messages about a source line begin with that line, as it is in the file.
static bool goes_on(const Retelling *r, const char *line) {
  Place p;
  if (!r->clang)
    return *line == ' ' || *line == '\t';
  return !find_place(line, &p) && !is_count(line) &&
         strncmp(line, "In file included", 16) != 0;
}

static char *plain_line(Retelling *r, const char *s, const char *end) {
  Buf plain = { 0 };
  without_colors(s, (size_t)(end_of_line(s, end) - s), &plain);
  char *line = arena_text(&r->arena, plain.data, plain.len);
  trim(line);
  buf_free(&plain);
  return line;
}

static void retell_all(Retelling r, const char *text, size_t len) {
  for (const char *s = text, *end = text + len, *next; s < end; s = next) {
    Message m = { .at = s, .plain = plain_line(&r, s, end) };
    for (next = end_of_line(s, end); next < end;
         next = end_of_line(next, end)) {
      char *line = plain_line(&r, next, end);
      if (!goes_on(&r, line))
        break;
      if (!m.shown)
        m.shown = line;
    }
    m.len = (size_t)(next - s);
    tell(&r, &m);
  }
  buf_free(&r.source);
  buf_free(&r.generated);
  vec_free(&r.told);
  arena_free(&r.arena);
}

void retell(const char *text, size_t len, bool clang, const char *generated) {
  retell_all((Retelling){ .clang = clang, .generated_path = generated },
             text,
             len);
}

void retell_witness(const char *text, size_t len, bool clang) {
  retell_all((Retelling){ .clang = clang, .exact = true }, text, len);
}
