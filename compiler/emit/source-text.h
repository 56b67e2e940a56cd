// source-text.h: the user's own file: its text, comments and directives, and the places of tokens
// in it.
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include "emit/layout.h"

typedef struct Directive {
  uint32_t from, to; // offsets in the file; `to`: its newline
  uint32_t line;     // of the `#`
  const char *word;  // "include", "define" …, NUL-terminated
} Directive;
typedef struct SourceText {
  Unit *u;
  uint16_t file; // its index in Unit.files
  const char *text;
  uint32_t len;
  uint32_t *lines; // [i]: the offset at which line i + 1 begins
  size_t nlines;
  Comments comments;
  Directive *directives;
  size_t ndirectives, directives_cap;
  TokIndex *toks; // the tokens of the file, when it was included first
  size_t ntoks;
  Place place;
} SourceText;

// Returns false if the file cannot be read.
bool source_open(SourceText *s, Unit *u, uint16_t file);
void source_close(SourceText *s);
// Return the offsets at which the token, or the macro that it comes from, begins and ends.
uint32_t source_offset(SourceText *s, TokIndex t);
uint32_t source_end(SourceText *s, TokIndex t);
// The token itself stands in the file; it does not come from a macro.
bool source_exact(SourceText *s, TokIndex t);

#endif
