// asyncify.c: makes every function of a preprocessed C unit async, for the tests in test/long/all-async.sh.
//
//   asyncify scan FILE.i...       prints what decides about each function, a line each:
//                                   defines NAME       a function that the program itself defines
//                                   keeps NAME WHY     one that cannot be async: its address is taken, it has `...`, …
//                                   points NAME        a pointer to a function, or a typedef of a function or such a pointer
//   asyncify edit NAMES FILE.i    prints FILE.i with `async` before each declaration of a function or pointer that NAMES
//                                 calls async, and `atomic` before the definition of a function that it calls atomic
//
// NAMES has lines `async NAME`, `atomic NAME` and `pointer NAME`. Several units of one program are scanned together, since they have to
// agree: the script takes what is defined and not kept as async, and what is defined and kept as atomic, so that
// it remains a plain function to everyone who holds its address, and yet may call async ones.
//
// The unit is read as tokens; no types are needed. A name that is used other than in a call counts as taken, also where it
// is really a local variable of that name: such a function is tested a little less, but never wrongly.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { T_END, T_NAME, T_OTHER } Kind;

typedef struct {
  Kind kind;
  bool ours;                                      // stands in a file of the program, not in a system header
  size_t begin, end;                              // in the text
} Token;

typedef struct {
  char *text;
  Token *token;
  size_t count, room;
} Unit;

// ---- reading ----
static void fail(const char *what, const char *name) {
  fprintf(stderr, "asyncify: %s %s\n", what, name);
  exit(2);
}

static char *read_file(const char *name) {
  FILE *in = fopen(name, "rb");
  size_t room = 1 << 16, n = 0, got;
  char *text = malloc(room + 1);
  if (!in || !text) fail("cannot read", name);
  while ((got = fread(text + n, 1, room - n, in)) > 0) {
    n += got;
    if (n < room) continue;
    room *= 2;
    text = realloc(text, room + 1);
    if (!text) fail("no memory for", name);
  }
  fclose(in);
  text[n] = 0;
  return text;
}

static void add(Unit *u, Kind kind, bool ours, size_t begin, size_t end) {
  if (u->count == u->room) {
    u->room = u->room ? 2 * u->room : 4096;
    u->token = realloc(u->token, u->room * sizeof *u->token);
    if (!u->token) fail("no memory for", "tokens");
  }
  u->token[u->count++] = (Token){ kind, ours, begin, end };
}

static bool name_char(int c) { return isalnum(c) || c == '_' || c == '$'; }

// A line marker `# 12 "file" flags`: flag 3 is for system headers. Pragmas and the like change nothing.
static bool marker_ours(const char *line, bool before) {
  const char *quote, *end = strchr(line, '\n');
  while (*line == '#' || *line == ' ') line++;
  if (!isdigit((unsigned char)*line) || !(quote = strchr(line, '"'))) return before;
  if (end && quote > end) return before;
  if (quote[1] == '<') return false;
  for (quote++; *quote && *quote != '"'; quote++) {
    if (*quote == '\\' && quote[1]) quote++;
  }
  for (; *quote && *quote != '\n'; quote++) {
    if (*quote == '3') return false;
  }
  return true;
}

static size_t skip_literal(const char *text, size_t i) {
  char quote = text[i++];
  while (text[i] && text[i] != quote && text[i] != '\n') i += text[i] == '\\' && text[i + 1] ? 2 : 1;
  return text[i] == quote ? i + 1 : i;
}

static size_t skip_line(const char *text, size_t i) {
  while (text[i] && text[i] != '\n') i++;
  return i;
}

static size_t skip_number(const char *text, size_t i) {
  while (name_char((unsigned char)text[i]) || text[i] == '.' ||
         ((text[i] == '+' || text[i] == '-') && strchr("eEpP", text[i - 1]))) {
    i++;
  }
  return i;
}

