// readable.c: writes the unit for people (--emit-c). In: a unit that has been through all passes.
// Out: the user's own file, in which each declaration in the dialect is replaced by its C, laid out
// (layout.c). Everything else stands as the user wrote it: directives, comments, plain functions
// with their macros. The result is a complete C file.
//
// A header of the user's that has declarations in the dialect stands in place of its #include line,
// translated. The library's headers stay as #include lines; their async functions, which they hide
// from a C compiler, are declared after that line, as far as the file uses them.
//
// A file that cannot be read (standard input), or whose lines are another file's (#line), is
// written from the preprocessed text instead, without its directives and comments.
#include "base/words.h"
#include "emit/legend.h"
#include "emit/source-text.h"

#include <ctype.h>
#include <stdlib.h>

// Where a file comes from: the #include line that included it first.
typedef struct Origin {
  uint16_t parent;
  uint32_t line; // 0: none
} Origin;
typedef struct Span {
  uint32_t from;
  uint32_t to;
} Span;
typedef struct FileState {
  Origin origin;
  bool known;   // it has an origin, or is the first file
  bool library; // a header of the library
  // one of the user's files that has to be translated, or includes one
  bool dialect;
  bool written; // its text is part of the output
  Span *hidden; // library: lines that a C compiler does not see
  size_t nhidden;
} FileState;
typedef struct Reader {
  Unit *u;
  FileState *files; // by the index of Unit.files
  uint16_t main;    // the user's file
  Buf used;         // hidden declarations that are used
} Reader;

// Characters around `parent line` in the text: a place for the hidden declarations that the headers
// of that #include line bring. fill_holes() replaces it.
enum { HOLE = 3, HOLE_END = 4 };

// ---- the files and their #include lines ----
// Returns the index of the file; -1: there is none.
static int file_named(Unit *u, const char *name, size_t len) {
  for (size_t i = 0; i < u->nfiles; i++)
    if (strlen(u->files[i].name) == len &&
        memcmp(u->files[i].name, name, len) == 0)
      return (int)i;
  return -1;
}

typedef struct Marker {
  uint32_t line;
  int file;
  bool enters;
  bool leaves;
} Marker;

// Reads a line marker; returns false if the line is none.
static bool read_marker(Unit *u, const char *s, const char *end, Marker *m) {
  const char *quote = memchr(s, '"', (size_t)(end - s));
  if (s + 2 >= end || s[0] != '#' || s[1] != ' ' ||
      !isdigit((unsigned char)s[2]) || !quote)
    return false;
  const char *close = memrchr(quote + 1, '"', (size_t)(end - quote - 1));
  if (!close)
    return false;
  size_t name_length = (size_t)(close - quote - 1);
  size_t flags_length = (size_t)(end - close);
  m->line = (uint32_t)strtoul(s + 2, NULL, 10);
  m->file = file_named(u, quote + 1, name_length);
  m->enters = memmem(close, flags_length, " 1", 2) != NULL;
  m->leaves = memmem(close, flags_length, " 2", 2) != NULL;
  return true;
}

// The files that are being read, the innermost last.
typedef struct Stack {
  struct Entry {
    int file;
    bool first; // it had not been read before
  } * at;
  size_t len;
  size_t cap;
} Stack;

static void grow_stack(Stack *s) {
  s->cap = s->cap * 2 + 16;
  s->at = xrealloc(s->at, s->cap * sizeof *s->at);
}

static void push_file(Reader *r, Stack *s, int file) {
  if (s->len == s->cap)
    grow_stack(s);
  s->at[s->len++] = (struct Entry){ file, file >= 0 && !r->files[file].known };
  if (file >= 0)
    r->files[file].known = true;
}

// Follows the line markers. The marker at the end of a file names the line after its #include.
static void note_marker(Reader *r, Stack *stack, const Marker *m) {
  if (!stack->len && m->file >= 0) {
    r->main = (uint16_t)m->file;
    push_file(r, stack, m->file);
  } else if (m->enters) {
    push_file(r, stack, m->file);
  } else if (m->leaves && stack->len > 1) {
    const struct Entry *left = &stack->at[--stack->len];
    if (left->first && m->file >= 0)
      r->files[left->file].origin = (Origin){ (uint16_t)m->file, m->line - 1 };
  }
}

// Sets FileState.origin and FileState.known.
static void find_origins(Reader *r) {
  Unit *u = r->u;
  Stack stack = { 0 };
  for (const char *s = u->text, *end = s + u->len, *nl; s < end; s = nl + 1) {
    Marker m;
    nl = memchr(s, '\n', (size_t)(end - s));
    if (!nl)
      nl = end;
    if (*s == '#' && read_marker(u, s, nl, &m))
      note_marker(r, &stack, &m);
  }
  free(stack.at);
}

