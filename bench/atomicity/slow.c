// slow.c WHAT COUNT: how long one kind of work takes, in seconds, once compiled as usual and once
// with -fsanitize=atomicity. slow.sh takes the ratio.
//
//     own     two activities, each with variables of its own, yield in turn
//     shared  the same, and both add to one variable
//     async   calls of an async function that does not pause
//     calls   calls of a plain function
//     ints, longs, bytes   array[i] += i over 4096 elements, a yield after each sweep
//     sum     the sum of an array of longs
//     text    the spaces in a text of 4096 characters, found one by one
#include <fermata.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 4096 };
static long total;
static long result;
static int ints[SIZE];
static long longs[SIZE];
static unsigned char bytes[SIZE];

static async void own(long n) {
  long mine = 0;
  for (long i = 0; i < n; i++) {
    mine += i;
    yield;
  }
  result += mine;
}

static async void shared(long n) {
  for (long i = 0; i < n; i++) {
    total += i;
    yield;
  }
}

static async void two_of(async void (*work)(long), long n) {
  auto a = spawn work(n);
  auto b = spawn work(n);
  await a;
  await b;
}

static async long leaf(const long *p, long i) {
  return *p + i;
}

static async void calls_async(long n) {
  for (long i = 0; i < n; i++)
    result += leaf(longs, i);
}

__attribute__((noinline)) static long plain_leaf(const long *p, long i) {
  return *p + i;
}

static async void calls_plain(long n) {
  for (long i = 0; i < n; i++)
    result += plain_leaf(longs, i);
}

static async void sweep_ints(long n) {
  for (long k = 0; k < n; k++) {
    for (int i = 0; i < SIZE; i++)
      ints[i] += i;
    yield;
  }
}

static async void sweep_longs(long n) {
  for (long k = 0; k < n; k++) {
    for (int i = 0; i < SIZE; i++)
      longs[i] += i;
    yield;
  }
}

static async void sweep_bytes(long n) {
  for (long k = 0; k < n; k++) {
    for (int i = 0; i < SIZE; i++)
      bytes[i] += (unsigned char)i;
    yield;
  }
}

static async void count_spaces(long n) {
  for (long k = 0; k < n; k++) {
    long spaces = 0;
    for (const unsigned char *p = bytes; p < bytes + SIZE; p++)
      if (*p == ' ')
        spaces += p - bytes;
    result += spaces;
    yield;
  }
}

static async void sum_longs(long n) {
  for (long k = 0; k < n; k++) {
    long sum = 0;
    for (int i = 0; i < SIZE; i++)
      sum += longs[i];
    result += sum;
    yield;
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static async bool work(const char *what, long n) {
  bool known = true;
  if (strcmp(what, "own") == 0)
    two_of(own, n);
  else if (strcmp(what, "shared") == 0)
    two_of(shared, n);
  else if (strcmp(what, "async") == 0)
    calls_async(n);
  else if (strcmp(what, "calls") == 0)
    calls_plain(n);
  else if (strcmp(what, "ints") == 0)
    sweep_ints(n);
  else if (strcmp(what, "longs") == 0)
    sweep_longs(n);
  else if (strcmp(what, "bytes") == 0)
    sweep_bytes(n);
  else if (strcmp(what, "text") == 0)
    count_spaces(n);
  else if (strcmp(what, "sum") == 0)
    sum_longs(n);
  else
    known = false;
  return known;
}

async int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  double begin = now();
  if (!work(argv[1], atol(argv[2])))
    return 2;
  printf("%.9f\n", now() - begin);
  return result + ints[1] + total == -1;
}
