// Arms made by a `for`: one for each turn. Its expression and its statements see the variables of
// the loop as they were in that turn.
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdlib.h>

typedef fm_chan(int) chan;
struct item {
  int n;
  chan c;
  struct item *next;
};
struct walk {
  struct item *at;
  int turn;
};
static struct walk begin(struct item *first) { return (struct walk){ first, 0 }; }

static async void sends_later(chan *c, int v, int ms) throws(struct fm_closed) {
  fm_sleep((uint64_t)ms);
  fm_send(c, v);
}
static async int pick(chan *c, int n, int *from) throws(struct fm_closed) {
  int before = 1;
  race {
    case fm_sleep(50): *from = -1; return -1;
    for (int i = 0; i < n; i++) case before = 10 * fm_recv(&c[i]) + i:
      i += 0;
      *from = i;
      yield;
      return before + 1000 * i;
  }
  return 0;
}
static async void list(struct item *first) throws(struct fm_closed) {
  race {
    for (struct walk w = begin(first); w.at; w = (struct walk){ w.at->next, w.turn + 1 })
      case if (w.turn % 2) int v = fm_recv(&w.at->c):
        printf("turn %d: %d of %d\n", w.turn, v, w.at->n);
    for (const char *s = "ab", *t = s; *s; s++) case fm_sleep((uint64_t)*s):
      printf("%c %s\n", *s, t);
  }
}
static async int at(int ms) {
  fm_sleep((uint64_t)ms);
  return ms;
}
static async int fails(int i) throws(struct os_error) {
  fm_sleep((uint64_t)(10 - i));
  throw (struct os_error){ i };
}

async int main(void) {
  enum { N = 5 };
  chan c[N];
  int from;
  for (int i = 0; i < N; i++) fm_chan_init(&c[i], 1);
  try {
    scope {
      spawn sends_later(&c[3], 7, 5);
      int v = pick(c, N, &from);
      printf("%d from %d\n", v, from);        // expect: 3073 from 3
    }
    int v = pick(c, N, &from);
    printf("%d from %d\n", v, from);          // expect: -1 from -1
    for (int i = 0; i < N; i++) fm_send(&c[i], i);   // all are ready: one is taken
    v = pick(c, N, &from);
    int left = 0;
    for (int i = 0; i < N; i++) left += (int)fm_chan_count(&c[i]);
    printf("%d from %d, left %d\n", v, from, left);  // expect: 0 from 0, left 4
    v = pick(c, 0, &from);
    printf("%d from %d\n", v, from);          // expect: -1 from -1
    struct item b = { .n = 2 }, a = { .n = 1, .next = &b };
    fm_chan_init(&a.c, 1);
    fm_chan_init(&b.c, 1);
    fm_send(&a.c, 8);                         // does not take part
    scope {
      spawn sends_later(&b.c, 9, 3);
      list(&a);                               // expect: turn 1: 9 of 2
    }
    list(&a);                                 // expect: a ab
    race {
      for (int i = 0; i < 3; i++) case fails(i): printf("no\n");
    }
  } catch (struct fm_closed e) {
  } catch (struct os_error e) {
    printf("failed %d\n", e.code);            // expect: failed 2
  }
  scope (s) {
    fm_cancel_after(s, 4);
    race {
      for (int i = 0; i < 3; i++) case fm_sleep(100): printf("no\n");
    }
  } else {
    printf("cancelled\n");                    // expect: cancelled
  }
  for (int r = 0; r < 3; r++) {               // jumps out of the statements
    race {
      for (int i = 4; i > 0; i--) case fm_sleep((uint64_t)i):
        if (r == 0) continue;
        if (r == 1) break;
        goto out;
    }
    printf("round %d\n", r);                  // expect: round 1
  }
  printf("no\n");
out:
  race {                                      // in an arm: a race of its own
    for (int i = 5; i < 7; i++) case int v = at(i): printf("no %d\n", v);
    for (int i = 2; i < 4; i++) case fm_sleep((uint64_t)i): {
      race {
        for (int j = i; j < 4; j++) case fm_sleep((uint64_t)j): printf("%d %d\n", i, j);
      }
    }
  }
  // expect: 2 2
  return 0;
}
