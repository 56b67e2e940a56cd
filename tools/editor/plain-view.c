// plain-view.c: see plain-view.h. In: the text of a file. Out: the same text, with some characters
// replaced.
//
//   race { case v = f(): …  case w = g(): … }          race { {    v = f(); … }{    w = g(); … }
//   race fair { for (…) case f(i): … }                 race      { for (…) {    f(i); … }
//   race { case if (c) int v = f(): … }                race { {      (c);int v = f(); … }
//   activate [&id] (i, j) { … }                        for(      &id; ;i, j) { … }
//   activate { … }                                              { … }
//   job (x) { …; return v; }   job f(x)                fmb (x) { …;        v;})   fmj f(x)
//   spawn now f(x)   catch each (…)                    spawn     f(x)   catch      (…)
//   scope { … }   catch (struct x)                     fms   { … }   fmc   (struct x)
//   asyncdirect int f(int n, fm_completion(int) *k) {  asyncdirect int f(int n){fm_completion *k=0;
//   struct { int run; } x; x.run = 1;                  struct { int ru_; } x; x.ru_ = 1;
//
// `spawn` and `job` of a function that is declared in the file with a value vanish: then the
// operand has the type of the task's value. Only tokens are looked at, not types or macros.
// Directives, comments and strings are left alone.
#define _GNU_SOURCE
#include "plain-view.h"

#include "base/dialect-words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The kinds of tokens. Of a punctuator it is its character.
enum {
  WORD = 'w',
  NUMBER = 'n',
  STRING = 's',
  BREAK = '#',
};

typedef struct Token {
  size_t at;
  size_t size;
  char kind;
} Token;
// An async function, by its first declaration.
typedef struct Name {
  size_t token;
  bool is_void;
  bool direct;
} Name;

typedef struct View {
  char *text;
  size_t n;
  Token *tokens; // the last one is a BREAK
  size_t count;
  Name *names;
  size_t named;
} View;

// ---- tokens ----
static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

static size_t skip_line(const View *v, size_t at) {
  while (at < v->n && v->text[at] != '\n')
    at += v->text[at] == '\\' && at + 1 < v->n ? 2 : 1;
  return at;
}

static size_t skip_quoted(const View *v, size_t at) {
  char quote = v->text[at++];
  while (at < v->n && v->text[at] != quote && v->text[at] != '\n')
    at += v->text[at] == '\\' && at + 1 < v->n ? 2 : 1;
  return at < v->n ? at + 1 : v->n;
}

static size_t skip_comment(const View *v, size_t at) {
  if (v->text[at + 1] == '/')
    return skip_line(v, at);
  for (at += 2; at + 1 < v->n; at++)
    if (v->text[at] == '*' && v->text[at + 1] == '/')
      return at + 2;
  return v->n;
}

static void add(View *v, size_t at, size_t end, char kind) {
  v->tokens[v->count++] = (Token){ at, end - at, kind };
}

// Skips blanks and comments. Returns the place after them.
static size_t skip_blank(View *v, size_t at, bool *fresh) {
  char c = v->text[at];
  char d = at + 1 < v->n ? v->text[at + 1] : 0;
  if (c == '\n')
    *fresh = true;
  if (isspace((unsigned char)c) || c == '\\')
    return at + 1;
  if (c == '/' && (d == '/' || d == '*'))
    return skip_comment(v, at);
  return at;
}

static size_t skip_word(const View *v, size_t at) {
  while (at < v->n && is_word(v->text[at]))
    at++;
  return at;
}

// fresh: only blanks stand before the token on its line.
static size_t next_token(View *v, size_t at, bool fresh) {
  char c = v->text[at];
  char kind = c;
  size_t end = at + 1;
  if (c == '#' && fresh) {
    kind = BREAK;
    end = skip_line(v, at);
  } else if (c == '"' || c == '\'') {
    kind = STRING;
    end = skip_quoted(v, at);
  } else if (is_word(c)) {
    kind = isdigit((unsigned char)c) ? NUMBER : WORD;
    end = skip_word(v, at);
  }
  add(v, at, end, kind);
  return end;
}

