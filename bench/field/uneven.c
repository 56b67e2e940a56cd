// uneven.c: jobs of very different length, spawned on a pool of one domain and of two, in turns.
// Milliseconds, the best of several chunks.
//     few_one, few_two      8 jobs, every second one fifteen times as long as the others
//     many_one, many_two    1000 jobs, likewise
//     mixed_one, mixed_two  200 jobs of random length
//     share_…               what the busier thread did of all work on two, in percent: 50 is even.
//                           Unlike times, this does not need two free processors
#include <fermata.h>
#include <fermata/pool.h>

#include "../clock.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#pragma fermata auto_yield off

enum { STEPS = 40000000, MOST = 1000, CHUNKS = 9, THREADS = 64 };

static task(unsigned long) tasks[MOST];

static async unsigned long work(long n, unsigned x) {
  unsigned long sum = 0;
  for (long i = 0; i < n; i++) {
    x = x * 1664525u + 1013904223u;
    sum += x >> 7;
  }
  return sum;
}

// ---- the processor time of each thread, in nanoseconds; threads stay in the order of their ids ----
struct threads {
  int count;
  long id[THREADS];
  double time[THREADS];
};

static double time_of_thread(long id) {
  char name[64];
  double ns = 0;
  snprintf(name, sizeof name, "/proc/self/task/%ld/schedstat", id);
  FILE *f = fopen(name, "r");
  if (f) {
    if (fscanf(f, "%lf", &ns) != 1)
      ns = 0;
    fclose(f);
  }
  return ns;
}

static void look(struct threads *t) {
  DIR *d = opendir("/proc/self/task");
  t->count = 0;
  if (!d)
    return;
  for (struct dirent *e; (e = readdir(d)) != NULL && t->count < THREADS;) {
    if (e->d_name[0] == '.')
      continue;
    t->id[t->count] = atol(e->d_name);
    t->time[t->count] = time_of_thread(t->id[t->count]);
    t->count++;
  }
  closedir(d);
}

static double share(const struct threads *before, const struct threads *after) {
  double all = 0, most = 0;
  for (int i = 0; i < after->count && i < before->count; i++) {
    double used = after->time[i] - before->time[i];
    all += used;
    if (used > most)
      most = used;
  }
  return all > 0 ? 100 * most / all : 100;
}

// ---- jobs ----
static long length_of(const char *kind, int i, int jobs) {
  long n = STEPS / jobs;
  if (strcmp(kind, "mixed") == 0)
    return n * (((unsigned)i * 2654435761u >> 16) % 21) / 10;
  return i % 2 ? n / 8 : n * 15 / 8;
}

static async unsigned long jobs_on(fm_pool *p, const char *kind, int jobs) {
  unsigned long sum = 0;
  for (int i = 0; i < jobs; i++)
    tasks[i] = spawn on(p) work(length_of(kind, i, jobs), (unsigned)i);
  for (int i = 0; i < jobs; i++)
    sum += await tasks[i];
  return sum;
}

static async void
measure(fm_pool *one, fm_pool *two, const char *kind, int jobs) {
  struct threads before, after;
  double best_one = 0, best_two = 0, best_share = 0;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    double start = now();
    unsigned long sum = jobs_on(one, kind, jobs);
    keep_best(&best_one, now() - start);
    look(&before);
    start = now();
    if (jobs_on(two, kind, jobs) != sum)
      abort();
    keep_best(&best_two, now() - start);
    look(&after);
    keep_best(&best_share, share(&before, &after));
  }
  printf(
      "%s_one %.2f\n%s_two %.2f\n", kind, best_one / 1e6, kind, best_two / 1e6);
  printf("share_%s %.1f\n", kind, best_share);
}

async int main(void) {
  fm_pool *one = fm_pool_new(1), *two = fm_pool_new(2);
  measure(one, two, "few", 8);
  measure(one, two, "many", MOST);
  measure(one, two, "mixed", 200);
  fm_pool_free(one);
  fm_pool_free(two);
  return 0;
}
