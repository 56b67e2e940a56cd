// A value that is so large, or so far from its waiter in the frame, that the waiter cannot say
// where it is; and a value without bytes. Waiters of both sorts leave their queues in every order.
// Virtual time passes when nothing is ready: after fm_sleep all others wait, in any schedule.
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <string.h>

typedef struct large { int number; char more[40000]; int last; } large;
typedef struct nothing { } nothing;
typedef fm_chan(large) large_chan;
typedef fm_chan(nothing) empty_chan;
typedef fm_chan(int) int_chan;
static large_chan l;
static empty_chan e;
static int_chan c;
static int sum, closed, cancelled;

static large make(int n) {
  large v;
  memset(&v, n, sizeof v);
  v.number = n;
  v.last = -n;
  return v;
}

static bool is_right(const large *v, int n) {
  return v->number == n && v->more[0] == (char)n && v->more[39999] == (char)n && v->last == -n;
}

static async void send_large(int n) throws(struct fm_closed) {
  for (int i = 1; i <= n; i++) fm_send(&l, make(i));
}

static async bool receive_large(int n) throws(struct fm_closed) {
  bool right = true;
  for (int i = 1; i <= n; i++) {
    large v = fm_recv(&l);
    right = right && is_right(&v, i);
  }
  return right;
}

static async void beside(char *big) { memset(big, 1, 70000); yield; }

// A large variable may stand between the value and the waiter.
static async void receive_far(int n) throws(struct fm_closed) {
  char big[70000];
  beside(big);
  for (int i = 0; i < n; i++) sum += fm_recv(&c) * big[i * 10000];
}

static async void receive_near(void) {
  bool got = false;
  defer cancelled += !got;
  try {
    sum += fm_recv(&c);
  } catch (struct fm_closed x) {
    (void)x;
    closed++;
  }
  got = true;
}

static async void receive_large_once(void) {
  bool got = false;
  defer cancelled += !got;
  try {
    sum += fm_recv(&l).number;
  } catch (struct fm_closed x) {
    (void)x;
    closed++;
  }
  got = true;
}

static async void signal_empty(int n) throws(struct fm_closed) {
  for (int i = 0; i < n; i++) fm_send(&e, (nothing){ });
}

// Five wait; those in `cancels` are cancelled, then the others are served or closed.
static async void leave(const int *cancels, int n, bool large_ones, bool closes)
    throws(struct fm_closed) {
  task(void) t[5];
  sum = closed = cancelled = 0;
  scope (all) {
    for (int i = 0; i < 5; i++) {
      if (large_ones) t[i] = spawn receive_large_once();
      else t[i] = spawn receive_near();
    }
    fm_sleep(1);
    for (int i = 0; i < n; i++) fm_cancel(fm_id(t[cancels[i]]));
    fm_sleep(1);
    if (closes && large_ones) fm_chan_close(&l);
    else if (closes) fm_chan_close(&c);
    else for (int i = n; i < 5; i++) {
      if (large_ones) fm_send(&l, make(1));
      else fm_send(&c, 1);
    }
  }
  if (closes) printf("%d received, %d closed, %d cancelled\n", sum, closed, cancelled);
}

async int main(void) {
  static const int orders[][5] = { { 0, 4, 2, 1, 3 }, { 4, 3, 2, 1, 0 }, { 2, 1, 3, 0, 4 } };
  fm_chan_init(&l, 0);
  fm_chan_init(&e, 0);
  fm_chan_init(&c, 0);
  try {
    scope (all) {
      spawn send_large(5);
      printf("%d\n", receive_large(5));           // expect: 1
    }
    scope (all) {
      spawn receive_far(3);
      for (int i = 1; i <= 3; i++) fm_send(&c, i);
    }
    printf("%d\n", sum);                          // expect: 6
    scope (all) {
      spawn signal_empty(3);
      for (int i = 0; i < 3; i++) fm_recv(&e);
    }
    int left = 0;
    for (int k = 0; k < 3; k++)
      for (int n = 0; n <= 5; n++)
        for (int big = 0; big < 2; big++) {
          leave(orders[k], n, big, false);
          left += sum + cancelled;
        }
    printf("%d\n", left);                         // expect: 180
    large v;
    scope (all) {
      spawn send_large(1);
      if (fm_recv_or_closed(&l, &v)) printf("%d\n", is_right(&v, 1)); // expect: 1
    }
    race {
    case v = fm_recv(&l): printf("received\n");
    case fm_sleep(1): printf("late\n");           // expect: late
    }
    leave(orders[0], 2, true, true);              // expect: 0 received, 3 closed, 2 cancelled
    leave(orders[1], 2, false, true);             // expect: 0 received, 3 closed, 2 cancelled
    printf("%d\n", fm_recv_or_closed(&l, &v));    // expect: 0
  } catch (struct fm_closed x) {
    (void)x;
    printf("closed\n");
  }
  return 0;
}
