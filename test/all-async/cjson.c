// cjson.c FILE...: reads each file with cJSON, prints it in every way that cJSON has, compares and changes copies of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cJSON.h"
#include "cJSON_Utils.h"

static char *read_all(const char *name) {
  FILE *in = fopen(name, "rb");
  char *text = calloc(1, 1 << 20);
  if (!in || !text) exit(2);
  text[fread(text, 1, (1 << 20) - 1, in)] = 0;
  fclose(in);
  return text;
}

static void show(const char *what, char *text) {
  printf("%s: %s\n", what, text ? text : "(none)");
  free(text);
}

// Every value by itself, with the path that leads to it.
static void walk(cJSON *root, cJSON *item, int depth) {
  char *path = cJSONUtils_FindPointerFromObjectTo(root, item);
  printf("%*s%s %d %g %s\n", depth, "", path ? path : "?", item->type, item->valuedouble, item->string ? item->string : "");
  free(path);
  for (cJSON *child = item->child; child; child = child->next) walk(root, child, depth + 1);
}

// What leads from one document to another, and whether it does.
static void patch(cJSON *from, cJSON *to) {
  cJSON *patches = cJSONUtils_GeneratePatchesCaseSensitive(from, to), *merge = cJSONUtils_GenerateMergePatch(from, to);
  cJSON *copy = cJSON_Duplicate(from, 1);
  show("patches", cJSON_PrintUnformatted(patches));
  printf("applied: %d\n", cJSONUtils_ApplyPatchesCaseSensitive(copy, patches));
  printf("equal: %d\n", cJSON_Compare(copy, to, 1));
  cJSON_Delete(copy);
  copy = cJSONUtils_MergePatchCaseSensitive(cJSON_Duplicate(from, 1), merge);
  show("merged", cJSON_PrintUnformatted(copy));
  cJSON_Delete(copy);
  cJSON_Delete(merge);
  cJSON_Delete(patches);
}

static cJSON *document(const char *name) {
  char *text = read_all(name);
  const char *end = NULL;
  cJSON *tree = cJSON_ParseWithOpts(text, &end, 0);
  printf("%s: %s, %td bytes read\n", name, tree ? "read" : "refused", end ? end - text : -1);
  cJSON_Minify(text);
  printf("minified: %s\n", text);
  free(text);
  return tree;
}

int main(int argc, char **argv) {
  cJSON *before = cJSON_CreateObject();
  cJSON_AddStringToObject(before, "name", "first");
  for (int i = 1; i < argc; i++) {
    cJSON *tree = document(argv[i]), *sorted;
    if (!tree) continue;
    show("formatted", cJSON_Print(tree));
    show("buffered", cJSON_PrintBuffered(tree, 3, 1));
    walk(tree, tree, 0);
    sorted = cJSON_Duplicate(tree, 1);
    cJSONUtils_SortObject(sorted);
    show("sorted", cJSON_PrintUnformatted(sorted));
    patch(before, sorted);
    cJSON_Delete(sorted);
    cJSON_Delete(before);
    before = tree;
  }
  cJSON_Delete(before);
  return 0;
}
