// Channels between domains, at random: in each of several domains senders and receivers on channels that belong to each of them;
// activities are cancelled from anywhere, races give up receives. Every value that was sent is received once, or is still there.
// flags: -pthread
// expect: nothing is lost
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

#include <stdatomic.h>
#include <stdlib.h>

enum { CHANS = 6, WORKERS = 24, IN_A_ROUND = 480, VALUES = 1 << 20 };

typedef fm_chan(int) int_chan;
typedef fm_chan(fm_activity) id_chan;

static int_chan chans[CHANS];
static _Atomic int next_value;
static _Atomic unsigned char sent[VALUES], got[VALUES];

static uint32_t mix(uint32_t x) {
  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu;
  return x ^ x >> 16;
}

static void take(int v) {
  if (v < 0 || v >= VALUES || got[v]++) {
    printf("a value came twice, or was never sent: %d\n", v);
    exit(1);
  }
}

// Marked before: who is cancelled while it sends has not sent it, unless someone got it.
static async void send_some(uint32_t seed) throws(struct fm_closed) {
  for (int i = 0; i < 20; i++) {
    int v = next_value++;
    seed = mix(seed + 1);
    if (v >= VALUES) return;
    fm_send(&chans[seed % CHANS], v);
    sent[v] = 1;
    if (seed & 0x100) yield;
  }
}

static async void receive_some(uint32_t seed) throws(struct fm_closed) {
  for (int i = 0; i < 20; i++) {
    seed = mix(seed + 2);
    int_chan *a = &chans[seed % CHANS], *b = &chans[(seed >> 8) % CHANS];
    if (seed & 0x10000) {
      int v = fm_recv(a);
      take(v);
    } else {
      int v = -1;
      race {
        case v = fm_recv(a): break;
        case v = fm_recv(b): break;
        case fm_sleep(seed >> 20 & 1): break;
      }
      if (v >= 0) take(v);
    }
  }
}

static async void work(uint32_t seed) {
  try {
    if (seed & 1) send_some(seed);
    else receive_some(seed);
  } catch (struct fm_closed e) {
    (void)e;
  }
}

static async void cancel_some(fm_activity *who, int n, uint32_t seed) {
  for (int i = 0; i < n; i++) {
    seed = mix(seed + 3);
    if (seed & 0x1000) fm_sleep(seed & 1);
    else yield;
    if (seed & 0x2000) fm_cancel(who[seed % (uint32_t)n]);
  }
}

static async void make_chans(int from, int n) {
  for (int i = from; i < from + n; i++) fm_chan_init(&chans[i], (size_t)(i % 3 * 2));
}

static async void round_of(fm_pool *p, uint32_t seed) {
  task(void) t[WORKERS];
  fm_activity who[WORKERS];
  for (int i = 0; i < WORKERS; i++) {
    uint32_t s = mix(seed * 977 + (uint32_t)i) & ~1u;
    s |= (uint32_t)(i & 1);
    if (i % 3) t[i] = spawn on(p) work(s);
    else t[i] = spawn work(s);
    who[i] = fm_id(t[i]);
  }
  cancel_some(who, WORKERS, seed);
  fm_sleep(5);
  for (int i = 0; i < WORKERS; i++) fm_cancel(who[i]);
  for (int i = 0; i < WORKERS; i++)
    try {
      await t[i];
    } catch (struct fm_cancelled e) {
      (void)e;
    }
}

// In the channel's own domain.
static async void empty(int from, int n) {
  int v;
  for (int i = from; i < from + n; i++) {
    while (fm_try_recv(&chans[i], &v)) take(v);
    fm_chan_free(&chans[i]);
  }
}

async int main(int argc, char **argv) {
  uint32_t rounds = argc > 1 ? (uint32_t)(1 + atol(argv[1]) / IN_A_ROUND) : 12;
  uint32_t first = argc > 2 ? (uint32_t)atol(argv[2]) * 100000 : 1;
  fm_domain *other = fm_domain_new(NULL);
  fm_pool *p = fm_pool_new(2);
  make_chans(0, CHANS / 2);
  auto made = spawn on(other) make_chans(CHANS / 2, CHANS - CHANS / 2);
  await made;
  for (uint32_t i = 0; i < rounds; i++) round_of(p, first + i);
  empty(0, CHANS / 2);
  auto emptied = spawn on(other) empty(CHANS / 2, CHANS - CHANS / 2);
  await emptied;
  int lost = 0;
  for (int v = 0; v < next_value && v < VALUES; v++) lost += sent[v] && !got[v];
  if (lost) printf("%d of %d values are lost\n", lost, next_value);
  else printf("nothing is lost\n");
  fm_pool_free(p);
  fm_domain_free(other);
  return lost != 0;
}
