// hello.c: counts the words of its input and prints the most frequent ones. Plain C: any C program is a Fermata program.
//   fmcc -o hello hello.c && ./hello FILE      (without FILE: standard input)
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096, SHOWN = 10, LONGEST = 63 };

typedef struct Word {
  struct Word *next;                              // in its bucket
  size_t count;
  char text[];
} Word;

typedef struct Table {
  Word *buckets[BUCKETS];
  size_t different, total;
} Table;

static unsigned hash(const char *s) {
  unsigned h = 2166136261u;
  for (; *s; s++)
    h = (h ^ (unsigned char)*s) * 16777619u;
  return h % BUCKETS;
}

static Word *new_word(const char *text, Word *next) {
  size_t size = strlen(text) + 1;
  Word *w = malloc(sizeof *w + size);
  if (!w) {
    perror("hello");
    exit(1);
  }
  *w = (Word){ .next = next };
  memcpy(w->text, text, size);
  return w;
}

static void count(Table *t, const char *text) {
  Word **bucket = &t->buckets[hash(text)], *w = *bucket;
  while (w && strcmp(w->text, text) != 0)
    w = w->next;
  if (!w) {
    w = *bucket = new_word(text, *bucket);
    t->different++;
  }
  w->count++;
  t->total++;
}

static void count_file(Table *t, FILE *in) {
  char text[LONGEST + 1];
  size_t n = 0;
  int c;
  do {
    c = getc(in);
    if (c != EOF && (isalpha(c) || c == '_')) {
      if (n < LONGEST)
        text[n++] = (char)tolower(c);
    } else if (n > 0) {
      text[n] = '\0';
      count(t, text);
      n = 0;
    }
  } while (c != EOF);
}

// Most frequent first; equals in alphabetical order.
static int compare(const void *a, const void *b) {
  const Word *x = *(Word *const *)a, *y = *(Word *const *)b;
  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
  return strcmp(x->text, y->text);
}

static Word **sorted(const Table *t) {
  Word **all = malloc((t->different + 1) * sizeof *all);
  size_t n = 0;
  if (!all) {
    perror("hello");
    exit(1);
  }
  for (int i = 0; i < BUCKETS; i++)
    for (Word *w = t->buckets[i]; w; w = w->next)
      all[n++] = w;
  qsort(all, n, sizeof *all, compare);
  return all;
}

static void print_and_free(Table *t) {
  Word **all = sorted(t);
  printf("%zu words, %zu different\n", t->total, t->different);
  for (size_t i = 0; i < t->different; i++) {
    if (i < SHOWN)
      printf("%6zu  %s\n", all[i]->count, all[i]->text);
    free(all[i]);
  }
  free(all);
}

int main(int argc, char **argv) {
  static Table table;
  FILE *in = argc > 1 ? fopen(argv[1], "r") : stdin;
  if (!in) {
    perror(argv[1]);
    return 1;
  }
  count_file(&table, in);
  if (in != stdin)
    fclose(in);
  print_and_free(&table);
  return 0;
}
// stdin: to be, or not to be
// output: 6 words, 4 different
// output:      2  be
// output:      2  to
// output:      1  not
// output:      1  or
