// cc-columns.c: a column of a generated line → the column of the same word in the user's line. The
// generated line usually has the user's words in their order, with others between them, some of
// them equal: the two lines are aligned so that most words fit, and neighbours stay neighbours.
#include "driver/driver.h"

#include <ctype.h>
#include <stdlib.h>

static bool in_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

typedef struct Word {
  const char *at;
  size_t len;
} Word; // or a single other character

static size_t split(const char *s, Word *words, size_t most) {
  size_t n = 0;
  for (const char *p = s; *p && n < most; n++) {
    while (isspace((unsigned char)*p))
      p++;
    if (!*p)
      break;
    words[n] = (Word){ p, 1 };
    while (in_word(*p) && in_word(p[words[n].len]))
      words[n].len++;
    p += words[n].len;
  }
  return n;
}

// f and f__fm_call count as the same word.
static bool same_word(const Word *own, const Word *other) {
  if (other->len < own->len || memcmp(own->at, other->at, own->len) != 0)
    return false;
  return other->len == own->len ||
         strncmp(other->at + own->len, "__fm_", 5) == 0;
}

// For two lines that differ only in blanks: the column in the user's line of the character at `at`
// in the other line. 0: they differ in more.
static size_t
column_but_for_blanks(const char *line, const char *other, size_t at) {
  size_t column = 0;
  for (size_t i = 0, k = 0;; i++, k++) {
    while (isspace((unsigned char)line[i]))
      i++;
    while (isspace((unsigned char)other[k]))
      k++;
    if (k >= at && !column)
      column = i + 1;
    if (line[i] != other[k])
      return 0;
    if (!line[i])
      return column;
  }
}

enum {
  MOST_OWN = 300,
  MOST_OTHER = 4000,
};
typedef struct Alignment {
  Word own[MOST_OWN];
  Word other[MOST_OTHER];
  size_t n;
  size_t m;
  // For the first i words of the user's line and the first k of the other: how well they can be
  // aligned (best), and how well if the last two are a pair (pair).
  uint16_t best[MOST_OWN + 1][MOST_OTHER + 1];
  uint16_t pair[MOST_OWN + 1][MOST_OTHER + 1];
} Alignment;

static uint16_t larger(uint16_t a, uint16_t b) {
  return a > b ? a : b;
}

static void align(Alignment *a) {
  for (size_t i = 1; i <= a->n; i++)
    for (size_t k = 1; k <= a->m; k++) {
      if (same_word(&a->own[i - 1], &a->other[k - 1])) {
        uint16_t behind_pair = a->pair[i - 1][k - 1];
        a->pair[i][k] = larger((uint16_t)(a->best[i - 1][k - 1] + 1),
                               (uint16_t)(behind_pair ? behind_pair + 2 : 0));
      }
      a->best[i][k] =
          larger(a->pair[i][k], larger(a->best[i - 1][k], a->best[i][k - 1]));
    }
}

// The partner of the word in the user's line; 0: it has none.
static size_t partner(const Alignment *a, size_t wanted) {
  // the pair after this one has its points because the two are neighbours
  bool neighbours = false;
  for (size_t i = a->n, k = a->m; i && k;) {
    if (neighbours || (a->pair[i][k] && a->pair[i][k] == a->best[i][k])) {
      if (k - 1 == wanted)
        return i;
      neighbours =
          a->pair[i - 1][k - 1] && a->pair[i][k] == a->pair[i - 1][k - 1] + 2;
      i--;
      k--;
    } else if (a->best[i][k] == a->best[i][k - 1]) {
      k--;
    } else {
      i--;
    }
  }
  return 0;
}

// The only word of the user's line that is equal to `word`; 0: there are several, or none.
static size_t only_one(const Alignment *a, const Word *word) {
  size_t found = 0;
  for (size_t i = 0; i < a->n && in_word(*word->at); i++) {
    if (!same_word(&a->own[i], word))
      continue;
    if (found)
      return 0;
    found = i + 1;
  }
  return found;
}

size_t own_column(const char *line, const char *generated, size_t at) {
  size_t column = column_but_for_blanks(line, generated, at);
  if (column || at >= strlen(generated))
    return column;
  Alignment *a = memset(xmalloc(sizeof *a), 0, sizeof *a);
  a->n = split(line, a->own, MOST_OWN);
  a->m = split(generated, a->other, MOST_OTHER);
  size_t wanted = 0;
  while (wanted < a->m &&
         generated + at >= a->other[wanted].at + a->other[wanted].len)
    wanted++;
  size_t i = wanted < a->m ? only_one(a, &a->other[wanted]) : 0;
  if (!i && wanted < a->m) {
    align(a);
    i = partner(a, wanted);
  }
  if (i)
    column = (size_t)(a->own[i - 1].at - line) + 1;
  free(a);
  return column;
}