static Unit read_unit(const char *name) {
  Unit u = { .text = read_file(name) };
  const char *text = u.text;
  bool ours = true, fresh = true;                 // fresh: nothing but blanks on this line yet
  for (size_t i = 0; text[i];) {
    size_t begin = i;
    if (text[i] == '\n' || isspace((unsigned char)text[i])) {
      fresh |= text[i++] == '\n';
      continue;
    }
    if (text[i] == '#' && fresh) {
      ours = marker_ours(text + i, ours);
      i = skip_line(text, i);
      continue;
    }
    fresh = false;
    if (isdigit((unsigned char)text[i])) i = skip_number(text, i);
    else if (name_char((unsigned char)text[i])) while (name_char((unsigned char)text[i])) i++;
    else if (text[i] == '"' || text[i] == '\'') i = skip_literal(text, i);
    else i++;
    bool named = name_char((unsigned char)text[begin]) && !isdigit((unsigned char)text[begin]);
    add(&u, named ? T_NAME : T_OTHER, ours, begin, i);
  }
  add(&u, T_END, ours, strlen(text), strlen(text));
  return u;
}

// ---- tokens ----
static bool is(const Unit *u, size_t i, const char *word) {
  const Token *t = &u->token[i];
  return t->end - t->begin == strlen(word) && !memcmp(u->text + t->begin, word, t->end - t->begin);
}

static bool is_one_of(const Unit *u, size_t i, const char *const *words) {
  for (; *words; words++) {
    if (is(u, i, *words)) return true;
  }
  return false;
}

static bool at_end(const Unit *u, size_t i) { return u->token[i].kind == T_END; }

static bool opens(const Unit *u, size_t i) { return is(u, i, "(") || is(u, i, "[") || is(u, i, "{"); }
static bool closes(const Unit *u, size_t i) { return is(u, i, ")") || is(u, i, "]") || is(u, i, "}"); }

// The index behind the bracket that closes the one at i.
static size_t skip_group(const Unit *u, size_t i) {
  int depth = 0;
  for (; !at_end(u, i); i++) {
    if (opens(u, i)) depth++;
    else if (closes(u, i) && --depth == 0) return i + 1;
  }
  return i;
}

static const char *const with_group[] = { "__attribute__", "__attribute", "__asm__", "asm", "__asm", "__typeof__", "typeof", "__typeof",
  "_Alignas", "_Atomic", "_Static_assert", "__declspec", NULL };
static const char *const tagged[] = { "struct", "union", "enum", NULL };
static const char *const basic_types[] = { "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
  "_Bool", "const", "volatile", NULL };
static const char *const no_calls[] = { "if", "while", "for", "switch", "return", "sizeof", "case", "do", "else", "goto",
  "_Alignof", "__alignof__", "_Generic", NULL };

// ---- external declarations ----
typedef struct {
  size_t first, end;                              // its tokens; end: behind `;` or `}`
  size_t name;                                    // of the function; 0: it declares none
  size_t body;                                    // the `{`; 0: none
  size_t type;                                    // the name of a typedef of a function type; 0: it is none
  bool variadic, old_style, extraordinary;        // extraordinary: constructor, alias and the like
} Decl;

static const char *const extraordinary[] = { "constructor", "__constructor__", "destructor", "__destructor__", "naked", "alias",
  "__alias__", "ifunc", "__ifunc__", "weakref", "always_inline", "__always_inline__", "gnu_inline", "__gnu_inline__", "__asm__", "asm", "__asm", NULL };

static size_t skip_tagged(const Unit *u, size_t i) {
  i++;
  while (is_one_of(u, i, with_group)) i = skip_group(u, i + 1);
  if (u->token[i].kind == T_NAME) i++;
  return is(u, i, "{") ? skip_group(u, i) : i;
}

static void look_at_parameters(const Unit *u, Decl *d) {
  size_t after = skip_group(u, d->name + 1);
  for (size_t i = d->name + 2; i + 2 < after; i++) {
    d->variadic |= is(u, i, ".") && is(u, i + 1, ".") && is(u, i + 2, ".");
  }
}

// Skips one attribute, asm label or the like at i, and notes an extraordinary one.
static size_t skip_extra(const Unit *u, size_t i, Decl *d) {
  size_t after = is(u, i + 1, "(") ? skip_group(u, i + 1) : i + 1;
  for (size_t k = i; k < after; k++) d->extraordinary |= is_one_of(u, k, extraordinary);
  return after;
}

