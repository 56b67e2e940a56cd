// hints.c: advice that an error message adds if the user probably meant something else: a header is
// missing, `struct` was left out, a name is misspelt, a function of the library got an object of
// another kind.
#include "fmcc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

// ---- a name of the library: which of its headers declares it ----
static bool in_comment(const char *text, const char *at) {
  const char *line = at;
  while (line > text && line[-1] != '\n')
    line--;
  const char *comment = strstr(line, "//");
  return comment && comment < at;
}

// Whether the name is that of a typedef: `} name;`, `typedef … name;`.
static bool ends_typedef(const char *text, const char *at, size_t n) {
  const char *line = at;
  while (line > text && line[-1] != '\n')
    line--;
  return at[n] == ';' && (*line == '}' || strncmp(line, "typedef ", 8) == 0);
}

// Whether the header declares the name: as a function or macro (a parenthesis follows), or as a
// type.
static bool declares(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *s = text; (s = strstr(s, name)); s += n)
    if ((s == text || !(isalnum((unsigned char)s[-1]) || s[-1] == '_')) &&
        (s[n] == '(' || ends_typedef(text, s, n)) && !in_comment(text, s))
      return true;
  return false;
}

// what is looked for in the text of a header; NULL: it is not there
typedef const char *Search(Unit *u, const char *text, const char *name);

static const char *search_file(Unit *u,
                               const char *dir,
                               const char *file,
                               const char *name,
                               Search *search) {
  Buf text = { 0 };
  char *path = xasprintf("%s/%s", dir, file);
  const char *found = NULL;
  if (buf_read_file(&text, path) && text.data)
    found = search(u, text.data, name);
  free(path);
  buf_free(&text);
  return found;
}

// *file: the header in which it was found
static const char *search_headers(Unit *u,
                                  const char *dir,
                                  const char *name,
                                  Search *search,
                                  const char **file) {
  DIR *d = opendir(dir);
  if (!d && errno == ENOMEM)
    out_of_memory();
  const char *found = NULL;
  for (struct dirent *e; d && !found && (e = readdir(d));) {
    if (strstr(e->d_name, ".h"))
      found = search_file(u, dir, e->d_name, name, search);
    if (found)
      *file = arena_text(&u->arena, e->d_name, strlen(e->d_name));
  }
  if (d)
    closedir(d);
  return found;
}

// The directory of the headers of the library that this unit uses: beside its fermata.h. NULL: it
// has none.
static char *library_dir(Unit *u) {
  static const char own[] = "/fermata.h";
  for (size_t i = 0; i < u->nfiles; i++) {
    const char *file = u->files[i].name;
    size_t n = strlen(file);
    if (n >= sizeof own && strcmp(file + n - (sizeof own - 1), own) == 0)
      return xasprintf("%.*s/fermata", (int)(n - (sizeof own - 1)), file);
  }
  return NULL;
}

static bool is_library_name(const char *name) {
  return strncmp(name, "fm_", 3) == 0;
}

static const char *
search_library(Unit *u, const char *name, Search *search, const char **file) {
  char *dir = is_library_name(name) ? library_dir(u) : NULL;
  if (!dir)
    return NULL;
  const char *found = search_headers(u, dir, name, search, file);
  if (!found)
    found = search_file(u, dir, "../fermata.h", name, search);
  free(dir);
  return found;
}

static const char *if_declares(Unit *u, const char *text, const char *name) {
  (void)u;
  return declares(text, name) ? "" : NULL;
}

// "time.h" for fm_sleep; NULL: none.
static const char *header_of(Unit *u, const char *name) {
  const char *file = NULL;
  search_library(u, name, if_declares, &file);
  return file;
}

// ---- a function of the library that is a macro: how it is to be called ----
static const char *after_comment(const char *line) {
  return strncmp(line, "//: ", 4) == 0 ? line + 4 : NULL;
}

// `//: async T fm_recv(fm_chan(T) *c)`, perhaps with more such lines, which are indented
static const char *if_signature(Unit *u, const char *text, const char *name) {
  char *call = xasprintf("%s(", name);
  const char *found = NULL;
  for (const char *s = text; !found && (s = strstr(s, "//: ")); s += 4) {
    const char *end = strchr(s, '\n');
    const char *at = strstr(s, call);
    bool here = end && at && at < end && (at[-1] == ' ' || at[-1] == '*');
    if (!here || s[4] == ' ')
      continue;
    found = arena_text(&u->arena, s + 4, (size_t)(end - s - 4));
    while ((s = after_comment(end + 1)) && *s == ' ') {
      end = strchr(s, '\n');
      while (*s == ' ')
        s++;
      found = arena_printf(&u->arena, "%s %.*s", found, (int)(end - s), s);
    }
    break;
  }
  free(call);
  return found;
}

static const char *library_signature(Unit *u, TokIndex t, const char **name) {
  const char *file;
  *name = library_call_at(u, t);
  return *name ? search_library(u, *name, if_signature, &file) : NULL;
}

