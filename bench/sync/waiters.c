// waiters.c KIND N: N activities begin, wait for one object, are served and end. waiters.sh and
// test/sample/sync-linear.sh count instructions.
#include <fermata.h>
#include <fermata/broadcast.h>
#include <fermata/group.h>
#include <fermata/sync.h>

#include <stdlib.h>
#include <string.h>

typedef fm_chan(int) numbers;
typedef fm_broadcast(int) news;
typedef fm_subscriber(int) reader;
typedef fm_latest(int) newest;
typedef fm_oneshot(int) once;

static numbers chan;
static fm_sem permits;
static fm_limiter limiter;
static fm_mutex lock;
static fm_cond cond;
static news b;
static newest l;
static once o;
static fm_group group;
static int served;

static async void receive(void) throws(struct fm_closed) { served += fm_recv(&chan); }
static async void send_to_all(int n) throws(struct fm_closed) {
  for (int i = 0; i < n; i++) fm_send(&chan, 1);
}

static async void take(void) throws(struct fm_closed) {
  fm_sem_wait(&permits);
  served++;
}
static async void give(int n) throws(struct fm_closed) {
  for (int i = 0; i < n; i++) fm_sem_post(&permits);
}

static async void take_two(void) throws(struct fm_closed) {
  fm_sem_wait_n(&permits, 2);
  served++;
}
static async void give_two(int n) throws(struct fm_closed) {
  for (int i = 0; i < n; i++) fm_sem_post_n(&permits, 2);
}

static async void enter(void) throws(struct fm_closed) {
  fm_lock(&lock);
  served++;
  fm_unlock(&lock);
}
static async void leave(int n) throws(struct fm_closed) {
  (void)n;
  fm_unlock(&lock);
}

// The limit is never reached: each has a timer meanwhile.
static async void wait_for_signal(void) throws(struct fm_closed) {
  fm_lock(&lock);
  fm_cond_wait(&cond, &lock);
  served++;
  fm_unlock(&lock);
}
static async void wait_with_limit(void) throws(struct fm_closed) {
  fm_lock(&lock);
  served += fm_cond_wait_for(&cond, &lock, 1000000);
  fm_unlock(&lock);
}
static async void signal_all(int n) throws(struct fm_closed) {
  (void)n;
  fm_cond_broadcast(&cond);
}

static async void hear(void) throws(struct fm_closed) {
  reader r;
  fm_subscriber_init(&r, &b, 0);
  defer fm_subscriber_free(&r);
  served += fm_hear(&r);
}
static async void publish(int n) throws(struct fm_closed) {
  (void)n;
  fm_publish(&b, 1);
}

static async void follow(void) throws(struct fm_closed) {
  uint64_t seen = 1;
  served += fm_latest_next(&l, &seen);
}
static async void set(int n) throws(struct fm_closed) {
  (void)n;
  fm_latest_set(&l, 1);
}

static async void wait_once(void) throws(struct fm_closed) { served += fm_oneshot_wait(&o); }
static async void shoot(int n) throws(struct fm_closed) {
  (void)n;
  fm_oneshot_set(&o, 1);
}

static async void token(void) throws(struct fm_closed) {
  fm_limiter_wait(&limiter);
  served++;
}

// The only place of the group is taken, until `leave_place` opens it.
static async void work(void) { served++; }
static async void hold_place(void) { fm_sem_wait(&permits); }
static async void spawn_in_group(void) throws(struct fm_closed) { fm_group_spawn(&group, work()); }
static async void leave_place(int n) throws(struct fm_closed) {
  (void)n;
  fm_sem_post(&permits);
}
static async void nothing(int n) throws(struct fm_closed) { (void)n; }

static const struct {
  const char *name;
  async void (*wait)(void) throws(struct fm_closed);
  async void (*serve)(int n) throws(struct fm_closed);
} kinds[] = {
  { "channel", receive, send_to_all }, { "semaphore", take, give },
  { "permits", take_two, give_two },   { "mutex", enter, leave },
  { "cond", wait_for_signal, signal_all }, { "condfor", wait_with_limit, signal_all },
  { "broadcast", hear, publish },      { "latest", follow, set },
  { "oneshot", wait_once, shoot },     { "group", spawn_in_group, leave_place },
  { "limiter", token, nothing },
};

static async void wait_all(int kind, int n) throws(struct fm_closed) {
  scope {
    if (kinds[kind].wait == enter) fm_lock(&lock);
    if (kinds[kind].wait == spawn_in_group) fm_group_spawn(&group, hold_place());
    for (int i = 0; i < n; i++) spawn kinds[kind].wait();
    yield;
    kinds[kind].serve(n);
  }
}

static int kind_of(const char *name) {
  int k = 0;
  while (strcmp(kinds[k].name, name) != 0) k++;
  return k;
}

async int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[2]) : 0;
  fm_chan_init(&chan, 0);
  fm_sem_init(&permits, 0);
  fm_limiter_init(&limiter, 1000, 1, 1);
  fm_mutex_init(&lock);
  fm_cond_init(&cond);
  fm_broadcast_init(&b, 4, FM_HOLD);
  fm_latest_init(&l, 0);
  fm_oneshot_init(&o);
  fm_group_init(&group, 1);
  try {
    wait_all(kind_of(argv[1]), n);
  } catch (struct fm_closed e) {
    return 1;
  }
  return served != n;
}