static void tokenize(View *v) {
  bool fresh = true;
  for (size_t at = 0; at < v->n;) {
    size_t after = skip_blank(v, at, &fresh);
    if (after == at) {
      bool directive = fresh && v->text[at] == '#';
      after = next_token(v, at, fresh);
      fresh = directive;
    }
    at = after;
  }
  add(v, v->n, v->n, BREAK);
}

// ---- looking ----
static char kind(const View *v, size_t i) {
  return i < v->count ? v->tokens[i].kind : BREAK;
}

static bool is(const View *v, size_t i, const char *word) {
  const Token *t = &v->tokens[i < v->count ? i : v->count - 1];
  return t->kind == WORD && t->size == strlen(word) &&
         !memcmp(v->text + t->at, word, t->size);
}

// Whether the token is the keyword, or its spelling with __fm_.
static bool either(const View *v, size_t i, const char *word) {
  const Token *t = &v->tokens[i < v->count ? i : v->count - 1];
  if (t->size <= 5 || t->kind != WORD || memcmp(v->text + t->at, "__fm_", 5))
    return is(v, i, word);
  return t->size - 5 == strlen(word) &&
         !memcmp(v->text + t->at + 5, word, t->size - 5);
}

static char closing(char c) {
  return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : 0;
}

// The token that closes the bracket at i; the last token, if there is none.
static size_t match(const View *v, size_t i) {
  size_t depth = 0;
  for (; i < v->count - 1; i++) {
    char c = kind(v, i);
    if (closing(c))
      depth++;
    else if ((c == ')' || c == ']' || c == '}') && --depth == 0)
      return i;
  }
  return i;
}

// ---- changing ----
// Writes only inside the text, which may end anywhere.
static void put(View *v, size_t at, const char *s) {
  if (at + strlen(s) <= v->n)
    memcpy(v->text + at, s, strlen(s));
}

static void blank(View *v, size_t from, size_t to) {
  for (size_t i = from; i < to && i < v->n; i++)
    if (!isspace((unsigned char)v->text[i]))
      v->text[i] = ' ';
}

static void blank_token(View *v, size_t i) {
  blank(v, v->tokens[i].at, v->tokens[i].at + v->tokens[i].size);
}
static void set(View *v, size_t i, char c) {
  v->text[v->tokens[i].at] = c;
}
static size_t end_of(const View *v, size_t i) {
  return v->tokens[i].at + v->tokens[i].size;
}
static bool is_gap(const View *v, size_t at) {
  return at < v->n && (v->text[at] == ' ' || v->text[at] == '\t');
}

// ---- names of async functions: what stands before `name (` at the outermost level ----
static bool note_name(View *v, size_t i) {
  Name name = { .token = i };
  bool async = false;
  bool pointer = false;
  bool is_void = false;
  for (size_t k = i; k-- > 0 && (kind(v, k) == WORD || kind(v, k) == '*');) {
    async = async || either(v, k, "async") || either(v, k, "asyncdirect");
    name.direct = name.direct || either(v, k, "asyncdirect");
    is_void = is_void || is(v, k, "void");
    pointer = pointer || kind(v, k) == '*';
  }
  name.is_void = is_void && !pointer;
  if (async)
    v->names[v->named++] = name;
  return async;
}

static void collect_names(View *v) {
  for (size_t i = 0; i + 1 < v->count; i++) {
    if (kind(v, i) == '{')
      i = match(v, i);
    else if (kind(v, i) == WORD && kind(v, i + 1) == '(' && note_name(v, i))
      i = match(v, i + 1);
  }
}

static bool gives_value(const View *v, size_t i) {
  const Token *t = &v->tokens[i];
  for (size_t k = 0; k < v->named; k++) {
    const Token *n = &v->tokens[v->names[k].token];
    if (n->size == t->size &&
        !memcmp(v->text + n->at, v->text + t->at, n->size))
      return !v->names[k].is_void;
  }
  return false;
}

// Whether the operand at i, of spawn or job, can stand for the task: it has a value, or is a job.
static bool is_typed(const View *v, size_t i) {
  return kind(v, i) == WORD && (kind(v, i + 1) != '(' || gives_value(v, i));
}

