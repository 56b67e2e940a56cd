// One arm of a race is cancelled by itself. If it ends with that, it is the first to end, and the
// race throws; what another arm would have received stays where it is, in this domain and in
// another. If it has something to tidy up first, another arm may win meanwhile.
// env: FERMATA_TICK=off
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) chan;
static chan far[2], near[2];
static fm_activity arm;
static fm_sem ready, armed, stop;

static async int get(chan *c) throws(struct fm_closed) {
  arm = fm_self();
  fm_sem_post(&armed);
  return fm_recv(c);
}

static async int get_and_tidy(chan *c) throws(struct fm_closed) {
  try {
    return get(c);
  } finally {
    fm_sleep(60);
  }
}

static async void own(void) {
  fm_chan_init(&far[0], 0);
  fm_chan_init(&far[1], 0);
  fm_sem_post(&ready);
  fm_sem_wait(&stop);
}

static async void cancels(chan *to) throws(struct fm_closed) {
  fm_sem_wait(&armed);
  fm_sleep(3);
  fm_cancel(arm);
  fm_sleep(3);
  race {
  case fm_send(to, 7):
    puts("  sent");
  case fm_sleep(20):
    puts("  not sent");
  }
}

static async void ends(chan *x, chan *y) throws(struct fm_closed) {
  int v = 0;
  scope (s) {
    (void)s;
    spawn cancels(x);
    try {
      race {
      case v = fm_recv(x):
        printf("  first %d\n", v);
      case v = get(y):
        printf("  second %d\n", v);
      }
    } catch (struct fm_cancelled e) {
      (void)e;
      puts("  cancelled");
    }
  }
}

static async void tidies(chan *x, chan *y) throws(struct fm_closed) {
  int v = 0;
  scope (s) {
    (void)s;
    spawn cancels(x);
    race {
    case v = fm_recv(x):
      printf("  first %d\n", v);
    case v = get_and_tidy(y):
      printf("  second %d\n", v);
    }
  }
}

async int main(void) throws(struct fm_closed) {
  fm_pool *p = fm_pool_new(1);
  fm_sem_init(&ready, 0);
  fm_sem_init(&armed, 0);
  fm_sem_init(&stop, 0);
  fm_chan_init(&near[0], 0);
  fm_chan_init(&near[1], 0);
  auto t = spawn on(p) own();
  fm_sem_wait(&ready);
  puts("here");                // expect: here
  ends(&near[0], &near[1]);    // expect:   cancelled
                               // expect:   not sent
  puts("there");               // expect: there
  ends(&far[0], &far[1]);      // expect:   cancelled
                               // expect:   not sent
  puts("both");                // expect: both
  ends(&near[0], &far[1]);     // expect:   cancelled
                               // expect:   not sent
  ends(&far[0], &near[1]);     // expect:   cancelled
                               // expect:   not sent
  puts("tidies here");         // expect: tidies here
  tidies(&near[0], &near[1]);  // expect:   sent
                               // expect:   first 7
  puts("tidies there");        // expect: tidies there
  tidies(&far[0], &far[1]);    // expect:   sent
                               // expect:   first 7
  puts("tidies, both");        // expect: tidies, both
  tidies(&far[0], &near[1]);   // expect:   sent
                               // expect:   first 7
  fm_sem_post(&stop);
  await t;
  fm_pool_free(p);
  return 0;
}
