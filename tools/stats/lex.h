// lex.h: C as the counters of `make stats` see it: tokens with their lines.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef enum {
  TOK_WORD,
  TOK_NUMBER,
  TOK_STRING,
  TOK_PUNCT,
} TokKind;

typedef struct {
  TokKind kind;
  const char *text; // in the text of the file, not terminated
  int length;
  int line;       // from 1
  bool directive; // part of a preprocessor directive
} Tok;

typedef struct {
  Tok *at;
  size_t count;
  size_t room;
} Tokens;

// Splits a text, which ends with a NUL, into tokens; comments are left out.
void lex(const char *text, Tokens *out);

bool tok_is(const Tok *t, const char *text);