// ---- asyncdirect ----
// Callers do not give the completion, which is the last parameter; the body has it as a variable.
static void view_direct(View *v, size_t name) {
  size_t open = name + 1;
  size_t close = match(v, open);
  size_t k = close;
  size_t next = close + 1;
  const Token *id = &v->tokens[close - 1];
  char body[128];
  while (k > open && !is(v, k, "fm_completion"))
    k--;
  if (k == open || id->kind != WORD)
    return;
  if (is(v, next, "throws"))
    next = match(v, next + 1) + 1;
  size_t from = v->tokens[kind(v, k - 1) == ',' ? k - 1 : k].at;
  if (kind(v, next) != '{') {
    blank(v, from, v->tokens[close].at);
    if (k - 1 == open)
      put(v, from, "void");
    return;
  }
  int n = snprintf(body,
                   sizeof body,
                   "){fm_completion *%.*s=0;",
                   (int)id->size,
                   v->text + id->at);
  if (n >= (int)sizeof body || from + (size_t)n > end_of(v, next))
    return;
  blank(v, from, end_of(v, next));
  put(v, from, body);
}

// ---- keywords that are names: members, tags, labels, declarations of the file ----
// After these words a keyword keeps its meaning.
// clang-format off
static const char *const ahead[] = {
  "return",
  "else",
  "do",
  "case",
  "static",
  "const",
  "extern",
  "typedef",
  "register",
  "volatile",
  "inline",
  "async",
  "asyncdirect",
  "await",
  "spawn",
  "run",
  "atomic",
  "shield",
  "defer",
  "throw",
  "try",
  "finally",
  "sizeof",
  "now",
  "detached",
  "contained",
  "goto",
  NULL,
};
#define TEXT(name, text) text,
static const char *const keywords[] = {
  DIALECT_WORDS(TEXT)
  "detached",
  "contained",
  NULL,
};
// clang-format on

static int index_in(const View *v, size_t i, const char *const *list) {
  for (int k = 0; list[k]; k++)
    if (is(v, i, list[k]))
      return k;
  return -1;
}

static bool follows_member(const View *v, size_t i) {
  if (!i)
    return false;
  if (kind(v, i - 1) == '.')
    return true;
  if (i > 1 && kind(v, i - 1) == '>' && kind(v, i - 2) == '-')
    return true;
  return is(v, i - 1, "struct") || is(v, i - 1, "union") ||
         is(v, i - 1, "enum") || is(v, i - 1, "goto");
}

// `int run = …`, `char *task)`, `int job(…`, `, yield;`: where no keyword can stand.
static bool is_declared_at(const View *v, size_t i) {
  char next = kind(v, i + 1);
  if (!i || !next || !strchr(";,=[)(:", next))
    return false;
  if (kind(v, i - 1) == '*')
    return next != '(';
  if (kind(v, i - 1) == ',')
    return next != '(' && next != ':';
  return kind(v, i - 1) == WORD && index_in(v, i - 1, ahead) < 0;
}

// The last letter becomes `_`, in all places alike, so that the macro of the keyword does not
// apply.
static void rename_token(View *v, size_t i) {
  v->text[end_of(v, i) - 1] = '_';
}

static bool opens_record(const View *v, size_t i) {
  size_t k = i && kind(v, i - 1) == WORD ? i - 1 : i;
  return i && (is(v, i - 1, "struct") || is(v, i - 1, "union") ||
               (k && (is(v, k - 1, "struct") || is(v, k - 1, "union"))));
}

static int keyword_at(const View *v, size_t i) {
  return kind(v, i) == WORD ? index_in(v, i, keywords) : -1;
}

// A member is known by its place. Other names are names wherever no operand follows.
static void view_names(View *v) {
  bool declared[sizeof keywords / sizeof *keywords] = { false };
  for (size_t i = 0; i < v->count; i++) {
    int k = keyword_at(v, i);
    if (kind(v, i) == '{' && opens_record(v, i))
      i = match(v, i);
    else if (k >= 0 && !follows_member(v, i) && is_declared_at(v, i))
      declared[k] = true;
  }
  for (size_t i = 0; i < v->count; i++) {
    int k = keyword_at(v, i);
    if (k < 0)
      continue;
    bool used = declared[k] && kind(v, i + 1) != WORD && kind(v, i + 1) != '{';
    if (used || follows_member(v, i) || is_declared_at(v, i))
      rename_token(v, i);
  }
}