// ---- lines that the library's headers hide from C compilers ----
static bool mentions(const char *s, size_t len, const char *name) {
  size_t n = strlen(name);
  for (const char *p = s, *end = s + len;
       (p = memmem(p, (size_t)(end - p), name, n));
       p++) {
    if (p > s && in_name(p[-1]))
      continue;
    const char *after = p + n;
    if (after == end || !in_name(*after) ||
        (end - after > 5 && memcmp(after, "__fm_", 5) == 0))
      return true;
  }
  return false;
}

static bool hides(const SourceText *s, const Directive *d) {
  const char *text = s->text + d->from;
  size_t len = d->to - d->from;
  if (mentions(text, len, "|| defined FERMATA_TRANSLATED"))
    return false;
  if (mentions(text, len, "FERMATA_TRANSLATED") &&
      !mentions(text, len, "__FERMATA__"))
    return false; // it says what it is for
  return mentions(text, len, "FERMATA_NO_KEYWORDS") ||
         mentions(text, len, "__FERMATA__");
}

static void find_hidden(FileState *f, const SourceText *s) {
  int depth = 0;
  int hidden = 0; // hidden: the depth at which that began; 0: it is not
  for (size_t i = 0; i < s->ndirectives; i++) {
    const Directive *d = &s->directives[i];
    if (strncmp(d->word, "if", 2) == 0) {
      depth++;
      if (hidden || !hides(s, d))
        continue;
      hidden = depth;
      f->hidden = xrealloc(f->hidden, (f->nhidden + 1) * sizeof *f->hidden);
      f->hidden[f->nhidden++] = (Span){ d->line, UINT32_MAX };
    } else if (strcmp(d->word, "endif") == 0) {
      if (hidden == depth) {
        f->hidden[f->nhidden - 1].to = d->line;
        hidden = 0;
      }
      depth--;
    }
  }
}

static bool is_library_name(const char *name) {
  const char *base = strrchr(name, '/');
  return strstr(name, "/fermata/") || strncmp(name, "fermata/", 8) == 0 ||
         strcmp(base ? base + 1 : name, "fermata.h") == 0;
}

static void find_library(Reader *r) {
  for (size_t i = 0; i < r->u->nfiles; i++) {
    SourceText s;
    FileState *f = &r->files[i];
    if (i == r->main || !is_library_name(r->u->files[i].name))
      continue;
    if (source_open(&s, r->u, (uint16_t)i)) {
      find_hidden(f, &s);
      f->library = f->nhidden || mentions(s.text, s.len, "FERMATA_ABI_H");
      source_close(&s);
    }
  }
}

static bool is_hidden(const Reader *r, const Item *it) {
  const Token *t = tok_at(r->u, it->range.from);
  const FileState *f = &r->files[t->file];
  for (size_t i = 0; i < f->nhidden; i++)
    if (t->line > f->hidden[i].from && t->line < f->hidden[i].to)
      return true;
  return false;
}

// ---- declarations in the dialect ----
static bool is_translated(const Item *it) {
  return it->async || it->decl || (it->direct && it->tree) ||
         (it->kind == ITEM_FUNCTION && it->tree);
}

static TokIndex end_of(const Item *it) {
  return it->body.to > it->range.to ? it->body.to : it->range.to;
}

