// client.c: the load. One thread; each client asks again as soon as it has the whole answer.
//   client PORT PATH CLIENTS REQUESTS   each client asks so often, on one connection; prints figures: throughput (1/s), mean, median,
//                                       p99 (ms)
//   client PORT PATH idle CLIENTS       each asks once, then stays: prints how many are held; ends with its standard input
//   client free                         prints a port that no one uses
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct client { int fd; long left, body; double since; size_t head; char text[1024]; }; // body: bytes to come; -1: the head is read

static char request[512], input[1 << 18];
static int port, set;
static double *took;
static long done;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void die(const char *what) {
  perror(what);
  exit(1);
}

static int dial(void) {
  // 20,000 connections to one address from one are more than some systems have ports for: a second loopback address helps.
  static int n;
  struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((unsigned short)port) };
  struct sockaddr_in from = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + (unsigned)(n++ % 4)) };
  int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  if (fd < 0) return -1;
  setsockopt(fd, IPPROTO_IP, 24 /* IP_BIND_ADDRESS_NO_PORT */, &yes, sizeof yes);
  if (bind(fd, (struct sockaddr *)&from, sizeof from) || connect(fd, (struct sockaddr *)&a, sizeof a)) { close(fd); return -1; }
  return fd;
}

static void ask(struct client *c) {
  c->since = now();
  c->body = -1;
  c->head = 0;
  if (send(c->fd, request, strlen(request), MSG_NOSIGNAL) < 0) die("send");
}

// Takes n bytes of an answer: 1 when it is whole.
static int take(struct client *c, const char *data, size_t n) {
  if (c->body >= 0) return (c->body -= (long)n) <= 0;
  size_t room = sizeof c->text - 1 - c->head, copy = n < room ? n : room;
  memcpy(c->text + c->head, data, copy);
  c->text[c->head + copy] = 0;
  char *end = strstr(c->text, "\r\n\r\n"), *length = strcasestr(c->text, "content-length:");
  if (!end) { c->head += copy; return 0; }
  if (!length || strncmp(c->text, "HTTP/1.1 200", 12)) { fprintf(stderr, "client: got %.60s\n", c->text); exit(1); }
  c->body = atol(length + 15) + (end + 4 - c->text) - (long)c->head - (long)n;
  return c->body <= 0;
}

static void readable(struct client *c) {
  ssize_t n = recv(c->fd, input, sizeof input, 0);
  if (n <= 0) die("recv");
  if (!take(c, input, (size_t)n)) return;
  took[done++] = now() - c->since;
  if (--c->left) ask(c);
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void figures(double ms) {
  double sum = 0;
  for (long i = 0; i < done; i++) sum += took[i];
  qsort(took, (size_t)done, sizeof *took, by_size);
  printf("throughput %.1f\nmean %.4f\nmedian %.4f\np99 %.4f\n", (double)done / ms * 1e3, sum / (double)done, took[done / 2], took[done * 99 / 100]);
}

static struct client *open_clients(int n) {
  struct client *clients = calloc((size_t)n, sizeof *clients);
  for (int i = 0; clients && i < n; i++) {
    struct epoll_event e = { .events = EPOLLIN, .data.ptr = &clients[i] };
    clients[i].fd = dial();
    if (clients[i].fd < 0) die("connect");
    epoll_ctl(set, EPOLL_CTL_ADD, clients[i].fd, &e);
  }
  return clients;
}

static void run(int n, long each) {
  struct epoll_event got[512];
  struct client *clients = open_clients(n);
  took = calloc((size_t)n * (size_t)each, sizeof *took);
  double from = now();
  for (int i = 0; i < n; i++) {
    clients[i].left = each;
    ask(&clients[i]);
  }
  while (done < n * each) {
    int k = epoll_wait(set, got, 512, 10000);
    if (k == 0) { fputs("client: no answer\n", stderr); exit(1); }
    for (int i = 0; i < k; i++) readable(got[i].data.ptr);
  }
  figures(now() - from);
}

static void hold(int n) {
  struct client c;
  int held = 0;
  for (; held < n && (c.fd = dial()) >= 0; held++) {
    ask(&c);
    for (ssize_t k; (k = recv(c.fd, input, sizeof input, 0)) > 0 && !take(&c, input, (size_t)k);) {}
  }
  printf("%d\n", held);
  fflush(stdout);
  while (getchar() != EOF) {}
}

static void print_free_port(void) {
  struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  socklen_t size = sizeof a;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(fd, (struct sockaddr *)&a, size) || getsockname(fd, (struct sockaddr *)&a, &size)) die("bind");
  printf("%d\n", ntohs(a.sin_port));
}

int main(int argc, char **argv) {
  if (argc == 2) { print_free_port(); return 0; }
  if (argc != 5) return 2;
  port = atoi(argv[1]);
  set = epoll_create1(0);
  snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", argv[2]);
  if (!strcmp(argv[3], "idle")) hold(atoi(argv[4]));
  else run(atoi(argv[3]), atol(argv[4]));
  return 0;
}
