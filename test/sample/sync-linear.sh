#!/usr/bin/env bash
# Ten times as many waiters cost ten times as many instructions: semaphores of weight n, rate
# limiters, broadcasts, latest values, one-shots.
set -eu
[ "$(basename "${CC:-gcc}")" = gcc ] || exit 77 # once is enough
command -v valgrind > /dev/null || exit 77

cat > waiters.c << 'END'
#include <fermata.h>
#include <fermata/sync.h>
#include <stdlib.h>

typedef fm_broadcast(int) cast;
typedef fm_subscriber(int) sub;
typedef fm_latest(int) latest;
typedef fm_oneshot(int) shot;
static fm_sem s;
static fm_limiter l;
static cast b;
static latest v;
static shot o;
static int kind;

static async void hear(void) throws(struct fm_closed) {
  sub x;
  fm_subscriber_init(&x, &b, 0);
  defer fm_subscriber_free(&x);
  fm_hear(&x);
}

static async void wait_for_one(void) throws(struct fm_closed) {
  uint64_t seen = 1;
  switch (kind) {
  case 0: fm_sem_wait_n(&s, 2); break;
  case 1: fm_limiter_wait(&l); break;
  case 2: hear(); break;
  case 3: fm_latest_next(&v, &seen); break;
  case 4: fm_oneshot_wait(&o); break;
  }
}

static async void wait_for_all(int n) throws(struct fm_closed) {
  scope {
    for (int i = 0; i < n; i++)
      spawn wait_for_one();
    yield;
    fm_sem_post_n(&s, 2 * (size_t)n);
    fm_publish(&b, 1);
    fm_latest_set(&v, 1);
    fm_oneshot_set(&o, 1);
  }
}

async int main(int argc, char **argv) {
  (void)argc;
  kind = atoi(argv[1]);
  fm_limiter_init(&l, 1000, 1, 1);
  fm_broadcast_init(&b, 4, FM_HOLD);
  fm_latest_init(&v, 0);
  fm_oneshot_init(&o);
  try {
    wait_for_all(atoi(argv[2]));
  } catch (struct fm_closed e) {
    return 1;
  }
  return 0;
}
END
"$FMCC" -O1 -o waiters waiters.c

count() { # KIND WAITERS
  FERMATA_TICK=off FERMATA_DRIVER=virtual valgrind --tool=callgrind \
    --callgrind-out-file=/dev/null ./waiters "$1" "$2" 2>&1 | sed -n 's/.*Collected : //p'
}

for kind in 0 1 2 3 4; do
  few=$(count $kind 2000)
  many=$(count $kind 20000)
  base=$(count $kind 0)
  [ $(((many - base) / (few - base))) -le 11 ] || {
    echo "kind $kind: $base, $few, $many instructions"
    exit 1
  }
done