// `int (f)(void)`, `type (*f(void))(int)`: what stands before the parenthesis is no declarator.
static bool is_type_before(const Unit *u, size_t i) { return is(u, i + 2, "*") || is_one_of(u, i, basic_types); }

// The declarator's name is the first one before a parenthesis that is not an attribute or the like.
static size_t find_name(const Unit *u, size_t i, Decl *d) {
  for (; !at_end(u, i) && !is(u, i, ";") && !is(u, i, "=") && !is(u, i, "{") && !is(u, i, ","); i++) {
    d->extraordinary |= is_one_of(u, i, extraordinary);
    if (is(u, i, "__extension__")) continue;
    if (is_one_of(u, i, with_group)) i = skip_extra(u, i, d) - 1;
    else if (is_one_of(u, i, tagged)) i = skip_tagged(u, i) - 1;
    else if (u->token[i].kind == T_NAME && is(u, i + 1, "(") && !is_type_before(u, i)) return i;
  }
  return 0;
}

// `int f(a) int a; {`: a name after the parameter list begins the declarations of an old-style definition.
static size_t skip_old_style(const Unit *u, size_t i, Decl *d) {
  while (is_one_of(u, i, with_group)) i = skip_extra(u, i, d);
  if (!d->name || u->token[i].kind != T_NAME) return i;
  d->old_style = true;
  while (!at_end(u, i) && !is(u, i, "{")) i = is_one_of(u, i, tagged) ? skip_tagged(u, i) : i + 1;
  return i;
}

// From after the declarator to the end: a body, or `;`.
static size_t find_end(const Unit *u, size_t i, Decl *d) {
  bool value = false;                             // an initialiser has begun
  i = skip_old_style(u, i, d);
  while (!at_end(u, i) && !is(u, i, ";")) {
    if (is_one_of(u, i, with_group)) i = skip_extra(u, i, d);
    else if (is(u, i, "{") && d->name) return (d->body = i, skip_group(u, i));
    else if (is(u, i, "{") && !value) return skip_group(u, i); // a body, of `int (f)(void)`: left alone
    else if (is_one_of(u, i, tagged)) i = skip_tagged(u, i);
    else if (opens(u, i)) i = skip_group(u, i);
    else {
      if (is(u, i, "=")) {
        d->name = 0;
        value = true;
      }
      i++;
    }
  }
  return at_end(u, i) ? i : i + 1;
}

static Decl next_decl(const Unit *u, size_t first) {
  Decl d = { .first = first };
  size_t after = first;
  if (is(u, first, ";")) return (d.end = first + 1, d);
  d.name = find_name(u, first, &d);
  if (d.name) {
    look_at_parameters(u, &d);
    after = skip_group(u, d.name + 1);
    d.extraordinary |= is(u, after, ")");         // `int (*f(int x))(void)`: `async` would belong to what it returns
  }
  d.end = find_end(u, after, &d);
  if (is(u, first, "typedef") || (is(u, first, "__extension__") && is(u, first + 1, "typedef"))) {
    d.type = d.name;
    d.name = 0;
  }
  return d;
}

// ---- pointers to functions ----
// `(*NAME)(` or `(*NAME[3])(`: the index of NAME, where i is at the first parenthesis; 0: none.
static size_t pointer_name(const Unit *u, size_t i) {
  size_t name = i + 2;
  if (!is(u, i, "(") || !is(u, i + 1, "*")) return 0;
  while (is(u, name, "const") || is(u, name, "*")) name++;
  if (u->token[name].kind != T_NAME) return 0;
  size_t after = is(u, name + 1, "[") ? skip_group(u, name + 1) : name + 1;
  return is(u, after, ")") && is(u, after + 1, "(") ? name : 0;
}

