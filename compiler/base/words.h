// words.h: C text as words: names, numbers, strings and punctuators, without comments and blanks.
#ifndef FMCC_WORDS_H
#define FMCC_WORDS_H

#include "base/base.h"

typedef struct Word {
  const char *at;
  uint32_t len, column; // column: from 1
  bool name;            // an identifier or keyword
} Word;

bool in_name(char c); // whether c may be part of an identifier
// The first byte after the blanks and comments at s.
const char *skip_gap(const char *s, const char *end);
size_t word_length(const char *s, const char *end); // of the word at s
// The words of a line. The caller frees *words. Returns their number.
size_t split_line(const char *line, size_t len, Word **words);

#endif
