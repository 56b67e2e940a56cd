// repeats.c: finds runs of lines that occur more than once, whatever their
// blanks and comments. Lines without a word or a number (braces) and #include
// are not looked at.
#include "stats.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t hash; // of its tokens
  const File *file;
  int line;
} Line;

typedef struct {
  Line *at;
  size_t count;
  uint32_t *table; // of runs of MIN_REPEATED lines: index of the first + 1
  size_t mask;
} Index;

static uint64_t hash_bytes(uint64_t h, const char *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char)p[i]) * 1099511628211u;
  return h * 31 + n;
}

// Appends the line that begins at a token; returns the token after it.
static const Tok *
add_line(Index *x, const File *file, const Tok *t, const Tok *end) {
  Line line = {
    .hash = 14695981039346656037u,
    .file = file,
    .line = t->line,
  };
  bool matters = false;
  bool include = tok_is(t, "#") && t + 1 < end && tok_is(t + 1, "include");
  for (; t < end && t->line == line.line; t++) {
    line.hash = hash_bytes(line.hash, t->text, (size_t)t->length);
    matters |= t->kind != TOK_PUNCT;
  }
  if (matters && !include)
    x->at[x->count++] = line;
  return t;
}

static void add_lines(Index *x, const File *files, size_t count) {
  size_t room = 0;
  for (size_t i = 0; i < count; i++)
    room += (size_t)files[i].coded;
  x->at = calloc(room + 1, sizeof *x->at);
  for (x->mask = 1023; x->mask < 2 * room; x->mask = x->mask * 2 + 1)
    ;
  x->table = calloc(x->mask + 1, sizeof *x->table);
  if (!x->at || !x->table)
    abort();
  for (size_t i = 0; i < count; i++) {
    const Tok *t = files[i].tokens.at;
    const Tok *end = t + files[i].tokens.count;
    while (t < end)
      t = add_line(x, &files[i], t, end);
  }
}

static bool is_run(const Index *x, size_t i) {
  return i + MIN_REPEATED <= x->count &&
         x->at[i].file == x->at[i + MIN_REPEATED - 1].file;
}

static size_t run_slot(const Index *x, size_t i) {
  uint64_t h = 0;
  for (size_t k = 0; k < MIN_REPEATED; k++)
    h = (h ^ x->at[i + k].hash) * 1099511628211u;
  return (size_t)(h ^ h >> 29) & x->mask;
}

static bool same_run(const Index *x, size_t i, size_t j) {
  for (size_t k = 0; k < MIN_REPEATED; k++)
    if (x->at[i + k].hash != x->at[j + k].hash)
      return false;
  return true;
}

// The run before i that is equal to the one at i; i itself when there is none.
static size_t earlier_run(Index *x, size_t i) {
  size_t slot = run_slot(x, i);
  for (; x->table[slot]; slot = (slot + 1) & x->mask)
    if (same_run(x, x->table[slot] - 1, i))
      return x->table[slot] - 1;
  x->table[slot] = (uint32_t)i + 1;
  return i;
}

static int equal_lines(const Index *x, size_t i, size_t j) {
  size_t n = 0;
  while (j + n < x->count && x->at[i + n].hash == x->at[j + n].hash &&
         x->at[i + n].file == x->at[i].file &&
         x->at[j + n].file == x->at[j].file && i + n < j)
    n++;
  return (int)n;
}

static void add_repeat(Repeats *out, const Index *x, size_t i, size_t j) {
  if (out->count == out->room) {
    out->room = out->room ? out->room * 2 : 64;
    out->at = realloc(out->at, out->room * sizeof *out->at);
    if (!out->at)
      abort();
  }
  Repeat *r = &out->at[out->count++];
  *r = (Repeat){ .file = { x->at[i].file, x->at[j].file },
                 .line = { x->at[i].line, x->at[j].line },
                 .length = equal_lines(x, i, j) };
  out->lines += r->length;
}

void find_repeats(const File *files, size_t count, Repeats *out) {
  Index x = { 0 };
  add_lines(&x, files, count);
  for (size_t j = 0; is_run(&x, j) || j < x.count; j++) {
    size_t i = is_run(&x, j) ? earlier_run(&x, j) : j;
    if (i == j || equal_lines(&x, i, j) < MIN_REPEATED)
      continue;
    add_repeat(out, &x, i, j);
    j += (size_t)out->at[out->count - 1].length - 1;
  }
  free(x.at);
  free(x.table);
}
