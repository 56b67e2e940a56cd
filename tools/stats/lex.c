// lex.c: splits C into tokens. Strings, characters, comments and lines that a
// backslash continues are read as a compiler reads them; the tokens of a
// directive are marked, those of `#define` bodies are among them.
#include "lex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *p;
  int line;
  bool directive;
  bool line_has_token;
} Reader;

// The longest first: the first one that fits is the token.
static const char *const punctuators[] = {
  "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
  "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "::",
};

static void add(Tokens *out, Tok tok) {
  if (out->count == out->room) {
    out->room = out->room ? out->room * 2 : 4096;
    out->at = realloc(out->at, out->room * sizeof *out->at);
    if (!out->at)
      abort();
  }
  out->at[out->count++] = tok;
}

static bool starts(const char *p, const char *with) {
  return strncmp(p, with, strlen(with)) == 0;
}

static const char *skip_line_comment(Reader *r, const char *p) {
  for (; *p && *p != '\n'; p++)
    if (p[0] == '\\' && p[1] == '\n') {
      r->line++;
      p++;
    }
  return p;
}

static const char *skip_block_comment(Reader *r, const char *p) {
  for (; *p && !starts(p, "*/"); p++)
    r->line += *p == '\n';
  return *p ? p + 2 : p;
}

// Goes to the next token; the end of a directive is the end of its line.
static void skip_space(Reader *r) {
  const char *p = r->p;
  for (;;) {
    if (starts(p, "\\\n")) {
      r->line++;
      p += 2;
    } else if (*p == '\n') {
      r->line++;
      r->directive = r->line_has_token = false;
      p++;
    } else if (isspace((unsigned char)*p)) {
      p++;
    } else if (starts(p, "//")) {
      p = skip_line_comment(r, p);
    } else if (starts(p, "/*")) {
      p = skip_block_comment(r, p + 2);
    } else {
      break;
    }
  }
  r->p = p;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' ||
         (unsigned char)c >= 0x80;
}

static const char *string_end(const char *p) {
  char quote = *p++;
  for (; *p && *p != quote && *p != '\n'; p++)
    if (*p == '\\' && p[1])
      p++;
  return *p == quote ? p + 1 : p;
}

static const char *number_end(const char *p) {
  for (; is_word(*p) || *p == '.'; p++)
    if (strchr("eEpP", *p) && (p[1] == '+' || p[1] == '-'))
      p++;
  return p;
}

static const char *punctuator_end(const char *p) {
  for (size_t i = 0; i < sizeof punctuators / sizeof *punctuators; i++)
    if (starts(p, punctuators[i]))
      return p + strlen(punctuators[i]);
  return p + 1;
}

static const char *word_end(const char *p) {
  while (is_word(*p))
    p++;
  return p;
}

static const char *token_end(const char *p, TokKind *kind) {
  if (*p == '"' || *p == '\'') {
    *kind = TOK_STRING;
    return string_end(p);
  }
  if (isdigit((unsigned char)*p) ||
      (*p == '.' && isdigit((unsigned char)p[1]))) {
    *kind = TOK_NUMBER;
    return number_end(p);
  }
  if (is_word(*p)) {
    *kind = TOK_WORD;
    return word_end(p);
  }
  *kind = TOK_PUNCT;
  return punctuator_end(p);
}

void lex(const char *text, Tokens *out) {
  Reader r = { .p = text, .line = 1 };
  for (skip_space(&r); *r.p; skip_space(&r)) {
    Tok tok = { .text = r.p, .line = r.line };
    if (*r.p == '#' && !r.line_has_token)
      r.directive = true;
    r.line_has_token = true;
    r.p = token_end(r.p, &tok.kind);
    tok.length = (int)(r.p - tok.text);
    tok.directive = r.directive;
    add(out, tok);
  }
}

bool tok_is(const Tok *t, const char *text) {
  return (size_t)t->length == strlen(text) &&
         memcmp(t->text, text, (size_t)t->length) == 0;
}
