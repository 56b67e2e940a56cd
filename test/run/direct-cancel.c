// Without a canceller a cancel waits for the completion; with one, the wait ends, unless a completion comes before it returns.
#include <fermata.h>
#include <fermata/time.h>
static fm_completion(int) *kept;
static int stopped;
static void stop(void *arg) { stopped += *(int *)arg; }
static void finish(void *arg) { (void)arg; fm_complete(kept, 77); }
static asyncdirect int plain(fm_completion(int) *k) { kept = k; }
static asyncdirect int stops(int *by, fm_completion(int) *k) { fm_on_cancel(k, stop, by); kept = k; }
static asyncdirect int wins(fm_completion(int) *k) { kept = k; fm_on_cancel(k, finish, NULL); }
static async int waits(void) { int v = plain(); printf("got %d\n", v); fm_checkpoint(); puts("not here"); return v; }
async int main(void) {
  int by = 5;
  auto t = spawn waits();
  yield;
  fm_cancel(fm_id(t));
  yield;
  printf("%d\n", fm_alive(fm_id(t)));             // expect: 1
  fm_complete(kept, 4);                           // expect: got 4
  fm_join(fm_id(t));
  scope (s) { fm_cancel_after(s, 3); stops(&by); puts("no"); } else printf("stopped %d, late %d\n", stopped, fm_complete(kept, 1)); // expect: stopped 5, late 0
  scope (s) { fm_cancel_after(s, 3); printf("won %d\n", wins()); fm_sleep(1); puts("no"); } else puts("else"); // expect: won 77
  return 0;                                       // expect: else
}
// env: FERMATA_DRIVER=virtual
