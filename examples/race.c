// race.c: the first of several answers, or all of them: the combinators race and all of "A Concurrency Model for JavaScript with
// Cooperative Cancellation" (paper 003, §6).
//
// Those that lose are cancelled, and have cleaned up before the winner is used: nothing goes on behind one's back. `race` is for a few
// different calls, of which a timer may be one; fm_any and fm_all are for arrays of tasks. An error in one of all cancels the rest.
//   fmcc -O2 -o race race.c && FERMATA_DRIVER=virtual ./race
#include <fermata.h>
#include <fermata/time.h>

struct no_answer { int mirror; };

static int now(void) { return (int)(fm_now() / 1000000); }

static async int ask(int mirror, int ms) throws(struct no_answer) {
  bool answered = false;
  defer if (!answered) printf("  %d: mirror %d is given up\n", now(), mirror);
  fm_sleep((uint64_t)ms);
  if (ms == 666) throw (struct no_answer){ mirror };
  answered = true;
  return mirror * 100;
}

static async void first_of_two(int a, int b, int limit) throws(struct no_answer) {
  int n;
  race {
  case n = ask(1, a):
    printf("%d: mirror 1 says %d\n", now(), n);
  case n = ask(2, b):
    printf("%d: mirror 2 says %d\n", now(), n);
  case fm_sleep((uint64_t)limit):
    printf("%d: nobody within %d ms\n", now(), limit);
  }
}

static async void first_of(const int *ms, size_t n) throws(struct no_answer) {
  task(int) answers[n];
  for (size_t i = 0; i < n; i++) answers[i] = spawn ask((int)i, ms[i]);
  size_t first = fm_any(answers, n);
  printf("%d: mirror %zu says %d\n", now(), first, await answers[first]);
}

static async void all_of(const int *ms, size_t n) throws(struct no_answer) {
  task(int) answers[n];
  int sum = 0;
  for (size_t i = 0; i < n; i++) answers[i] = spawn ask((int)i, ms[i]);
  fm_all(answers, n);
  for (size_t i = 0; i < n; i++) sum += await answers[i]; // none of them waits any more
  printf("%d: all together say %d\n", now(), sum);
}

async int main(void) {
  try {
    first_of_two(300, 200, 1000);
    first_of_two(3000, 2000, 1000);
    first_of((int[]){ 500, 400, 300, 400 }, 4);
    all_of((int[]){ 500, 400, 300 }, 3);
    all_of((int[]){ 500, 666, 900 }, 3);
  } catch (struct no_answer e) {
    printf("%d: mirror %d does not answer\n", now(), e.mirror);
  }
  return 0;
}
// env: FERMATA_DRIVER=virtual
// output:   200: mirror 1 is given up
// output: 200: mirror 2 says 200
// output:   1200: mirror 1 is given up
// output:   1200: mirror 2 is given up
// output: 1200: nobody within 1000 ms
// output:   1500: mirror 0 is given up
// output:   1500: mirror 1 is given up
// output:   1500: mirror 3 is given up
// output: 1500: mirror 2 says 200
// output: 2000: all together say 300
// output:   2666: mirror 1 is given up
// output:   2666: mirror 2 is given up
// output: 2666: mirror 1 does not answer
