// A deadlock is thrown in the one that blocked last, whatever of the library it waits for; what it waited for can be used further.
#include "parts/async.h"
#include <fermata/sync.h>

typedef fm_chan(int) int_chan;
typedef fm_mvar(int) int_mvar;
static fm_sem sem;
static fm_mutex mutex;
static int_chan chan;
static int_mvar mvar;

static async void waits(int n) throws(struct fm_closed) {
  defer printf("left ");
  switch (n) {
  case 0: fm_sem_wait(&sem); break;
  case 1: fm_lock(&mutex); fm_lock(&mutex); break;
  case 2: fm_recv(&chan); break;
  case 3: fm_send(&chan, 1); break;
  case 4: race { case fm_recv(&chan): break; case fm_take(&mvar): break; } break;
  case 5: scope (s) activate { fm_take(&mvar); } break;
  }
}

async int main(void) throws(struct fm_closed) {
  fm_sem_init(&sem, 0);
  fm_mutex_init(&mutex);
  fm_chan_init(&chan, 0);
  fm_mvar_init(&mvar);
  for (int i = 0; i < 6; i++) {
    try {
      await spawn waits(i);
      printf("no deadlock\n");
    } catch (struct fm_deadlock d) {
      (void)d;
      printf("caught\n");
    }
  }
  fm_sem_post(&sem);
  fm_sem_wait(&sem);
  fm_put(&mvar, 7);
  printf("%d\n", fm_take(&mvar));
  return 0;
}
// expect: left caught
// expect: left caught
// expect: left caught
// expect: left caught
// expect: left caught
// expect: left caught
// expect: 7