// ---- spawn, job ----
// Whether an operand follows the word k, which may itself be the name of a function.
static bool begins_operand(const View *v, size_t k) {
  if (kind(v, k + 1) == '(')
    return kind(v, match(v, k + 1) + 1) == '(';
  return kind(v, k + 1) == WORD || kind(v, k + 1) == '*';
}

static void view_spawn(View *v, size_t i) {
  size_t k = i + 1;
  for (;; k++) {
    bool place = (is(v, k, "on") || is(v, k, "in")) && kind(v, k + 1) == '(';
    if (place && kind(v, match(v, k + 1) + 1) == WORD) {
      k = match(v, k + 1);
    } else if ((is(v, k, "now") || is(v, k, "detached") ||
                is(v, k, "contained")) &&
               begins_operand(v, k)) {
      blank_token(v, k);
    } else {
      break;
    }
  }
  if (is_typed(v, k))
    blank(v, v->tokens[i].at, v->tokens[k].at);
}

// Whether the last statement of a body is `return x;`, or ends with it.
static bool ends_with_value(const View *v, size_t open, size_t close) {
  bool found = false;
  for (size_t i = open + 1; i < close; i++) {
    if (is(v, i, "return"))
      found = kind(v, i + 1) != ';';
    else if (kind(v, i) == ';')
      found = found && i == close - 1;
    else if (closing(kind(v, i)))
      i = match(v, i);
  }
  return found;
}

// The body becomes that of a statement expression. If it does not end with a value, its size is the
// value.
static void view_job_body(View *v, size_t job, size_t open) {
  size_t close = match(v, open);
  size_t end = v->tokens[close].at;
  if (kind(v, close) != '}' || !is_gap(v, end - 1))
    return;
  put(v, v->tokens[job].at, ends_with_value(v, open, close) ? "fmb" : "fmv");
  put(v, end - 1, "})");
  for (size_t i = open; i < close; i++)
    if (is(v, i, "return") && kind(v, i + 1) != ';')
      blank_token(v, i);
}

static void view_job(View *v, size_t i) {
  if (kind(v, i + 1) == WORD) {
    if (is_typed(v, i + 1))
      blank_token(v, i);
    else
      put(v, v->tokens[i].at, "fmj");
  } else if (kind(v, i + 1) == '(') {
    size_t next = match(v, i + 1) + 1; // job(T) is a type: nothing to do
    // a call of a computed function
    if (kind(v, next) == '(')
      put(v, v->tokens[i].at, "fmj");
    if (kind(v, next) == '{')
      view_job_body(v, i, next);
  }
}

// ---- scope and catch without a name ----
static void view_scope(View *v, size_t i) {
  if (kind(v, i + 1) != '(')
    put(v, v->tokens[i].at, "fms  ");
}

static void view_catch(View *v, size_t i) {
  if (is(v, i + 1, "each"))
    blank_token(v, ++i);
  if (kind(v, i + 1) != '(')
    return;
  size_t close = match(v, i + 1);
  size_t words = close - i - 2;
  bool tag = words == 2 && (is(v, i + 2, "struct") || is(v, i + 2, "union"));
  if (words != 1 && !tag && kind(v, close - 1) != '*')
    return;
  put(v, v->tokens[is(v, i, "catch") ? i : i - 1].at, "fmc  ");
}

// ---- activate ----
static void view_activate(View *v, size_t i) {
  size_t at = v->tokens[i].at;
  size_t next = i + 1;
  size_t id = 0;
  size_t copies = 0;
  if (kind(v, next) == '[')
    id = next, next = match(v, next) + 1;
  if (kind(v, next) == '(')
    copies = next, next = match(v, next) + 1;
  if (kind(v, next) != '{' || v->tokens[i].size != 8)
    return;
  blank_token(v, i);
  if (id) {
    set(v, id, ' ');
    set(v, match(v, id), ';');
  }
  if (!copies)
    return;
  put(v, at, id ? "for(" : "for(;");
  set(v, copies, ';');
}

