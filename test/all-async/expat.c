// expat.c FILE...: parses each file with expat, whole and in pieces of several sizes, and prints what comes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <expat.h>

static char text[1 << 20];

static void on_start(void *data, const XML_Char *name, const XML_Char **attributes) {
  printf("%*s<%s", *(int *)data, "", name);
  for (; *attributes; attributes += 2) printf(" %s=[%s]", attributes[0], attributes[1]);
  puts(">");
  ++*(int *)data;
}

static void on_end(void *data, const XML_Char *name) { printf("%*s</%s>\n", --*(int *)data, "", name); }

static void on_text(void *data, const XML_Char *s, int n) { printf("%*s\"%.*s\"\n", *(int *)data, "", n, s); }

static void on_comment(void *data, const XML_Char *s) { printf("%*s<!--%s-->\n", *(int *)data, "", s); }

static void on_instruction(void *data, const XML_Char *target, const XML_Char *s) {
  printf("%*s<?%s %s?>\n", *(int *)data, "", target, s);
}

static void on_doctype(void *data, const XML_Char *name, const XML_Char *system, const XML_Char *public, int internal) {
  (void)data;
  printf("doctype %s %s %s %d\n", name, system ? system : "-", public ? public : "-", internal);
}

static void on_entity(void *data, const XML_Char *name, int parameter, const XML_Char *value, int n, const XML_Char *base,
                      const XML_Char *system, const XML_Char *public, const XML_Char *notation) {
  (void)data, (void)base, (void)system, (void)public, (void)notation;
  printf("entity %s %d %.*s\n", name, parameter, value ? n : 1, value ? value : "-");
}

static int parse_pieces(XML_Parser p, int length, int piece) {
  for (int at = 0; at < length; at += piece) {
    int n = length - at < piece ? length - at : piece;
    if (!XML_Parse(p, text + at, n, at + n == length)) return 0;
  }
  return 1;
}

static void parse(const char *name, int length, int piece, const char *encoding) {
  int depth = 0;
  XML_Parser p = strchr(name, 'n') ? XML_ParserCreateNS(encoding, '|') : XML_ParserCreate(encoding);
  XML_SetUserData(p, &depth);
  XML_SetElementHandler(p, on_start, on_end);
  XML_SetCharacterDataHandler(p, on_text);
  XML_SetCommentHandler(p, on_comment);
  XML_SetProcessingInstructionHandler(p, on_instruction);
  XML_SetStartDoctypeDeclHandler(p, on_doctype);
  XML_SetEntityDeclHandler(p, on_entity);
  if (parse_pieces(p, length, piece)) printf("%s in pieces of %d: read\n", name, piece);
  else {
    printf("%s in pieces of %d: %s at %lu:%lu\n", name, piece, XML_ErrorString(XML_GetErrorCode(p)),
           (unsigned long)XML_GetCurrentLineNumber(p), (unsigned long)XML_GetCurrentColumnNumber(p));
  }
  XML_ParserFree(p);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    FILE *in = fopen(argv[i], "rb");
    if (!in) return 2;
    int length = (int)fread(text, 1, sizeof text, in);
    fclose(in);
    parse(argv[i], length, length ? length : 1, NULL);
    parse(argv[i], length, 17, NULL);
    parse(argv[i], length, 1, "ISO-8859-1");
  }
  return 0;
}
