// files.h: the file that files.c and files-plain.c read, and their checks.
#ifndef FILES_H
#define FILES_H
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

static void remove_files(void) {
  unlink(FROM);
  unlink(TO);
}
#endif