void fail_argument(Unit *u, TokIndex t, TokIndex inside, const char *what) {
  const char *name;
  const char *how = library_signature(u, inside, &name);
  if (how)
    fail_at(u, t, "%s `%s`: its declaration is `%s`", what, name, how);
}

// ---- a name that is spelled almost so ----
enum { LONGEST = 40 };

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

// How many letters have to be added, removed, replaced or exchanged with their neighbour.
static unsigned distance(const char *a, size_t n, const char *b, size_t m) {
  unsigned d[LONGEST + 1][LONGEST + 1];
  for (size_t i = 0; i <= n; i++) {
    for (size_t j = 0; j <= m; j++) {
      if (!i || !j) {
        d[i][j] = (unsigned)(i + j);
        continue;
      }
      bool same = a[i - 1] == b[j - 1];
      d[i][j] =
          least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + !same);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[n][m];
}

typedef enum {
  ANY_NAME,
  TYPE_NAME,
} Wanted;

// Keywords of C and of the dialect, and names that are declared here; no internal names.
static bool could_be_meant(const Ident *id, Wanted wanted) {
  if (strncmp(id->name, "__", 2) == 0 || is_ours(id))
    return false;
  if (id->keyword || (id->word && id->word < W_THUNK && !id->sym))
    return true;
  return id->sym && id->sym->kind != S_BUILTIN &&
         (wanted == ANY_NAME || id->sym->kind == S_TYPEDEF);
}

// The name that is nearest to this one; of several, the first by the alphabet. NULL: none is near.
static const Ident *meant(Unit *u, const char *name, Wanted wanted) {
  size_t n = strlen(name);
  const Ident *best = NULL;
  unsigned limit = n < 3 ? 0 : n < 8 ? 1 : 2;
  for (size_t i = 0; i < u->idents.cap && n <= LONGEST; i++) {
    const Ident *id = u->idents.at[i];
    if (!id || id->len > LONGEST || id->len + limit < n ||
        n + limit < id->len || !could_be_meant(id, wanted))
      continue;
    unsigned d = distance(name, n, id->name, id->len);
    if (!d || d > limit ||
        (d == limit && best && strcmp(best->name, id->name) <= 0))
      continue;
    best = id;
    limit = d;
  }
  return best;
}

// ---- a name of the library that is spelled almost so, in a header that is not included ----
typedef struct Near {
  const char *name, *header; // NULL: none is near
  unsigned limit;            // how far the next one may be
} Near;

static void consider(Unit *u,
                     Near *near,
                     const char *wanted,
                     const char *text,
                     const char *at,
                     size_t n) {
  size_t m = strlen(wanted);
  if (strncmp(at, "fm__", 4) == 0 || n > LONGEST || n + near->limit < m ||
      m + near->limit < n)
    return;
  unsigned d = distance(wanted, m, at, n);
  if (!d || d > near->limit || (d == near->limit && near->name))
    return;
  const char *name = arena_text(&u->arena, at, n);
  if (!declares(text, name))
    return;
  near->name = name;
  near->limit = d;
}

static size_t name_length(const char *s) {
  size_t n = 0;
  while (isalnum((unsigned char)s[n]) || s[n] == '_')
    n++;
  return n;
}

static void near_in_text(Unit *u, Near *near, const char *want, const char *s) {
  size_t n;
  for (const char *at = s; (at = strstr(at, "fm_")); at += n) {
    n = name_length(at);
    if (at == s || !name_length(at - 1)) // no name ends right before it
      consider(u, near, want, s, at, n);
  }
}

static int is_header(const struct dirent *e) {
  return strstr(e->d_name, ".h") != NULL;
}

static Near near_in_library(Unit *u, const char *name) {
  size_t n = strlen(name);
  Near near = { .limit = n < 8 ? 1 : 2 };
  struct dirent **files = NULL;
  char *dir = is_library_name(name) && n <= LONGEST ? library_dir(u) : NULL;
  int count = dir ? scandir(dir, &files, is_header, alphasort) : 0;
  if (count < 0 && errno == ENOMEM)
    out_of_memory();
  for (int i = 0; i < count; i++) {
    Buf text = { 0 };
    char *path = xasprintf("%s/%s", dir, files[i]->d_name);
    const char *before = near.name;
    if (buf_read_file(&text, path) && text.data)
      near_in_text(u, &near, name, text.data);
    if (near.name != before)
      near.header =
          arena_text(&u->arena, files[i]->d_name, strlen(files[i]->d_name));
    free(path);
    buf_free(&text);
    free(files[i]);
  }
  free(files);
  free(dir);
  return near;
}

static bool error_near_library(Unit *u, TokIndex t, const char *name) {
  Near near = near_in_library(u, name);
  if (!near.name)
    return false;
  error_at(u,
           t,
           "`%s` is not declared; did you mean `%s`, of <fermata/%s>?",
           name,
           near.name,
           near.header);
  return true;
}

void error_undeclared(Unit *u, TokIndex t, const char *name) {
  const char *header = header_of(u, name);
  const Ident *near = header ? NULL : meant(u, name, ANY_NAME);
  if (header)
    error_at(u, t, "`%s` is not declared: include <fermata/%s>", name, header);
  else if (near && !near->sym) // what follows is no expression
    fail_at(u, t, "`%s` is not declared; did you mean `%s`?", name, near->name);
  else if (near)
    error_at(
        u, t, "`%s` is not declared; did you mean `%s`?", name, near->name);
  else if (!error_near_library(u, t, name))
    error_at(u, t, "`%s` is not declared", name);
}

// ---- `spawn nwo f(x)` ----
// What stands after `spawn` is a name that means nothing, and a call follows it.
static bool is_lost_word(Unit *u, TokIndex t) {
  if (kind_at(u, t) != T_IDENT || tok_at(u, t)->id->sym || word_at(u, t))
    return false;
  TokIndex after =
      kind_at(u, t + 1) == P_LPAREN ? skip_balanced(u, t + 1) : t + 1;
  return kind_at(u, after) == T_IDENT;
}

void refuse_spawn_word(Unit *u, TokIndex t) {
  static const char *const words[] = {
    "now", "detached", "contained", "in", "on"
  };
  if (!is_lost_word(u, t))
    return;
  const char *name = tok_at(u, t)->id->name;
  size_t n = strlen(name);
  for (size_t i = 0; i < COUNT(words) && n <= LONGEST; i++)
    if (distance(name, n, words[i], strlen(words[i])) <= (n < 6 ? 1 : 2))
      fail_at(u,
              t,
              "`spawn` does not know the word `%s`; did you mean `%s`?",
              name,
              words[i]);
  fail_at(u,
          t,
          "`spawn` does not know the word `%s`: it takes now, detached, "
          "contained, in(…) and on(…)",
          name);
}

// ---- `task t`, where `task(int) t` was meant ----
void refuse_bare_type(Unit *u, TokIndex t) {
  DialectWord w = word_at(u, t);
  TokenKind after = kind_at(u, t + 2);
  if ((w != W_TASK && w != W_JOB) || kind_at(u, t + 1) != T_IDENT ||
      (after != P_ASSIGN && after != P_SEMI && after != P_COMMA &&
       after != P_LBRACKET && after != P_RPAREN) ||
      (w == W_JOB && tok_at(u, t + 1)->id->sym))
    return;
  u->hold_errors = false;
  fail_at(u,
          t,
          "`%s` needs the type of the result in parentheses: `%s(int) %s`",
          word_name(w),
          word_name(w),
          tok_at(u, t + 1)->id->name);
}

// ---- `os_error e`, where `struct os_error e` was meant ----
void fail_unknown_type(Unit *u, TokIndex t) {
  static const char *const words[] = {
    [TY_STRUCT] = "struct", [TY_UNION] = "union", [TY_ENUM] = "enum"
  };
  Ident *id = tok_at(u, t)->id;
  if (id->tag)
    fail_at(u,
            t,
            "unknown type name `%s`: write `%s %s`",
            id->name,
            words[id->tag->tag->kind],
            id->name);
  const char *header = header_of(u, id->name);
  if (header)
    fail_at(
        u, t, "unknown type name `%s`: include <fermata/%s>", id->name, header);
  const Ident *near = meant(u, id->name, TYPE_NAME);
  Near other = near ? (Near){ 0 } : near_in_library(u, id->name);
  if (near)
    fail_at(u,
            t,
            "unknown type name `%s`; did you mean `%s`?",
            id->name,
            near->name);
  if (other.name)
    fail_at(u,
            t,
            "unknown type name `%s`; did you mean `%s`, of <fermata/%s>?",
            id->name,
            other.name,
            other.header);
  fail_at(u, t, "unknown type name `%s`", id->name);
}

// ---- `asnyc int f(void)` ----
bool misspells_async(Unit *u, TokIndex t) {
  if (kind_at(u, t) != T_IDENT || t < u->dialect_from ||
      tok_at(u, t)->id->sym || word_at(u, t) || !starts_type(u, t + 1))
    return false;
  const char *name = tok_at(u, t)->id->name;
  size_t n = strlen(name);
  return n >= 4 && n <= 6 && distance(name, n, "async", 5) == 1;
}

// ---- fm_take(c) of a channel: the member that its macro looks for names the kind it wants ----
static const struct {
  const char *member;
  const char *what;
} kinds[] = {
  { "fm__chan", "a channel" },
  { "fm__mvar", "an MVar" },
  { "fm__value", "an MVar or a reply" },
  { "fm__event", "an event" },
  { "fm__type", "a channel, event, mailbox or agent" },
  { "fm__mailbox", "a mailbox or agent" },
  { "fm__agent", "an agent" },
  { "fm__reply", "a reply" },
  { "fm__broadcast", "a broadcast" },
  { "fm__subscriber", "a subscriber" },
  { "fm__latest", "a latest value" },
  { "fm__oneshot", "a one-shot" },
  { "fm__base", "an object of fm_starting" },
  { "fm__stream", "a stream" },
};

// The kind of object that has the member. NULL: it is no member of the library.
const char *library_kind(const char *member) {
  for (size_t i = 0; i < COUNT(kinds); i++)
    if (strcmp(kinds[i].member, member) == 0)
      return kinds[i].what;
  return NULL;
}