// `return (*f)(x);` and `a = (*f)(x)` have the same tokens: a declaration has its type before it.
static bool is_declared(const Unit *u, size_t i) {
  return i && (u->token[i - 1].kind == T_NAME ? !is_one_of(u, i - 1, no_calls) : is(u, i - 1, "*") || is(u, i - 1, "}"));
}

static const char *const separators[] = { ";", "{", "}", ",", "(", NULL };

// The first token of the declaration whose declarator begins at i.
static size_t begin_of(const Unit *u, size_t i) {
  while (i && !is_one_of(u, i - 1, separators)) i--;
  return i;
}

// ---- scan ----
static void print_name(const Unit *u, const char *what, size_t i, const char *why) {
  const Token *t = &u->token[i];
  printf("%s %.*s%s%s\n", what, (int)(t->end - t->begin), u->text + t->begin, *why ? " " : "", why);
}

static bool is_member(const Unit *u, size_t i) {
  return i && (is(u, i - 1, ".") || (is(u, i - 1, ">") && i > 1 && is(u, i - 2, "-")));
}

static const char *const jumps[] = { "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp",
  "__builtin_setjmp", "__builtin_longjmp", NULL };
static const char *const lists[] = { "va_list", "__builtin_va_list", "__gnuc_va_list", NULL };
static const char *const allocas[] = { "alloca", "__builtin_alloca", "__builtin_alloca_with_align", NULL };

// `a && b` has an operand before it, `&&label` has not.
static bool is_operand_before(const Unit *u, size_t i) {
  if (!i) return false;
  if (u->token[i - 1].kind == T_NAME) return !is(u, i - 1, "return");
  return is(u, i - 1, ")") || is(u, i - 1, "]") || is(u, i - 1, "}") || strchr("0123456789\"'", u->text[u->token[i - 1].begin]);
}

// A name before a parenthesis in a body may also be a declaration in it: the name before that tells.
static bool declared_here(const Unit *u, size_t i) {
  if (!i) return false;
  if (u->token[i - 1].kind == T_NAME) return !is_one_of(u, i - 1, no_calls);
  return is(u, i - 1, "*") && i > 1 && u->token[i - 2].kind == T_NAME && is(u, skip_group(u, i + 1), ";") &&
         !is_one_of(u, i - 2, no_calls) && (is(u, i - 3, ";") || is(u, i - 3, "{") || is(u, i - 3, "}") || is(u, i - 3, "extern"));
}

static void scan_uses(const Unit *u, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    if (u->token[i].kind != T_NAME || is_member(u, i)) continue;
    if (!is(u, i + 1, "(")) print_name(u, "keeps", i, "taken");
    else if (declared_here(u, i)) print_name(u, "keeps", i, "declared-in-a-block");
  }
}

// What a body does that cannot go on across a pause, as docs/limits.md has it; NULL: nothing.
static const char *cannot_pause(const Unit *u, const Decl *d) {
  for (size_t i = d->name; i < d->end; i++) {
    if (is_one_of(u, i, lists)) return "va_list";
    if (is_one_of(u, i, jumps)) return "setjmp";
    if (is_one_of(u, i, allocas)) return "alloca";
    if (is(u, i, "&") && is(u, i + 1, "&") && !is_operand_before(u, i)) return "label-address";
  }
  return NULL;
}

static void scan_decl(const Unit *u, const Decl *d) {
  const char *why = d->body ? cannot_pause(u, d) : NULL;
  if (d->name && u->token[d->name].ours && d->body) {
    print_name(u, "defines", d->name, "");
    if (why) print_name(u, "keeps", d->name, why);
    if (d->variadic) print_name(u, "keeps", d->name, "variadic");
    if (d->old_style) print_name(u, "keeps", d->name, "old-style");
  }
  if (d->name && d->extraordinary) print_name(u, "keeps", d->name, "attribute");
  if (d->name && d->body && !u->token[d->name].ours) print_name(u, "keeps", d->name, "of-a-header");
  scan_uses(u, d->name ? d->name + 1 : d->first, d->end);
  if (d->type && u->token[d->type].ours) print_name(u, "points", d->type, "");
  for (size_t i = d->first; i < d->end && u->token[d->first].ours; i++) {
    size_t name = pointer_name(u, i);
    if (name && is_declared(u, i)) print_name(u, "points", name, "");
  }
}

