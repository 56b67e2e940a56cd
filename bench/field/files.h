// files.h: the file that files.c and files-plain.c read, their checks and their times.
#ifndef FILES_H
#define FILES_H
#include "../clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 8 << 20, CHUNKS = 20 };
#define FROM "field-from.tmp"
#define TO "field-to.tmp"

static char contents[SIZE], copied_contents[SIZE];

static void check(int ok) {
  if (!ok)
    abort();
}

static void make_file(void) {
  unsigned x = 1;
  for (int i = 0; i < SIZE; i++) {
    x = x * 1664525u + 1013904223u;
    contents[i] = (char)(x >> 24);
  }
  FILE *f = fopen(FROM, "wb");
  check(f && fwrite(contents, 1, SIZE, f) == SIZE && fclose(f) == 0);
}

static int is_copy(void) {
  FILE *f = fopen(TO, "rb");
  check(f && fread(copied_contents, 1, SIZE, f) == SIZE && fclose(f) == 0);
  return memcmp(contents, copied_contents, SIZE) == 0;
}

// ---- times: of reads, and of copies in pieces of each size ----
static const size_t sizes[] = { 4096, 65536 };
static double best[3];

static void note_reads(double start, long reads) {
  keep_best(&best[0], (cpu_now() - start) / (double)reads);
  check(reads == SIZE / 4096);
}

static void note_copy(double start, int size, long copied) {
  keep_best(&best[1 + size], (cpu_now() - start) / (SIZE / 1024));
  check(copied == SIZE && is_copy());
}

// All of it. It is text, because in files.c these are calls of async functions.
#define MEASURE_FILES()                                \
  do {                                                 \
    for (int k = 0; k < chunks(CHUNKS); k++) {         \
      double start = cpu_now();                        \
      note_reads(start, read_all(FROM, 4096));         \
      for (int i = 0; i < 2; i++) {                    \
        start = cpu_now();                             \
        note_copy(start, i, copy(FROM, TO, sizes[i])); \
      }                                                \
    }                                                  \
  } while (0)

static void print_times(void) {
  printf("read4k %.1f\ncopy4k %.1f\ncopy64k %.1f\n", best[0], best[1], best[2]);
}

static void remove_files(void) {
  unlink(FROM);
  unlink(TO);
}
#endif
