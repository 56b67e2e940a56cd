// The view of a file for language servers, of texts as editors send them: cut anywhere, with parts
// missing, doubled or odd. It keeps length and lines, ends, and stays within the text.
#include "../../tools/editor/plain-view.c"

#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static uint64_t state = 1;
static size_t below(size_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return n ? (size_t)(state >> 33) % n : 0;
}

static const char *file;
static long views;

// The copy has no byte more than the text: ASan sees what reads or writes past it.
static void view(const char *text, size_t n) {
  char *copy = malloc(n ? n : 1);
  memcpy(copy, text, n);
  plain_view(copy, n);
  for (size_t i = 0; i < n; i++)
    if ((copy[i] == '\n') != (text[i] == '\n')) {
      printf("%s: of %zu bytes, byte %zu: the view has other lines:\n%.*s\n", file, n, i, (int)n, text);
      exit(1);
    }
  free(copy);
  views++;
}

static void cut(const char *text, size_t n) {
  view(text, n);
  for (size_t k = 0; k < n; k += 37)
    view(text, k);
  for (int k = 0; k < 20; k++)
    view(text, below(n));
}

// what is put in, and where words of the dialect are odd
static const char *const pieces[] = {
  "{", "}", "(", ")", "[", "]", "\"", "'", ";", ":", ",", "\\", "\n", "#", "/*", "*/", "//", "\\\n", "case ", "race ", "fair ",
  "activate ", "scope (s) ", "job ", "catch each (", "spawn now ", "async ", "asyncdirect ", "throws(", "task(", "atomic ",
  "finally ", "\0x", "\xff\xfe", "R\"(", "L'", "0x1p", "...", "for (;;) case ", "default:", "_Pragma(\"x\")",
};

static void disturb(const char *text, size_t n) {
  char *odd = malloc(2 * n + 64);
  for (int round = 0; round < 12; round++) {
    size_t at = below(n), gone = below(8) ? below(30) : below(n);
    const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
    size_t len = piece[0] ? strlen(piece) : 2, rest;
    if (gone > n - at)
      gone = n - at;
    if (below(2))
      gone = 0;
    memcpy(odd, text, at);
    memcpy(odd + at, piece, len);
    rest = n - at - gone;
    memcpy(odd + at + len, text + at + gone, rest);
    view(odd, at + len + rest);
    if (below(2)) // a part twice
      memmove(odd + at / 2, odd, at / 2);
    view(odd, at + len + rest);
  }
  free(odd);
}

static void each(const char *path) {
  FILE *f = fopen(path, "r");
  static char text[1 << 16];
  if (!f)
    return;
  size_t n = fread(text, 1, sizeof text, f);
  fclose(f);
  file = path;
  cut(text, n);
  disturb(text, n);
}

// of the tree; `step`: each so-many-th
static size_t all(const char *tree, const char *pattern, size_t step) {
  char name[4096];
  glob_t found;
  snprintf(name, sizeof name, "%s/%s", tree, pattern);
  if (glob(name, 0, NULL, &found) != 0)
    return 0;
  size_t n = found.gl_pathc;
  for (size_t i = 0; i < n; i += step)
    each(found.gl_pathv[i]);
  globfree(&found);
  return n;
}

// Words without end: the work grows as the text does.
static void repeat(const char *piece) {
  size_t len = piece[0] ? strlen(piece) : 1, times = 20000 / len + 1;
  char *text = malloc(len * times + 32);
  size_t n = (size_t)sprintf(text, "#include <fermata.h>\n");
  for (size_t i = 0; i < times; i++, n += len)
    memcpy(text + n, piece, len);
  file = piece;
  view(text, n);
  free(text);
}

int main(void) {
  char tree[4096];
  alarm(50);
  snprintf(tree, sizeof tree, "%s", __FILE__);
  char *end = strstr(tree, "test/unit/");
  strcpy(end == tree ? tree : end - 1, end == tree ? "." : "");
  size_t n = all(tree, "examples/*.c", 1) + all(tree, "examples/*/*.c", 2);
  n += all(tree, "test/run/async-*.c", 9) + all(tree, "test/headers/editor*.c", 1);
  if (n < 100) {
    printf("only %zu files below %s\n", n, tree);
    return 1;
  }
  file = "nothing";
  view("", 0);
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
    repeat(pieces[i]);
  repeat("race { case f(): ");
  repeat("scope (s) { activate { job { ");
  repeat("catch each (struct x e) ");
  repeat("async int f(void) throws(");
  fprintf(stderr, "%ld views\n", views);
  return 0;
}