static void scan(const char *name) {
  Unit u = read_unit(name);
  for (size_t i = 0; !at_end(&u, i);) {
    Decl d = next_decl(&u, i);
    scan_decl(&u, &d);
    i = d.end > i ? d.end : i + 1;
  }
  free(u.text);
  free(u.token);
}

// ---- edit ----
typedef struct {
  char **line;                                    // "async NAME", sorted
  size_t count;
} Names;

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static Names read_names(const char *file) {
  Names n = { 0 };
  size_t room = 0;
  for (char *line = strtok(read_file(file), "\n"); line; line = strtok(NULL, "\n")) {
    if (n.count == room) n.line = realloc(n.line, (room = room ? 2 * room : 256) * sizeof *n.line);
    if (!n.line) fail("no memory for", file);
    n.line[n.count++] = line;
  }
  if (n.count) qsort(n.line, n.count, sizeof *n.line, by_text);
  return n;
}

static bool called(const Names *names, const char *word, const Unit *u, size_t i) {
  char text[512], *key = text;
  int n = snprintf(text, sizeof text, "%s %.*s", word, (int)(u->token[i].end - u->token[i].begin), u->text + u->token[i].begin);
  if (n < 0 || (size_t)n >= sizeof text || !names->count) return false;
  return bsearch(&key, names->line, names->count, sizeof *names->line, by_text) != NULL;
}

typedef struct {
  size_t at;                                      // the place in the text
  const char *word;
} Edit;

typedef struct {
  Edit *edit;
  size_t count, room;
} Edits;

static void insert(Edits *e, const Unit *u, size_t token, const char *word) {
  if (e->count == e->room) e->edit = realloc(e->edit, (e->room = e->room ? 2 * e->room : 256) * sizeof *e->edit);
  if (!e->edit) fail("no memory for", "edits");
  e->edit[e->count++] = (Edit){ u->token[token].begin, word };
}

static void edit_decl(Edits *e, const Names *names, const Unit *u, const Decl *d) {
  if (d->name && called(names, "async", u, d->name)) insert(e, u, d->first, "__fm_async ");
  else if (d->name && d->body && called(names, "atomic", u, d->name)) insert(e, u, d->first, "__fm_atomic ");
  if (d->type && called(names, "pointer", u, d->type)) insert(e, u, d->first, "__fm_async ");
  for (size_t i = d->first; i < d->end; i++) {
    size_t name = pointer_name(u, i);
    if (name && is_declared(u, i) && called(names, "pointer", u, name)) insert(e, u, begin_of(u, i), "__fm_async ");
  }
}

static int by_place(const void *a, const void *b) {
  size_t x = ((const Edit *)a)->at, y = ((const Edit *)b)->at;
  return (x > y) - (x < y);
}

static void edit(const char *names_file, const char *name) {
  Names names = read_names(names_file);
  Unit u = read_unit(name);
  Edits e = { 0 };
  size_t done = 0;
  for (size_t i = 0; !at_end(&u, i);) {
    Decl d = next_decl(&u, i);
    edit_decl(&e, &names, &u, &d);
    i = d.end > i ? d.end : i + 1;
  }
  if (e.count) qsort(e.edit, e.count, sizeof *e.edit, by_place);
  for (size_t i = 0; i < e.count; i++) {
    fwrite(u.text + done, 1, e.edit[i].at - done, stdout);
    fputs(e.edit[i].word, stdout);
    done = e.edit[i].at;
  }
  fputs(u.text + done, stdout);
}

int main(int argc, char **argv) {
  if (argc >= 3 && !strcmp(argv[1], "scan")) {
    for (int i = 2; i < argc; i++) scan(argv[i]);
  } else if (argc == 4 && !strcmp(argv[1], "edit")) edit(argv[2], argv[3]);
  else {
    fprintf(stderr, "asyncify scan FILE.i... | asyncify edit NAMES FILE.i\n");
    return 2;
  }
  return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
