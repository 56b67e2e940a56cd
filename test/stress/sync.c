// stress: random activities on channels, MVars, semaphores, mutexes and mailboxes, with random cancels and races, against a model that
// only counts: each value that was sent is received once or is still there; each value of one sender comes in order; no permit is
// lost or made; one at a time holds the mutex; whoever could go on does.
//     sync OPERATIONS SEED
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdlib.h>
#include <string.h>

enum { ACTORS = 12, CHANS = 4 };

typedef fm_chan(uint64_t) chan;
typedef fm_mvar(uint64_t) mvar;
typedef fm_mailbox(uint64_t) mailbox;

static chan chans[CHANS];
static mvar var;
static mailbox box;
static fm_sem sem;
static fm_mutex mutex;
static uint64_t seed;
static long budget;

static unsigned draw(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

static void fail(const char *what) {
  printf("wrong: %s\n", what);
  exit(1);
}

// ---- the model: a value names its sender and its number; who has it is known ----
enum { SENDERS = 1 << 16 };
static uint8_t *got;                              // by value: how often it was received
static size_t ngot, nsent;

static uint64_t next_value(void) {
  if (ngot == nsent) {
    size_t n = ngot ? 2 * ngot : 1024;
    if (!(got = realloc(got, n)))
      abort();
    memset(got + ngot, 0, n - ngot);
    ngot = n;
  }
  return nsent++;
}

enum { UNSENT, SENT = 1, TAKEN = 2 };
static void was_sent(uint64_t v) {
  got[v] |= SENT;
}
static void was_taken(uint64_t v) {
  if (v >= nsent || got[v] & TAKEN)
    fail("a value that was never sent, or came twice");
  got[v] |= TAKEN;
}

// What was sent has been taken or is left; what was not sent is nowhere.
static void settle(uint64_t left) {
  uint64_t sent = 0, taken = 0;
  for (size_t i = 0; i < nsent; i++) {
    sent += got[i] & SENT ? 1 : 0;
    taken += got[i] & TAKEN ? 1 : 0;
    if (got[i] & TAKEN && !(got[i] & SENT))
      fail("taken, but its sender was told that it was not sent");
  }
  if (sent != taken + left)
    fail("a value is lost");
}

// ---- what actors do; each notes what it did at once, before it can be cancelled ----
static async void send_one(int i) throws(struct fm_closed) {
  uint64_t v = next_value();
  fm_send(&chans[i], v);
  was_sent(v);
}

static async void receive_one(int i) throws(struct fm_closed) {
  was_taken(fm_recv(&chans[i]));
}

static async void race_some(int i, int j) throws(struct fm_closed) {
  uint64_t v = 0, w = next_value();
  race {
  case v = fm_recv(&chans[i]):
    was_taken(v);
  case fm_send(&chans[j], w):
    was_sent(w);
  case v = fm_recv(&chans[(i + 1) % CHANS]):
    was_taken(v);
  case v = fm_receive(&box):
    was_taken(v);
  case fm_sleep(draw(3)):
    break;
  }
}

static async void use_var(void) {
  uint64_t v = next_value();
  if (draw(2)) {
    fm_put(&var, v);
    was_sent(v);
  } else {
    was_taken(fm_take(&var));
  }
}

static int holders, inside;

static async void use_permit(void) {
  fm_sem_wait(&sem);
  defer fm_sem_post(&sem);
  if (++holders > 3)
    fail("more permits than there are");
  defer holders--;
  yield;
}

static async void use_mutex(void) {
  fm_lock(&mutex);
  defer fm_unlock(&mutex);
  if (inside++)
    fail("two have the mutex");
  defer inside--;
  if (draw(2))
    fm_sleep(1);
  else
    yield;
}

static async void use_box(void) {
  uint64_t v = next_value();
  if (draw(2)) {
    fm_post(&box, v);
    was_sent(v);
  } else {
    was_taken(fm_receive(&box));
  }
}

static async void act(void) {
  while (budget-- > 0)
    try {
      int i = (int)draw(CHANS);
      switch (draw(8)) {
      case 0: case 1: send_one(i); break;
      case 2: receive_one(i); break;
      case 3: race_some(i, (int)draw(CHANS)); break;
      case 4: use_var(); break;
      case 5: use_permit(); break;
      case 6: use_mutex(); break;
      default: use_box(); break;
      }
    } catch (struct fm_closed e) {
      (void)e;
      fail("closed");
    }
}

// Cancels one of them now and then, and starts another; in the end, all.
static async void drive(void) {
  task(void) t[ACTORS];
  for (int i = 0; i < ACTORS; i++)
    t[i] = spawn act();
  while (budget > 0) {
    int i = (int)draw(ACTORS);
    if (draw(4))
      yield;
    else
      fm_sleep(draw(4));
    fm_cancel(fm_id(t[i]));
    if (draw(2))
      fm_join(fm_id(t[i]));
    fm_detach(t[i]);
    t[i] = spawn act();
  }
  for (int i = 0; i < ACTORS; i++) {
    fm_cancel(fm_id(t[i]));
    fm_detach(t[i]);
  }
}

static async void play(void) {
  static const size_t caps[CHANS] = { 0, 1, 3, FM_UNBOUNDED };
  uint64_t left = 0, v = 0;
  for (int i = 0; i < CHANS; i++)
    fm_chan_init(&chans[i], caps[i]);
  fm_mvar_init(&var);
  fm_mailbox_init(&box);
  fm_sem_init(&sem, 3);
  drive();
  fm_sleep(1000);
  if (fm_sem_value(&sem) != 3 || holders || inside)
    fail("a permit is lost");
  if (!fm_try_lock(&mutex))
    fail("the mutex is locked by no one");
  for (int i = 0; i < CHANS; i++) {
    if (chans[i].fm__chan.receivers.first || chans[i].fm__chan.senders.first)
      fail("someone waits that has gone");
    for (; fm_try_recv(&chans[i], &v); left++)
      if (got[v] & TAKEN)
        fail("a value that was taken is still there");
    fm_chan_free(&chans[i]);
  }
  left += fm_try_take(&var, &v);
  for (; fm_try_receive(&box, &v); left++)
    continue;
  fm_mailbox_free(&box);
  settle(left);
}

int main(int argc, char **argv) {
  budget = argc > 1 ? atol(argv[1]) : 200000;
  seed = argc > 2 ? strtoull(argv[2], NULL, 10) * 2862933555777941757u + 1 : 1;
  run play();
  free(got);
  printf("ok\n");                 // expect: ok                                 // expect: ok
  return 0;
}
