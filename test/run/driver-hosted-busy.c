// A host is not kept waiting by an activity that computes, alone or with others: the end of a slice ends the turn.
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>

static async void compute(uint64_t ms) {
  uint64_t start = fm_now();
  while (fm_now() - start < ms * 1000000) { }
}

static int turns(int activities) {
  int n = 1;
  for (int i = 0; i < activities; i++) spawn detached compute(200 / (uint64_t)activities);
  for (; fm_host_turn(); n++)
    if (fm_host_timeout()) return -1;             // it is ready: the host need not wait
  return n;
}

int main(void) {
  fm_set_driver(fm_driver_hosted(NULL, NULL));
  printf("%s\n", turns(1) > 2 ? "some turns" : "too few"); // expect: some turns
  printf("%s\n", turns(4) > 2 ? "some turns" : "too few"); // expect: some turns
  return 0;
}
