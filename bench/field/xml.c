// xml.c FILE RECORDS: reads the document again and again with expat, in pieces of 64 KB, as from a
// network; nanoseconds a kilobyte, the best of many chunks. Built as it is, and with every function
// of this and of expat made async.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <expat.h>
#include "../clock.h"

enum { PIECE = 1 << 16 };
static char text[1 << 22];

struct seen {
  long elements, sum, characters;
};

static void
on_start(void *data, const XML_Char *name, const XML_Char **attributes) {
  struct seen *seen = data;
  seen->elements++;
  if (!strcmp(name, "order") && attributes[0] && !strcmp(attributes[0], "id"))
    seen->sum += atol(attributes[1]);
}

static void on_text(void *data, const XML_Char *s, int n) {
  struct seen *seen = data;
  (void)s;
  seen->characters += n;
}

static struct seen parse(int length) {
  struct seen seen = { 0, 0, 0 };
  XML_Parser p = XML_ParserCreate(NULL);
  XML_SetUserData(p, &seen);
  XML_SetStartElementHandler(p, on_start);
  XML_SetCharacterDataHandler(p, on_text);
  for (int at = 0; at < length; at += PIECE) {
    int n = length - at < PIECE ? length - at : PIECE;
    if (!XML_Parse(p, text + at, n, at + n == length))
      abort();
  }
  XML_ParserFree(p);
  return seen;
}

int main(int argc, char **argv) {
  FILE *in = argc > 2 ? fopen(argv[1], "rb") : NULL;
  double best = 0;
  long records, length;
  if (!in)
    return 2;
  records = atol(argv[2]);
  length = (long)fread(text, 1, sizeof text - 1, in);
  fclose(in);
  for (int k = 0; k < chunks(60); k++) {
    double start = cpu_now();
    struct seen seen = parse((int)length);
    keep_best(&best, cpu_now() - start);
    if (seen.elements != 1 + 8 * records ||
        seen.sum != records * (records - 1) / 2)
      abort();
  }
  printf("parse %.2f\n", best / (double)length * 1024);
  return 0;
}
