// Measurements of a sensor: their sum and their number, for the average; a reset begins anew.
// reports: two values of different times are used together: s.sum
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdio.h>

struct statistics {
  double sum;
  double least, most;
  int count;
};

static struct statistics *stats(void) {
  static struct statistics s;
  return &s;
}

static fm_mutex display;

static async void show(const char *what, double v) {
  fm_lock(&display);
  fm_sleep(1);
  fm_unlock(&display);
  (void)what;
  (void)v;
}

static async void measure(int seed) {
  for (int i = 0; i < 5; i++) {
    double v = (seed * 7 + i * 13) % 10;
    struct statistics *s = stats();
    s->sum += v;
    s->count++;
    if (s->count == 1 || v < s->least)
      s->least = v;
    if (s->count == 1 || v > s->most)
      s->most = v;
    fm_sleep(2);
  }
}

static async void print(void) {
  struct statistics *s = stats();
#ifdef MENDED
  struct statistics now = *s;
  s = &now;
#endif
  double sum = s->sum;
  show("least", s->least);
  show("most", s->most);
  if (s->count)
    show("average", sum / s->count);
}

static async void printer(void) {
  for (int i = 0; i < 4; i++) {
    print();
    fm_sleep(1);
  }
}

async int main(void) {
  auto p = spawn printer();
  auto a = spawn measure(1);
  auto b = spawn measure(2);
  await a;
  await b;
  await p;
  printf("%d values\n", stats()->count);
  return 0;
}
