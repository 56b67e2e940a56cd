// words.c: C text as words. Each stage that looks at the user's own text (the witness, the readable
// form) splits it here; the translator itself reads the preprocessed text (lex.c).
#include "base/words.h"

#include <ctype.h>

bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

// Skips blanks and comments.
const char *skip_gap(const char *s, const char *end) {
  while (s < end) {
    if (isspace((unsigned char)*s))
      s++;
    else if (s + 1 < end && s[0] == '/' && s[1] == '/') {
      const char *nl = memchr(s, '\n', (size_t)(end - s));
      s = nl ? nl : end;
    } else if (s + 1 < end && s[0] == '/' && s[1] == '*') {
      const char *close = memmem(s + 2, (size_t)(end - s - 2), "*/", 2);
      s = close ? close + 2 : end;
    } else
      break;
  }
  return s;
}

static size_t quoted_length(const char *s, const char *end) {
  const char *p = s + 1;
  while (p < end && *p != *s)
    p += *p == '\\' && p + 1 < end ? 2 : 1;
  return (size_t)((p < end ? p + 1 : end) - s);
}

static size_t punctuator_length(const char *s, const char *end) {
  // clang-format off
  static const char *const long_ones[] = {
    "<<=",
    ">>=",
    "...",
    "->",
    "++",
    "--",
    "<<",
    ">>",
    "<=",
    ">=",
    "==",
    "!=",
    "&&",
    "||",
    "*=",
    "/=",
    "%=",
    "+=",
    "-=",
    "&=",
    "^=",
    "|=",
    "##",
    "::",
    "<:",
    ":>",
    "<%",
    "%>",
  };
  // clang-format on
  for (size_t i = 0; i < COUNT(long_ones); i++) {
    size_t n = strlen(long_ones[i]);
    if (n <= (size_t)(end - s) && memcmp(s, long_ones[i], n) == 0)
      return n;
  }
  return 1;
}

static size_t number_length(const char *s, const char *end) {
  const char *p = s;
  for (; p < end && (in_name(*p) || *p == '.'); p++)
    if (strchr("eEpP", *p) && p + 1 < end && (p[1] == '+' || p[1] == '-'))
      p++;
  return (size_t)(p - s);
}

size_t word_length(const char *s, const char *end) {
  size_t n = 0;
  if (*s == '"' || *s == '\'')
    return quoted_length(s, end);
  if (isdigit((unsigned char)*s) ||
      (*s == '.' && s + 1 < end && isdigit((unsigned char)s[1])))
    return number_length(s, end);
  if (!in_name(*s))
    return punctuator_length(s, end);
  while (s + n < end && in_name(s[n]))
    n++;
  bool prefix = n <= 2 && s + n < end && (s[n] == '"' || s[n] == '\'') &&
                strchr("LuU", *s);
  return prefix ? n + quoted_length(s + n, end) : n;
}

size_t split_line(const char *line, size_t len, Word **words) {
  size_t n = 0;
  size_t cap = 0;
  *words = NULL;
  for (const char *s = line, *end = line + len; (s = skip_gap(s, end)) < end;
       n++) {
    if (n == cap)
      *words = xrealloc(*words, (cap = cap * 2 + 32) * sizeof **words);
    (*words)[n] = (Word){ s,
                          (uint32_t)word_length(s, end),
                          (uint32_t)(s - line) + 1,
                          in_name(*s) && !isdigit((unsigned char)*s) };
    s += (*words)[n].len;
  }
  return n;
}
