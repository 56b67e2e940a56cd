// Completions from another thread, while the activity waits and others run.
#include <fermata.h>
#include <pthread.h>
struct broken { int n; };
static void *work(void *arg) {
  fm_completion(int) *k = arg;
  static int n;
  if (++n == 3) fm_fail(k, (struct broken){ n });
  else fm_complete(k, n * 10);
  return NULL;
}
static asyncdirect int in_thread(fm_completion(int) *k) throws(struct broken) {
  pthread_t t;
  if (pthread_create(&t, NULL, work, k) == 0) pthread_detach(t);
}
static async void others(int *n) { for (int i = 0; i < 5; i++) { ++*n; yield; } }
async int main(void) {
  int n = 0, sum = 0;
  task(void) t = spawn others(&n);
  try {
    for (int i = 0; i < 5; i++) sum += in_thread();
  } catch (struct broken b) {
    printf("broken %d after %d\n", b.n, sum);     // expect: broken 3 after 30
  }
  await t;
  printf("%d\n", n);                              // expect: 5
  return 0;
}
// flags: -pthread
