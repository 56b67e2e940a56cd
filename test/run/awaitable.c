// The awaitable pattern: structures and pointers, completed already or later, a second resume, errors, a canceller.
#include <fermata.h>
#include <fermata/time.h>
struct late { int by; };
typedef struct future { bool done; int value, tries; fm_action *waiter; bool dropped; } future;
static bool future_is_completed(future *f) { f->tries++; return f->done; }
static void future_on_completed(future *f, fm_action *a) { f->waiter = a; }
static int future_get_result(future *f) throws(struct late) { if (f->value < 0) throw (struct late){ f->value }; return f->value; }
static void future_cancel(future *f) { f->dropped = true; }
struct tick { int n; };
static bool tick_is_completed(struct tick t) { return t.n == 0; }
static void tick_on_completed(struct tick t, fm_action *a) { (void)t; fm_resume_action(a); }
static void tick_get_result(struct tick t) { printf("tick %d\n", t.n); }
static async void fill(future *f, int v) {
  fm_sleep(2);
  f->done = true;
  f->value = v;
  bool first = fm_resume_action(f->waiter), second = fm_resume_action(f->waiter);
  printf("%d %d\n", first, second);
}
static async int sum(future *a, future *b) throws(struct late) { return await a + await b * 10; }
async int main(void) {
  future f = { 0 }, g = { .done = true, .value = 3 }, h = { 0 };
  spawn fill(&f, 4);
  try {
    printf("%d\n", sum(&f, &g));                  // expect: 1 0
    printf("%d %d\n", f.tries, g.tries);          // expect: 34
    g.value = -9;                                 // expect: 1 1
    printf("%d\n", await &g);
  } catch (struct late e) { printf("late %d\n", e.by); } // expect: late -9
  await (struct tick){ 0 };                       // expect: tick 0
  await (struct tick){ 3 };                       // expect: tick 3
  scope (s) {
    fm_cancel_after(s, 5);
    try { await &h; } catch (struct late e) { (void)e; }
  } else printf("dropped %d\n", h.dropped);       // expect: dropped 1
  return 0;
}
// env: FERMATA_DRIVER=virtual
