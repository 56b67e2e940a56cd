// Conditions: a signal that comes to an arm of a race that then loses, or to one that is then cancelled, is the next one's.
// env: FERMATA_DRIVER=virtual
// env: FERMATA_TICK=off
#include <fermata.h>
#include <fermata/sync.h>

typedef fm_chan(int) int_chan;
static fm_mutex mutex;
static fm_cond cond;
static int items;

static async void take_item(const char *who) {
  fm_lock(&mutex);
  defer fm_unlock(&mutex);
  while (!items)
    fm_cond_wait(&cond, &mutex);
  items--;
  printf("%s has it\n", who);
}

static async void take_or_hear(int_chan *c) throws(struct fm_closed) {
  race {
  case take_item("the arm"): printf("the arm has won\n");
  case fm_recv(c): printf("heard\n");
  }
}

static async void signals(void) throws(struct fm_closed) {
  int_chan c;
  fm_chan_init(&c, 0);
  scope(s) {                                      // while it waits for the mutex
    spawn take_or_hear(&c);
    yield;
    spawn take_item("the next one");
    yield;
    fm_lock(&mutex);
    items = 1;
    fm_cond_signal(&cond);
    fm_send(&c, 1);
    fm_unlock(&mutex);
  }
  scope(s) {                                      // when it already has the mutex
    spawn take_or_hear(&c);
    yield;
    spawn take_item("the next one");
    yield;
    items = 1;
    fm_cond_signal(&cond);
    fm_send(&c, 1);
  }
  scope(s) {
    auto t = spawn take_item("one that is cancelled");
    yield;
    spawn take_item("the next one");
    yield;
    items = 1;
    fm_cond_signal(&cond);
    fm_cancel(fm_id(t));
    fm_detach(t);
  }
}

async int main(void) {
  try {
    signals();
    // expect: the next one has it
    // expect: heard
    // expect: the next one has it
    // expect: heard
    // expect: the next one has it
  } catch (struct fm_closed e) {
    (void)e;
  }
  return 0;
}