// Returns the number of the first edit at or after a token.
static size_t first_edit(Unit *u, TokIndex t) {
  size_t lo = 0;
  size_t hi = u->edits.len;
  while (lo < hi) {
    Range r;
    size_t mid = (lo + hi) / 2;
    edit_number(u, mid, &r);
    if (r.from < t)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

static bool is_edited(Unit *u, const Item *it) {
  Range r;
  return edit_number(u, first_edit(u, it->range.from), &r) &&
         r.from < end_of(it);
}

// Sets FileState.dialect.
static void find_dialect(Reader *r) {
  for (const Item *it = r->u->items; it; it = it->next) {
    uint16_t file = tok_at(r->u, it->range.from)->file;
    if (!is_translated(it) && !is_edited(r->u, it))
      continue;
    for (FileState *f = &r->files[file]; !f->library && !f->dialect;) {
      f->dialect = true;
      if (!f->origin.line)
        break;
      f = &r->files[f->origin.parent];
    }
  }
}

// ---- replacing parts of a file ----
typedef struct Part {
  uint32_t from;
  uint32_t to;
  Buf text; // the new text
} Part;
typedef struct Parts {
  Part *at;
  size_t len;
  size_t cap;
} Parts;

static Part *add_part(Parts *p, uint32_t from, uint32_t to) {
  if (p->len == p->cap)
    p->at = xrealloc(p->at, (p->cap = p->cap * 2 + 32) * sizeof *p->at);
  p->at[p->len] = (Part){ from, to, { 0 } };
  return &p->at[p->len++];
}

static int by_place(const void *a, const void *b) {
  const Part *x = a;
  const Part *y = b;
  return x->from < y->from ? -1 : x->from > y->from;
}

static void trim(Buf *b) {
  while (b->len && isspace((unsigned char)b->data[b->len - 1]))
    b->data[--b->len] = 0;
}

static void write_item(Unit *u, Item *it, Comments *comments, Buf *out) {
  Buf text = { 0 };
  emit_item_alone(u, it, &text);
  if (out->len && out->data[out->len - 1] != '\n')
    buf_puts(out, "\n\n");
  lay_out(u, &text, comments, out);
  trim(out);
  buf_free(&text);
}

// Adds the #define lines inside a body that is replaced: the macros may be used after it.
static void keep_definitions(const SourceText *s, Part *part) {
  for (size_t i = 0; i < s->ndirectives; i++) {
    const Directive *d = &s->directives[i];
    bool defines =
        strcmp(d->word, "define") == 0 || strcmp(d->word, "undef") == 0;
    if (!defines || d->from < part->from || d->to > part->to)
      continue;
    buf_putc(&part->text, '\n');
    buf_add(&part->text, s->text + d->from, d->to - d->from);
  }
}

// Writes the comments in a function's heading, which stand before the function.
static void write_heading_comments(SourceText *s, Item *it, Buf *out) {
  TokIndex to = it->body.from > it->range.from ? it->body.from : 0;
  for (size_t i = 0; i < s->comments.len; i++) {
    Comment *c = &s->comments.at[i];
    if (c->anchor <= it->range.from || c->anchor >= to || c->printed)
      continue;
    buf_add(out, c->at, c->len);
    buf_putc(out, '\n');
    c->printed = true;
  }
}

// The user's line is not too wide with the edit in it.
static bool fits(SourceText *s, Range r, const char *text) {
  enum { WIDEST = 110 };
  uint32_t from = source_offset(s, r.from);
  uint32_t to = source_end(s, r.to - 1);
  size_t line = 0;
  source_line(s->u, s->file, tok_at(s->u, r.from)->line, &line);
  return line + strlen(text) <= WIDEST + (to - from);
}

// Adds a part for each edit in the declaration. Returns false, and adds none, if the declaration
// has to be laid out anew: a token of an edit comes from a macro, or a line would be too wide.
static bool add_edits(SourceText *s, Parts *parts, const Item *it) {
  Unit *u = s->u;
  Range r;
  size_t before = parts->len;
  TokIndex done = it->range.from;
  for (size_t i = first_edit(u, it->range.from);; i++) {
    const char *text = edit_number(u, i, &r);
    if (!text || r.from >= end_of(it))
      return true;
    if (r.from == r.to || r.from < done)
      continue;
    bool exact = source_exact(s, r.from) && source_exact(s, r.to - 1);
    if (!exact || !fits(s, r, text)) {
      while (parts->len > before)
        buf_free(&parts->at[--parts->len].text);
      return false;
    }
    Part *p =
        add_part(parts, source_offset(s, r.from), source_end(s, r.to - 1));
    buf_puts(&p->text, text);
    done = r.to;
  }
}

// Adds a part for each declaration in the dialect. The declarations that one macro makes are one
// part.
static void add_items(Reader *r, SourceText *s, Parts *parts) {
  Unit *u = r->u;
  uint32_t macro_end =
      0; // the end of the macro whose declarations are being written
  Part *part = NULL;
  for (Item *it = u->items; it; it = it->next) {
    if (tok_at(u, it->range.from)->file != s->file)
      continue;
    bool whole = is_translated(it);
    bool edited = is_edited(u, it);
    bool macro = !source_exact(s, it->range.from);
    if (!whole && !edited && !macro)
      continue;
    uint32_t from = source_offset(s, it->range.from);
    bool joined = part && from < macro_end;
    if (!joined && !whole && (!edited || add_edits(s, parts, it)))
      continue;
    if (!joined) {
      part = add_part(parts, from, source_end(s, end_of(it) - 1));
      macro_end = part->to;
      write_heading_comments(s, it, &part->text);
    }
    write_item(u, it, &s->comments, &part->text);
    keep_definitions(s, part);
  }
}

static void write_file(Reader *r, uint16_t file, Buf *out);

// Replaces an #include line of a translated file by the file. Adds a place for hidden declarations
// after one that includes headers of the library.
static void
add_include(Reader *r, const SourceText *s, const Directive *d, Parts *parts) {
  for (size_t i = 0; i < r->u->nfiles; i++) {
    FileState *f = &r->files[i];
    bool here = f->origin.line == d->line && f->origin.parent == s->file;
    if (!here)
      continue;
    bool replaced = f->dialect && !f->written;
    Part *p = add_part(parts, replaced ? d->from : d->to, d->to);
    if (replaced) {
      buf_puts(&p->text, "// ");
      buf_add(&p->text, s->text + d->from, d->to - d->from);
      buf_puts(&p->text, ", translated:\n");
      write_file(r, (uint16_t)i, &p->text);
      trim(&p->text);
      buf_printf(&p->text, "\n// End of %s.", r->u->files[i].name);
    } else {
      buf_printf(&p->text, "%c%u %u%c", HOLE, s->file, d->line, HOLE_END);
    }
  }
}

static void add_directives(Reader *r, const SourceText *s, Parts *parts) {
  for (size_t i = 0; i < s->ndirectives; i++) {
    const Directive *d = &s->directives[i];
    bool ours = strcmp(d->word, "pragma") == 0 &&
                uses_dialect(s->text + d->from, d->to - d->from);
    if (ours)
      add_part(parts, d->from, d->to);
    else if (strncmp(d->word, "include", 7) == 0)
      add_include(r, s, d, parts);
  }
}

static void write_parts(const SourceText *s, Parts *parts, Buf *out) {
  uint32_t done = 0;
  qsort(parts->at, parts->len, sizeof *parts->at, by_place);
  for (size_t i = 0; i < parts->len; i++) {
    Part *p = &parts->at[i];
    if (p->from >= done) { // else it is inside a part that is written
      buf_add(out, s->text + done, p->from - done);
      if (p->text.data)
        buf_puts(out, p->text.data);
      done = p->to;
    }
    buf_free(&p->text);
  }
  buf_add(out, s->text + done, s->len - done);
  free(parts->at);
}

static void write_file(Reader *r, uint16_t file, Buf *out) {
  SourceText s;
  Parts parts = { 0 };
  r->files[file].written = true;
  if (!source_open(&s, r->u, file))
    return;
  add_directives(r, &s, &parts);
  add_items(r, &s, &parts);
  if (parts.len)
    write_parts(&s, &parts, out);
  else
    buf_add(out, s.text, s.len);
  source_close(&s);
}

// ---- hidden declarations that are used ----
// The declaration declares a name that the text mentions.
static bool declares_used(Reader *r, const Item *it, const Buf *text) {
  Unit *u = r->u;
  for (TokIndex t = it->range.from; t < it->range.to; t++) {
    const Ident *id = tok_at(u, t)->id;
    if (!id)
      continue;
    bool declared =
        (id->sym && id->sym->tok == t) || (id->tag && id->tag->tok == t);
    for (const Decl *d = it->decl ? it->decl->decl : NULL; d; d = d->next)
      declared |= d->tok == t;
    if (declared &&
        (mentions(text->data, text->len, id->name) ||
         (r->used.len && mentions(r->used.data, r->used.len, id->name))))
      return true;
  }
  return false;
}

// Returns the #include line after which the declaration is written: the nearest one in the output.
static Origin line_for(const Reader *r, const Item *it) {
  uint16_t file = tok_at(r->u, it->range.from)->file;
  Origin o = r->files[file].origin;
  while (o.line && !r->files[o.parent].written)
    o = r->files[o.parent].origin;
  return o;
}

typedef struct Hidden {
  Origin at;
  uint16_t file;
  const char *text;
} Hidden;

// Finds the hidden declarations that are used, from the last to the first: a declaration may use
// those before it.
static void find_used(Reader *r, const Buf *text, Vec *found) {
  Vec items = { 0 };
  for (Item *it = r->u->items; it; it = it->next)
    if (is_hidden(r, it))
      vec_push(&items, it);
  for (size_t i = items.len; i-- > 0;) {
    Item *it = items.at[i];
    Buf one = { 0 };
    if (!declares_used(r, it, text))
      continue;
    write_item(r->u, it, NULL, &one);
    Hidden *h = NEW(&r->u->arena, Hidden);
    *h = (Hidden){ line_for(r, it),
                   tok_at(r->u, it->range.from)->file,
                   arena_text(&r->u->arena, one.data, one.len) };
    vec_push(found, h);
    buf_puts(&r->used, one.data);
    buf_free(&one);
  }
  vec_free(&items);
}

static const char *header_name(const char *path) {
  const char *dir = strstr(path, "/fermata/");
  for (const char *next; dir && (next = strstr(dir + 1, "/fermata/"));)
    dir = next;
  return dir ? dir + 1 : "fermata.h";
}

static void
write_hidden(const Reader *r, const Vec *found, Origin at, Buf *out) {
  int last = -1;
  for (size_t i = found->len; i-- > 0;) {
    const Hidden *h = found->at[i];
    if (h->at.line != at.line || (at.line && h->at.parent != at.parent))
      continue;
    if (h->file != last)
      buf_printf(out,
                 "\n// of <%s>, as this file uses it:",
                 header_name(r->u->files[h->file].name));
    last = h->file;
    buf_printf(out, "\n%s", h->text);
  }
}

static void
fill_holes(const Reader *r, const Buf *text, const Vec *found, Buf *out) {
  const char *s = text->data;
  const char *end = s + text->len;
  for (const char *hole; (hole = memchr(s, HOLE, (size_t)(end - s)));) {
    char *after;
    buf_add(out, s, (size_t)(hole - s));
    uint16_t parent = (uint16_t)strtoul(hole + 1, &after, 10);
    uint32_t line = (uint32_t)strtoul(after, &after, 10);
    bool again = after[1] == HOLE; // one #include line brings several files
    if (!again)
      write_hidden(r, found, (Origin){ parent, line }, out);
    s = after + 1;
  }
  buf_add(out, s, (size_t)(end - s));
}

// ---- if the file cannot be used: everything from the preprocessed text ----
static bool is_own(const Reader *r, const Item *it) {
  const Token *t = tok_at(r->u, it->range.from);
  return !(t->flags & TF_SYSTEM) && !r->files[t->file].library;
}

static void write_without_file(Reader *r, Buf *out) {
  for (size_t i = 0; i < r->u->nfiles; i++) {
    const FileState *f = &r->files[i];
    const char *name = r->u->files[i].name;
    if (f->origin.line && f->origin.parent == r->main && *name == '/')
      buf_printf(out,
                 f->library ? "#include <%s>\n" : "#include \"%s\"\n",
                 f->library ? header_name(name) : name);
  }
  buf_printf(out, "%c0 0%c\n", HOLE, HOLE_END);
  for (Item *it = r->u->items; it; it = it->next)
    if (is_own(r, it))
      write_item(r->u, it, NULL, out);
  buf_putc(out, '\n');
}

// Each translated declaration has its place in a file that can be read, in the order of the text.
static bool has_files(Reader *r) {
  uint32_t *lines = xmalloc((r->u->nfiles + 1) * sizeof *lines);
  size_t n;
  bool ok = source_line(r->u, r->main, 1, &n);
  memset(lines, 0, (r->u->nfiles + 1) * sizeof *lines);
  for (const Item *it = r->u->items; it && ok; it = it->next) {
    const Token *t = tok_at(r->u, it->range.from);
    const FileState *f = &r->files[t->file];
    if (f->library || !(is_translated(it) || is_edited(r->u, it)))
      continue;
    ok = f->known && t->line >= lines[t->file] &&
         tok_at(r->u, end_of(it) - 1)->file == t->file &&
         source_line(r->u, t->file, t->line, &n);
    lines[t->file] = t->line;
  }
  free(lines);
  return ok;
}

// ---- the whole ----
void emit_readable(Unit *u, Buf *out) {
  Reader r = { .u = u };
  Buf text = { 0 };
  Vec found = { 0 };
  r.files = arena_alloc(&u->arena, (u->nfiles + 1) * sizeof *r.files);
  buf_add(&text, "", 0);
  find_origins(&r);
  find_library(&r);
  find_dialect(&r);
  if (has_files(&r))
    write_file(&r, r.main, &text);
  else
    write_without_file(&r, &text);
  find_used(&r, &text, &found);
  write_legend(u->files[r.main].name, &text, out);
  write_hidden(&r, &found, (Origin){ 0, 0 }, out);
  fill_holes(&r, &text, &found, out);
  for (size_t i = 0; i < u->nfiles; i++)
    free(r.files[i].hidden);
  buf_free(&text);
  buf_free(&r.used);
  vec_free(&found);
}
