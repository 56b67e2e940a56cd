// json.c: a line of JSON becomes a tree, in an arena. Texts become UTF-8, without escapes.
//
//     value  = "null" | "true" | "false" | number | text | list | object
//     list   = "[" [ value { "," value } ] "]"
//     object = "{" [ text ":" value { "," text ":" value } ] "}"
#include "top.h"

#include <ctype.h>
#include <stdlib.h>

enum { DEEPEST = 16 }; // answers are flat

typedef struct Reader {
  Arena *arena;
  const char *at;
  int depth;
} Reader;

static Json *read_value(Reader *r);

static void skip(Reader *r) {
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
    r->at++;
}

static bool take(Reader *r, char c) {
  skip(r);
  if (*r->at != c)
    return false;
  r->at++;
  return true;
}

static char *put_utf8(char *to, unsigned code) {
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xc0 | code >> 6);
    *to++ = (char)(0x80 | (code & 0x3f));
  } else {
    *to++ = (char)(0xe0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    *to++ = (char)(0x80 | (code & 0x3f));
  }
  return to;
}

// After the backslash. NULL: it is not an escape.
static char *read_escape(Reader *r, char *to) {
  static const char from[] = "\"\\/bfnrt";
  static const char means[] = "\"\\/\b\f\n\r\t";
  char c = *r->at++;
  const char *at = c ? strchr(from, c) : NULL;
  if (at) {
    *to++ = means[at - from];
    return to;
  }
  unsigned code = 0;
  for (int i = 0; c == 'u' && i < 4; i++, r->at++) {
    char d = *r->at;
    if (!isxdigit((unsigned char)d))
      return NULL;
    code =
        code * 16 +
        (unsigned)(isdigit((unsigned char)d) ? d - '0' : (d | 0x20) - 'a' + 10);
  }
  return c == 'u' && code ? put_utf8(to, code) : NULL;
}

// The text is not longer than its source.
static const char *read_text(Reader *r) {
  if (!take(r, '"'))
    return NULL;
  const char *end = r->at;
  while (*end && *end != '"')
    end += *end == '\\' && end[1] ? 2 : 1;
  char *text = arena_alloc(r->arena, (size_t)(end - r->at) + 1);
  char *to = text;
  while (*r->at && *r->at != '"') {
    if (*r->at != '\\') {
      *to++ = *r->at++;
      continue;
    }
    r->at++;
    if (!(to = read_escape(r, to)))
      return NULL;
  }
  return take(r, '"') ? text : NULL;
}

// After the opening bracket.
static bool read_elements(Reader *r, Json *v, char close) {
  Json **last = &v->first;
  if (take(r, close))
    return true;
  do {
    const char *name = NULL;
    if (v->kind == J_OBJECT && (!(name = read_text(r)) || !take(r, ':')))
      return false;
    Json *x = read_value(r);
    if (!x)
      return false;
    x->name = name;
    *last = x;
    last = &x->next;
  } while (take(r, ','));
  return take(r, close);
}

static bool read_word(Reader *r, const char *word) {
  size_t n = strlen(word);
  if (strncmp(r->at, word, n) != 0)
    return false;
  r->at += n;
  return true;
}

static bool read_rest(Reader *r, Json *v) {
  char *end;
  if (read_word(r, "null")) {
    v->kind = J_NULL;
    return true;
  }
  if (read_word(r, "true") || read_word(r, "false")) {
    v->kind = J_BOOL;
    v->number = r->at[-2] == 'u'; // tr_u_e
    return true;
  }
  v->kind = J_NUMBER;
  v->number = strtod(r->at, &end);
  bool ok = end != r->at;
  r->at = end;
  return ok;
}

static bool read_compound(Reader *r, Json *v, JsonKind kind, char close) {
  v->kind = kind;
  r->at++;
  if (++r->depth > DEEPEST)
    return false;
  bool ok = read_elements(r, v, close);
  r->depth--;
  return ok;
}

static Json *read_value(Reader *r) {
  Json *v = arena_alloc(r->arena, sizeof *v);
  bool ok;
  skip(r);
  if (*r->at == '"') {
    v->kind = J_TEXT;
    ok = (v->text = read_text(r)) != NULL;
  } else if (*r->at == '[') {
    ok = read_compound(r, v, J_LIST, ']');
  } else if (*r->at == '{') {
    ok = read_compound(r, v, J_OBJECT, '}');
  } else {
    ok = read_rest(r, v);
  }
  return ok ? v : NULL;
}

Json *json_read(Arena *a, const char *text) {
  Reader r = { .arena = a, .at = text };
  Json *v = read_value(&r);
  skip(&r);
  return v && !*r.at ? v : NULL;
}

// ---- what is in it ----
const Json *json_get(const Json *object, const char *name) {
  const Json *x = object ? object->first : NULL;
  while (x && (!x->name || strcmp(x->name, name) != 0))
    x = x->next;
  return x;
}

double json_number(const Json *object, const char *name) {
  const Json *x = json_get(object, name);
  return x && x->kind == J_NUMBER ? x->number : 0;
}

const char *value_text(const Json *object, const char *name) {
  const Json *x = json_get(object, name);
  return x && x->kind == J_TEXT ? x->text : "";
}

bool json_is(const Json *object, const char *name) {
  const Json *x = json_get(object, name);
  return x && x->kind == J_BOOL && x->number != 0;
}
