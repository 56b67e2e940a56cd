// A session is found, then a question is asked of the store; meanwhile it may have expired.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdbool.h>
#include <stddef.h>

struct session {
  bool alive;
  int uses;
};
static struct session only = { true, 0 };
static struct session *current = &only;
static fm_sem store;

static async void ask_store(void) {
  fm_sem_wait(&store);
  fm_sem_post(&store);
}

static void use(struct session *s) {
  assert(s->alive);
  s->uses++;
}

static async void serve(void) {
  for (int i = 0; i < 4; i++) {
    struct session *s = current;
    if (!s)
      return;
    ask_store();
#ifdef MENDED
    atomic {
      if ((s = current))
        use(s);
    }
#else
    use(s);
#endif
  }
}

static async void expire(void) {
  fm_sleep(1000);
  only.alive = false;
  current = NULL;
}

async int main(void) {
  fm_sem_init(&store, 1);
  auto a = spawn expire();
  auto b = spawn serve();
  await b;
  await a;
  return 0;
}
