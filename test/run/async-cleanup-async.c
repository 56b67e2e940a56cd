// The cleanup attribute may name an async function: it is called as a defer is, shielded, however the block is left. In the heading of
// a for it is called behind the loop.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct it { int n; };
struct bad { int n; };

static void at_once(struct it *x) { printf(" <%d>", x->n); }
static async void later_on(struct it *x) { fm_sleep(5); yield; printf(" (%d)", x->n); }
static async bool next(struct it *x, int *to) { yield; *to = x->n++; return *to < 5; }

static async int go(int way) throws(struct bad) {
  int x = 0;
  struct it block __attribute__((cleanup(later_on), unused)) = { 10 * way };
  for (struct it a __attribute__((cleanup(at_once))) = { 3 }; next(&a, &x);) printf(" %d", x);
  for (struct it a __attribute__((cleanup(later_on))) = { 2 }, b __attribute__((cleanup(at_once))) = { 7 }; next(&a, &x);) {
    if (x == 3 && way == 1) break;
    if (x == 3 && way == 2) return b.n;
    if (x == 3 && way == 3) throw (struct bad){ way };
    if (x == 3 && way == 4) goto out;
    if (x == 3 && way == 5) fm_sleep(100);
    if (x == 3 && way == 6) continue;
    printf(" %d", x);
  }
  printf(" behind");
out:
  return way;
}

async int main(void) {
  for (int way = 0; way < 7; way++) {
    try {
      auto t = spawn go(way);
      fm_sleep(50);
      fm_cancel(fm_id(t));
      int v = await t;
      printf(" = %d\n", v);
    } catch (struct bad b) {
      printf(" bad %d\n", b.n);
    } catch (struct fm_cancelled c) {
      (void)c;
      printf(" cancelled\n");
    }
  }
  // expect:  3 4 <6> 2 3 4 <7> (6) behind (0) = 0
  // expect:  3 4 <6> 2 <7> (4) behind (10) = 1
  // expect:  3 4 <6> 2 <7> (4) (20) = 7
  // expect:  3 4 <6> 2 <7> (4) (30) bad 3
  // expect:  3 4 <6> 2 <7> (4) (40) = 4
  // expect:  3 4 <6> 2 <7> (4) (50) cancelled
  // expect:  3 4 <6> 2 4 <7> (6) behind (60) = 6
}
