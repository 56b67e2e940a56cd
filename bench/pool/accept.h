// accept.h: the clients of an accept loop, in a thread of their own: all connect, then each sends
// the length of its job, then all wait for the answers. They take little time; the servers work.
// For C and C++.
#ifndef ACCEPT_H
#define ACCEPT_H
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 64, STEPS = 300000 };            // a job: some milliseconds in all, uneven

static inline uint64_t job(uint64_t n) {
  uint64_t sum = 0;
  uint32_t x = (uint32_t)n;
  for (uint64_t i = 0; i < n; i++) {
    x = x * 1664525u + 1013904223u;
    sum += x >> 7;
  }
  return sum;
}

static inline void check(int ok) {
  if (!ok) abort();
}

static inline void *clients(void *port) {
  struct sockaddr_in at = {};
  int fds[CLIENTS];
  at.sin_family = AF_INET;
  at.sin_port = htons(*(uint16_t *)port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int i = 0; i < CLIENTS; i++) {
    fds[i] = socket(AF_INET, SOCK_STREAM, 0);
    check(fds[i] >= 0 && connect(fds[i], (struct sockaddr *)&at, sizeof at) == 0);
  }
  for (int i = 0; i < CLIENTS; i++) {
    uint64_t n = STEPS + (uint64_t)(i % 7) * (STEPS / 7);
    check(write(fds[i], &n, sizeof n) == sizeof n);
  }
  for (int i = 0; i < CLIENTS; i++) {
    uint64_t sum;
    check(read(fds[i], &sum, sizeof sum) == sizeof sum && sum);
    close(fds[i]);
  }
  return NULL;
}
#endif
