// hints.c: what a message can add when it is likely that the programmer meant something else: a
// header that is missing, `struct` left out, a function of the library that was given an object of
// another kind. Only on the way to an error.
#include "fmcc.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>

// ---- a name of the library: which of its headers declares it ----
static bool in_comment(const char *text, const char *at) {
  const char *line = at;
  while (line > text && line[-1] != '\n')
    line--;
  const char *comment = strstr(line, "//");
  return comment && comment < at;
}

// as a function or macro: the word, and a parenthesis
static bool declares(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *s = text; (s = strstr(s, name)); s += n)
    if ((s == text || !(isalnum((unsigned char)s[-1]) || s[-1] == '_')) &&
        s[n] == '(' && !in_comment(text, s))
      return true;
  return false;
}

static bool file_declares(const char *dir, const char *file, const char *name) {
  Buf text = { 0 };
  char *path = xasprintf("%s/%s", dir, file);
  bool found =
      buf_read_file(&text, path) && text.data && declares(text.data, name);
  free(path);
  buf_free(&text);
  return found;
}

static const char *header_in(Unit *u, const char *dir, const char *name) {
  DIR *d = opendir(dir);
  const char *found = NULL;
  for (struct dirent *e; d && !found && (e = readdir(d));)
    if (strstr(e->d_name, ".h") && file_declares(dir, e->d_name, name))
      found = arena_text(&u->arena, e->d_name, strlen(e->d_name));
  if (d)
    closedir(d);
  return found;
}

// "time.h" for fm_sleep; NULL: none that stands beside the fermata.h of this unit.
static const char *header_of(Unit *u, const char *name) {
  static const char own[] = "/fermata.h";
  if (strncmp(name, "fm_", 3) != 0)
    return NULL;
  for (size_t i = 0; i < u->nfiles; i++) {
    const char *file = u->files[i].name;
    size_t n = strlen(file);
    if (n < sizeof own || strcmp(file + n - (sizeof own - 1), own) != 0)
      continue;
    char *dir = xasprintf("%.*s/fermata", (int)(n - (sizeof own - 1)), file);
    const char *header = header_in(u, dir, name);
    free(dir);
    return header;
  }
  return NULL;
}

void error_undeclared(Unit *u, TokIndex t, const char *name) {
  const char *header = header_of(u, name);
  if (header)
    error_at(u, t, "`%s` is not declared: include <fermata/%s>", name, header);
  else
    error_at(u, t, "`%s` is not declared", name);
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
  fail_at(u, t, "unknown type name `%s`", id->name);
}

// ---- `asnyc int f(void)` ----
bool misspells_async(Unit *u, TokIndex t) {
  if (kind_at(u, t) != T_IDENT || t < u->dialect_from ||
      tok_at(u, t)->id->sym || word_at(u, t) || !starts_type(u, t + 1))
    return false;
  const char *name = tok_at(u, t)->id->name;
  int wrong = 0; // letters that are missing, or too many
  for (char c = 'a'; c <= 'z'; c++) {
    int times = strchr("async", c) ? -1 : 0;
    for (const char *s = name; *s; s++)
      times += *s == c;
    wrong += times < 0 ? -times : times;
  }
  return wrong <= 1 && strlen(name) >= 4 && strlen(name) <= 6;
}

// ---- fm_take(c) of a channel: the member that its macro looks for tells what it wants ----
static const struct {
  const char *member, *what;
} kinds[] = {
  { "fm__chan", "a channel" },
  { "fm__mvar", "an MVar" },
  { "fm__value", "an MVar or a reply" },
  { "fm__event", "an event" },
  { "fm__type", "a channel, event, mailbox or agent" },
  { "fm__mailbox", "a mailbox or agent" },
  { "fm__agent", "an agent" },
  { "fm__reply", "a reply" },
};

// What an object with that member is called; NULL: it is no member of the library's.
const char *library_kind(const char *member) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].member, member) == 0)
      return kinds[i].what;
  return NULL;
}
