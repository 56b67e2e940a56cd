// A message is put together: its length is read, a stamp is fetched, and text is added at the end.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <string.h>

static char text[64];
static size_t length;
static fm_sem clock_lock;

static async char stamp(void) {
  fm_sem_wait(&clock_lock);
  fm_sem_post(&clock_lock);
  return '#';
}

static async void add(const char *word) {
#ifdef MENDED
  char s = stamp();
  size_t at = length;
#else
  size_t at = length;
  char s = stamp();
#endif
  text[at] = s;
  strcpy(text + at + 1, word);
  length = at + 1 + strlen(word);
}

async int main(void) {
  fm_sem_init(&clock_lock, 1);
  scope {
    spawn add("one");
    spawn add("three");
  }
  assert(length == 2 + strlen("one") + strlen("three"));
  return 0;
}
