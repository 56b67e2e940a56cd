// sockets.h: the questions of sockets.c and sockets-epoll.c, their check and their times.
#ifndef SOCKETS_H
#define SOCKETS_H
#include "../clock.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 64, PIPE = 20000, TRIPS = 5000, CHUNKS = 30 };

static void check(int ok) {
  if (!ok)
    abort();
}

#define MEASURE(i, call, n)                         \
  do {                                              \
    double start = cpu_now();                       \
    call;                                           \
    keep_best(&best[i], (cpu_now() - start) / (n)); \
  } while (0)

// Each question in turn. It is text, because in sockets.c these are calls of async functions.
#define MEASURE_ALL()                                                                  \
  do {                                                                                 \
    double best[5] = { 0 };                                                            \
    for (int k = 0; k < chunks(CHUNKS); k++) {                                         \
      MEASURE(0, one_way(), PIPE);                                                     \
      MEASURE(1, two_pipes(), TRIPS);                                                  \
      MEASURE(2, socket_pair(SOCK_STREAM), TRIPS);                                     \
      MEASURE(3, socket_pair(SOCK_DGRAM), TRIPS);                                      \
      MEASURE(4, udp(), TRIPS);                                                        \
    }                                                                                  \
    printf("pipe %.1f\npipes %.1f\nstream %.1f\n", best[0], best[1], best[2]);        \
    printf("datagram %.1f\nudp %.1f\n", best[3], best[4]);                             \
  } while (0)
#endif
