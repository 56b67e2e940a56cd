// Arms of race that wait for channels: no value is lost and none is taken twice, also when several are ready in one step.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) int_chan;
typedef fm_mailbox(int) int_box;

static int_chan a, b;
static int_box box;

static async void feed(void) throws(struct fm_closed) { // both become ready in one step
  fm_send(&a, 1);
  fm_send(&b, 2);
}

static async int either(void) throws(struct fm_closed) {
  int v = 0;
  race {
  case v = fm_recv(&a):
    v += 10;
  case v = 2 * fm_recv(&b):
    v += 20;
  }
  return v;
}

static async void of_two(void) throws(struct fm_closed) {
  fm_chan_init(&a, 0);
  fm_chan_init(&b, 0);
  scope(s) {
    spawn feed();
    printf("%d\n", either());
    printf("%d\n", either());
  }
}

static async void nothing_is_lost(void) throws(struct fm_closed) {
  int sum = 0, n = 0;
  fm_chan_init(&a, 1);
  fm_chan_init(&b, 0);
  scope(s) {
    spawn feed();
    spawn feed();
    spawn feed();
    for (n = 0; n < 6; n++) {
      int v = 0;
      race {
      case v = fm_recv(&a):
        sum += v;
      case v = fm_recv(&b):
        sum += v;
      case fm_sleep(1000):
        printf("late\n");
      }
    }
  }
  printf("%d of %d\n", sum, n);
}

static async void send_or_receive(void) throws(struct fm_closed) {
  int v = 0;
  fm_chan_init(&a, 0);
  race {                                          // not with itself
  case fm_send(&a, 1):
    printf("sent\n");
  case v = fm_recv(&a):
    printf("received %d\n", v);
  case fm_sleep(5):
    printf("nobody there\n");
  }
  scope(s) {
    activate {
      try {
        printf("other: %d\n", fm_recv(&a));
      } catch (struct fm_closed e) {
        (void)e;
      }
    }
    race {
    case fm_send(&a, 7):
      printf("sent\n");
    case v = fm_recv(&a):
      printf("received %d\n", v);
    }
  }
}

static async void closing(void) {
  fm_chan_init(&a, 0);
  activate {
    yield;
    fm_chan_close(&a);
  }
  try {
    race {
    case fm_recv(&a):
      printf("a value\n");
    case fm_sleep(1000):
      printf("late\n");
    }
  } catch (struct fm_closed e) {
    (void)e;
    printf("closed\n");
  }
}

// Who wins a mutex by a race has it, and unlocks it.
static fm_mutex mutex;

static async void lock_for(int ms) {
  fm_lock(&mutex);
  defer fm_unlock(&mutex);
  fm_sleep(ms);
}

static async void locks(void) {
  auto t = spawn lock_for(10);
  yield;
  race {
  case fm_lock(&mutex): printf("locked\n");
  case fm_sleep(5): printf("too late\n");
  }
  race {
  case fm_lock(&mutex): printf("locked\n");
  case fm_sleep(50): printf("too late\n");
  }
  auto u = spawn lock_for(0);
  yield;
  fm_unlock(&mutex);
  await t;
  await u;
  race {
  case fm_lock(&mutex): printf("locked at once\n");
  case fm_sleep(50): printf("too late\n");
  }
  fm_unlock(&mutex);
}

static async void mail(void) {
  int v = 0;
  fm_mailbox_init(&box);
  race {
  case v = fm_receive(&box):
    printf("mail %d\n", v);
  case fm_sleep(5):
    printf("no mail\n");
  }
  fm_post(&box, 3);
  race {
  case v = fm_receive(&box):
    printf("mail %d\n", v);
  case fm_sleep(5):
    printf("no mail\n");
  }
  fm_mailbox_free(&box);
}

async int main(void) {
  try {
    of_two();
    // expect: 11
    // expect: 24
    nothing_is_lost();                            // expect: 9 of 6
    send_or_receive();
    // expect: nobody there
    // expect: other: 7
    // expect: sent
    fm_chan_free(&a);
    locks();
    // expect: too late
    // expect: locked
    // expect: locked at once
  } catch (struct fm_closed e) {
    (void)e;
  }
  closing();                                      // expect: closed
  mail();
  // expect: no mail
  // expect: mail 3
  return 0;
}
// env: FERMATA_DRIVER=virtual
// env: FERMATA_TICK=off
