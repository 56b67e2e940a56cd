// xml.c FILE: eight activities read a document with expat, each of whose functions is async here,
// in pieces of 16 KB as they come from a network; their handlers count in one table. Automatic
// yields let them take turns.
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READERS = 8, DOCUMENTS = 3, PIECE = 1 << 14 };

// As in expat.h.
typedef struct XML_ParserStruct *XML_Parser;
async XML_Parser XML_ParserCreate(const char *encoding);
async void XML_SetUserData(XML_Parser p, void *data);
async void XML_SetStartElementHandler(
    XML_Parser p,
    async void (*handler)(void *data, const char *name, const char **more));
async void XML_SetCharacterDataHandler(
    XML_Parser p, async void (*handler)(void *data, const char *text, int n));
async int XML_Parse(XML_Parser p, const char *text, int n, int last);
async void XML_ParserFree(XML_Parser p);

static char text[1 << 22];
static int length;
static struct {
  long elements, characters;
} all;

static async void on_start(void *data, const char *name, const char **more) {
  (void)more;
  ++*(long *)data;
  if (strcmp(name, "order") == 0)
    all.elements++;
}

static async void on_text(void *data, const char *s, int n) {
  (void)data;
  (void)s;
  all.characters += n;
}

static async void reader(unsigned number) {
  long elements = 0;
  for (int i = 0; i < DOCUMENTS; i++) {
    XML_Parser p = XML_ParserCreate(NULL);
    XML_SetUserData(p, &elements);
    XML_SetStartElementHandler(p, on_start);
    XML_SetCharacterDataHandler(p, on_text);
    for (int at = 0; at < length; at += PIECE) {
      int n = length - at < PIECE ? length - at : PIECE;
      fm_sleep(1 + number % 3);
      if (!XML_Parse(p, text + at, n, at + n == length))
        abort();
    }
    XML_ParserFree(p);
  }
}

async int main(int argc, char **argv) {
  FILE *in = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!in)
    return 2;
  length = (int)fread(text, 1, sizeof text - 1, in);
  fclose(in);
  scope {
    for (unsigned i = 0; i < READERS; i++)
      spawn reader(i);
  }
  printf("%ld elements, %ld characters\n", all.elements, all.characters);
  return 0;
}