// ---- race ----
// The colon that ends the label which begins at i; 0: there is none before `end`.
static size_t label_end(const View *v, size_t i, size_t end) {
  size_t asked = 0;
  for (; i < end; i++) {
    if (closing(kind(v, i)))
      i = match(v, i);
    else if (kind(v, i) == '?')
      asked++;
    else if (kind(v, i) == ':' && asked-- == 0)
      return i;
  }
  return 0;
}

// The beginning of the arm whose `case` is at i: the `case`, or the `for` before it.
static size_t arm_begin(const View *v, size_t i, size_t open) {
  if (kind(v, i - 1) != ')')
    return i;
  for (size_t k = i - 1; k > open; k--)
    if (kind(v, k) == '(' && match(v, k) == i - 1)
      return is(v, k - 1, "for") ? k - 1 : i;
  return i;
}

// The next arm after token i, or the end of the race.
static size_t next_arm(const View *v, size_t i, size_t end) {
  for (; i < end; i++) {
    if (closing(kind(v, i)))
      i = match(v, i);
    else if (is(v, i, "case") || is(v, i, "default"))
      return i;
  }
  return end;
}

// `if (c)` of an arm. A declaration may follow, so the condition becomes a statement.
static void view_condition(View *v, size_t i) {
  size_t close = match(v, i + 1);
  if (!is(v, i, "if") || kind(v, i + 1) != '(' || !is_gap(v, end_of(v, close)))
    return;
  blank_token(v, i);
  v->text[end_of(v, close)] = ';';
}

// Each arm becomes a block, if there is a blank before the next one for its end.
static void view_arms(View *v, size_t open) {
  size_t end = match(v, open);
  for (size_t i = next_arm(v, open + 1, end), next; i < end; i = next) {
    size_t colon = is(v, i, "case") ? label_end(v, i + 1, end) : 0;
    next = next_arm(v, colon ? colon + 1 : i + 1, end);
    if (!colon)
      continue;
    size_t after = v->tokens[next < end ? arm_begin(v, next, open) : end].at;
    bool room = is_gap(v, after - 1);
    put(v, v->tokens[i].at, room ? "{   " : "    ");
    set(v, colon, ';');
    if (room)
      v->text[after - 1] = '}';
    view_condition(v, i + 1);
  }
}

// ---- all of it ----
// Whether the file includes a header of Fermata or declares an async function.
static bool is_dialect(const View *v) {
  for (size_t i = 0; i < v->count; i++) {
    const Token *t = &v->tokens[i];
    if (t->kind == BREAK && memmem(v->text + t->at, t->size, "fermata", 7))
      return true;
    if (is(v, i, "async") && kind(v, i + 1) == WORD)
      return true;
  }
  return false;
}

static void view_token(View *v, size_t i) {
  if (either(v, i, "spawn"))
    view_spawn(v, i);
  else if (is(v, i, "job"))
    view_job(v, i);
  else if (is(v, i, "activate"))
    view_activate(v, i);
  else if (is(v, i, "catch"))
    view_catch(v, i);
  else if (is(v, i, "scope"))
    view_scope(v, i);
  else if (either(v, i, "race")) {
    size_t open = is(v, i + 1, "fair") ? i + 2 : i + 1;
    if (kind(v, open) != '{')
      return;
    if (open > i + 1)
      blank_token(v, i + 1);
    view_arms(v, open);
  }
}

void plain_view(char *text, size_t n) {
  View v = { .text = text, .n = n };
  v.tokens = malloc((n + 1) * sizeof *v.tokens);
  v.names = malloc((n + 1) * sizeof *v.names);
  if (v.tokens && v.names) {
    tokenize(&v);
  }
  if (v.count && is_dialect(&v)) {
    view_names(&v);
    collect_names(&v);
    for (size_t i = 0; i < v.count; i++)
      view_token(&v, i);
    for (size_t k = 0; k < v.named; k++)
      if (v.names[k].direct)
        view_direct(&v, v.names[k].token);
  }
  free(v.tokens);
  free(v.names);
}
