// Deadlines of scopes, in virtual time: the earliest of several counts, none outlives its scope, an outer one cuts inner ones, equal
// moments keep their order, and a hundred thousand leave nothing behind.
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <malloc.h>
#include <stdlib.h>
// env: FERMATA_DRIVER=virtual

static long used;                                 // bytes that the library has

static void *counted(void *ctx, void *p, size_t n) {
  (void)ctx;
  long was = p ? (long)malloc_usable_size(p) : 0;
  void *q = NULL;
  if (n) q = realloc(p, n);
  else free(p);
  if (q || !n) used += (q ? (long)malloc_usable_size(q) : 0) - was;
  return q;
}

__attribute__((constructor)) static void count_all(void) { fm_set_allocator(counted, NULL); }

static int ms(void) { return (int)(fm_now() / 1000000); }

static async void several(void) {
  int from = ms();
  scope (s) {
    fm_cancel_after(s, 9);
    fm_cancel_after(s, 4);
    fm_cancel_after(s, 7);
    fm_sleep(100);
  } else printf("after %d\n", ms() - from);       // expect: after 4
  scope (s) {
    fm_cancel_after(s, 9);
    fm_cancel_after(s, 90);
    fm_sleep(5);
  } else printf("too early\n");
  fm_sleep(100);
  printf("after %d\n", ms() - from);              // expect: after 109
}

static async void nested(void) {
  int from = ms();
  scope (outer) {
    fm_cancel_after(outer, 10);
    for (int i = 0; i < 4; i++) scope (inner) {
      fm_cancel_after(inner, 3);
      fm_sleep(100);
    } else printf("inner after %d\n", ms() - from); // expect: inner after 3
                                                  // expect: inner after 6
                                                  // expect: inner after 9
  } else printf("outer after %d\n", ms() - from); // expect: outer after 10
}

static async void order(void) {
  scope (s) {
    fm_cancel_after(s, 5);
    fm_sleep(5);
    printf("the sleep was set later\n");
  } else printf("cancelled first\n");             // expect: cancelled first
}

static fm_activity stale;

static async void of_ended_ones(void) {
  scope (s) stale = s;
  fm_cancel_after(stale, 1);
  scope (s) {                                     // in the same place
    fm_sleep(10);
    printf("not meant\n");                        // expect: not meant
  } else printf("a stale handle has cancelled another scope\n");
}

static int cut;

static async void one(int i) {
  scope (s) {
    fm_cancel_after(s, 1 + (uint64_t)i % 100);
    fm_sleep(i % 2 ? 1000 : 0);
  } else cut++;
}

static async void many(int n) {
  scope (all)
    for (int i = 0; i < n; i++) spawn one(i);
}

static async void often(int n) {
  for (int i = 0; i < n; i++) scope (s) {
    fm_cancel_after(s, 60000);
    if (i % 4 == 0) yield;
  }
}

async int main(void) {
  several();
  nested();
  order();
  of_ended_ones();
  many(1000);
  printf("%d\n", cut);                            // expect: 500
  often(1000);
  long before = used;
  often(100000);
  printf("%ld bytes more\n", used - before);      // expect: 0 bytes more
  return 0;
}
