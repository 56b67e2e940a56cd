// source-text.h: the user's own file: where tokens stand in it, its comments, its directives.
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include "emit/layout.h"

typedef struct Directive {
  uint32_t from, to; // of the file; `to`: its newline
  uint32_t line;     // of the `#`
  const char *word;  // "include", "define" …, NUL-terminated
} Directive;
typedef struct SourceText {
  Unit *u;
  uint16_t file; // of Unit.files
  const char *text;
  uint32_t len;
  uint32_t *lines; // [i]: where line i + 1 begins
  size_t nlines;
  Comments comments;
  Directive *directives;
  size_t ndirectives, directives_cap;
  TokIndex *toks; // those of the file, when it was read first
  size_t ntoks;
  Place place;
} SourceText;

bool source_open(SourceText *s,
                 Unit *u,
                 uint16_t file); // false: it cannot be read
void source_close(SourceText *s);
// where a token, or the macro that it comes from, begins
uint32_t source_offset(SourceText *s, TokIndex t);
// it stands there itself: no macro brought it
bool source_exact(SourceText *s, TokIndex t);
// where it, or the call of the macro that it comes from, ends
uint32_t source_end(SourceText *s, TokIndex t);

#endif
