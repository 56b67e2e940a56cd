// harness.c: what the fuzzer calls: one preprocessed text through the translator, printed from the
// tree for gcc and copied verbatim for clang. Under AFL++ one process takes many texts; built
// plainly it takes files (or standard input), to look at what was found: build/fuzz/replay FILE...
#include "../compiler/translate.h"

#include <stdlib.h>
#include <unistd.h>

#ifndef __AFL_LOOP
#include <errno.h>
#endif

static void translate_as(const char *text, size_t len, TranslateMode mode, bool clang) {
  TranslateOptions opt = { .mode = mode, .clang = clang, .max_errors = 20 };
  Buf out = { 0 };
  translate("input.i", text, len, &opt, &out, NULL);
  buf_free(&out);
}

// The text gets a block of its own, just large enough, so that reading past its end is noticed.
static void try_text(const unsigned char *bytes, size_t len) {
  char *text = malloc(len + 1);
  if (!text)
    abort();
  memcpy(text, bytes, len);
  text[len] = '\0';
  translate_as(text, len, TRANSLATE_REPRINT, false);
  translate_as(text, len, TRANSLATE_VERBATIM, true);
  free(text);
}

#ifdef __AFL_LOOP

__AFL_FUZZ_INIT();

int main(void) {
  __AFL_INIT();
  unsigned char *bytes = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(2000))
    try_text(bytes, (size_t)__AFL_FUZZ_TESTCASE_LEN);
  return 0;
}

#else

static int try_file(const char *path) {
  Buf in = { 0 };
  if (!buf_read_file(&in, path)) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 1;
  }
  try_text((const unsigned char *)(in.data ? in.data : ""), in.len);
  buf_free(&in);
  return 0;
}

int main(int argc, char **argv) {
  int status = 0;
  if (argc < 2)
    return try_file("-");
  for (int i = 1; i < argc; i++)
    status |= try_file(argv[i]);
  return status;
}

#endif
