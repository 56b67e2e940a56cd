// json.c FILE: six activities read a document with cJSON, each of whose functions is async here,
// and two more walk over the trees that are ready. Automatic yields let them take turns.
#include <fermata.h>
#include <fermata/sync.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READERS = 6, WALKERS = 2, DOCUMENTS = 24, ROOM = 4 };

// As in cJSON.h.
typedef struct cJSON {
  struct cJSON *next, *prev, *child;
  int type;
  char *valuestring;
  int valueint;
  double valuedouble;
  char *string;
} cJSON;
async cJSON *cJSON_ParseWithLength(const char *value, size_t length);
async void cJSON_Delete(cJSON *item);
async int cJSON_GetArraySize(const cJSON *array);
async cJSON *cJSON_GetObjectItemCaseSensitive(const cJSON *object,
                                              const char *name);

static char text[1 << 22];
static size_t length;
static int next_document;
static long ids;
static fm_chan(cJSON *) trees;

static async void reader(void) {
  while (next_document < DOCUMENTS) {
    next_document++;
    cJSON *tree = cJSON_ParseWithLength(text, length);
    if (!tree)
      abort();
    try {
      fm_send(&trees, tree);
    } catch (struct fm_closed) {
      return;
    }
  }
}

static async void walker(void) {
  cJSON *tree;
  while (fm_recv_or_closed(&trees, &tree)) {
    for (cJSON *item = tree->child; item; item = item->next) {
      cJSON *id = cJSON_GetObjectItemCaseSensitive(item, "id");
      cJSON *parts = cJSON_GetObjectItemCaseSensitive(item, "parts");
      ids += id->valueint + cJSON_GetArraySize(parts);
    }
    cJSON_Delete(tree);
  }
}

async int main(int argc, char **argv) {
  FILE *in = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!in)
    return 2;
  length = fread(text, 1, sizeof text - 1, in);
  fclose(in);
  fm_chan_init(&trees, ROOM);
  scope {
    for (int i = 0; i < WALKERS; i++)
      spawn walker();
    scope {
      for (int i = 0; i < READERS; i++)
        spawn reader();
    }
    fm_chan_close(&trees);
  }
  printf("%ld\n", ids);
  return 0;
}
