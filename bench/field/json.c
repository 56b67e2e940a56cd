// json.c FILE RECORDS: reads the document again and again with cJSON; nanoseconds a kilobyte, the
// best of many chunks. Built as it is, and with every function of this and of cJSON made async.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cJSON.h"
#include "../clock.h"

static char text[1 << 22];

// Whether the tree has what documents.awk wrote.
static int is_right(const cJSON *tree, int records) {
  const cJSON *item;
  long sum = 0;
  cJSON_ArrayForEach(item, tree) {
    const cJSON *parts = cJSON_GetObjectItemCaseSensitive(item, "parts");
    sum += cJSON_GetObjectItemCaseSensitive(item, "id")->valueint;
    if (cJSON_GetArraySize(parts) != 2)
      return 0;
  }
  return cJSON_GetArraySize(tree) == records &&
         sum == (long)records * (records - 1) / 2;
}

static double time_of(size_t length) {
  double start = cpu_now();
  cJSON *tree = cJSON_ParseWithLength(text, length);
  start = cpu_now() - start;
  if (!tree)
    abort();
  cJSON_Delete(tree);
  return start;
}

int main(int argc, char **argv) {
  FILE *in = argc > 2 ? fopen(argv[1], "rb") : NULL;
  double best = 0;
  size_t length;
  cJSON *tree;
  if (!in)
    return 2;
  length = fread(text, 1, sizeof text - 1, in);
  fclose(in);
  for (int k = 0; k < chunks(60); k++)
    keep_best(&best, time_of(length));
  tree = cJSON_ParseWithLength(text, length);
  if (!is_right(tree, atoi(argv[2])))
    abort();
  cJSON_Delete(tree);
  printf("parse %.2f\n", best / (double)length * 1024);
  return 0;
}
