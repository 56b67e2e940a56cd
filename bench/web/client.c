// client.c: the load. One thread; each client asks again as soon as it has the whole answer.
//   client PORT PATH CLIENTS REQUESTS   each client asks so often (on the average), on one connection; prints figures: throughput (1/s), mean, median,
//                                       p99 (ms)
//   client turns PATH CLIENTS REQUESTS ROUNDS NAME:PORT:PID ...
//                                       so often in each burst, the servers in turn, on connections that stay; prints for each burst
//                                       NAME.throughput, NAME.mean and NAME.cpu (requests for a second of processor time of the
//                                       process and its children; not where the kernel does not tell it)
//   client PORT PATH idle CLIENTS       each asks once, then stays: prints how many are held; ends with its standard input
//   client free                         prints a port that no one uses
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct client { int fd; long body; double since; size_t head; char text[1024]; }; // body: bytes to come; -1: the head is read

static char request[512], input[1 << 18];
static int port;
static double *took;
static long done, left;                           // answers of this burst; requests to come

struct server { char name[64]; long pids[16]; int processes, set; struct client *clients; };

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
  // 20,000 connections to one address from one are more than some systems have ports for: a second
  // loopback address helps.
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
  if (left-- > 0) ask(c);
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

static struct client *open_clients(int set, int n) {
  struct client *clients = calloc((size_t)n, sizeof *clients);
  for (int i = 0; clients && i < n; i++) {
    struct epoll_event e = { .events = EPOLLIN, .data.ptr = &clients[i] };
    clients[i].fd = dial();
    if (clients[i].fd < 0) die("connect");
    epoll_ctl(set, EPOLL_CTL_ADD, clients[i].fd, &e);
  }
  return clients;
}

// All clients of a server ask, so often on the average that all stay busy to the end: how many
// milliseconds that took. We do not sleep while we wait: else the server would pay for waking us,
// and the more so the slower it is. Clients elsewhere are not woken by it.
static double burst(const struct server *s, int n, long each) {
  struct epoll_event got[512];
  double from = now();
  done = 0;
  left = n * (each - 1);
  for (int i = 0; i < n; i++) ask(&s->clients[i]);
  while (done < n * each) {
    int k = epoll_wait(s->set, got, 512, 0);
    if (k == 0 && now() - from > 60e3) { fputs("client: no answer\n", stderr); exit(1); }
    for (int i = 0; i < k; i++) readable(got[i].data.ptr);
  }
  return now() - from;
}

static void run(int n, long each) {
  struct server s = { .set = epoll_create1(0) };
  s.clients = open_clients(s.set, n);
  took = calloc((size_t)n * (size_t)each, sizeof *took);
  figures(burst(&s, n, each));
}

// ---- in turns ----
static void add_process(struct server *s, long pid) {
  char path[64];
  long child;
  if (s->processes == (int)(sizeof s->pids / sizeof *s->pids)) return;
  s->pids[s->processes++] = pid;
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", pid, pid);
  FILE *f = fopen(path, "r");
  while (f && fscanf(f, "%ld", &child) == 1) add_process(s, child);
  if (f) fclose(f);
}

// Nanoseconds that all threads of a server's processes have run.
static double nanoseconds(const struct server *s) {
  double all = 0, one;
  for (int i = 0; i < s->processes; i++) {
    char pattern[64];
    glob_t g = { 0 };
    snprintf(pattern, sizeof pattern, "/proc/%ld/task/*/schedstat", s->pids[i]);
    if (glob(pattern, GLOB_NOSORT, NULL, &g) == 0)
      for (size_t k = 0; k < g.gl_pathc; k++) {
        FILE *f = fopen(g.gl_pathv[k], "r");
        if (f && fscanf(f, "%lf", &one) == 1) all += one;
        if (f) fclose(f);
      }
    globfree(&g);
  }
  return all;
}

static struct server meet(const char *what, int clients) {
  struct server s = { .set = epoll_create1(0) };
  long pid;
  if (sscanf(what, "%63[^:]:%d:%ld", s.name, &port, &pid) != 3) { fprintf(stderr, "client: not NAME:PORT:PID: %s\n", what); exit(2); }
  add_process(&s, pid);
  s.clients = open_clients(s.set, clients);
  return s;
}

static void one_turn(const struct server *s, int clients, long each) {
  double sum = 0, before = nanoseconds(s), ms = burst(s, clients, each), ran = nanoseconds(s) - before;
  for (long i = 0; i < done; i++) sum += took[i];
  printf("%s.throughput %.1f\n%s.mean %.5f\n", s->name, (double)done / ms * 1e3, s->name, sum / (double)done);
  if (ran > 0) printf("%s.cpu %.1f\n", s->name, (double)done / ran * 1e9);
}

// Every other time the other way round, since who went before leaves something behind.
static void take_turns(char **what, int n, int clients, long each, int rounds) {
  struct server *servers = calloc((size_t)n, sizeof *servers);
  took = calloc((size_t)clients * (size_t)each, sizeof *took);
  if (!servers || !took) die("calloc");
  for (int i = 0; i < n; i++) {
    servers[i] = meet(what[i], clients);
    burst(&servers[i], clients, each);            // the first is the connections' own
  }
  for (int r = 0; r < rounds; r++)
    for (int i = 0; i < n; i++) one_turn(&servers[r % 2 ? n - 1 - i : i], clients, each);
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
  if (argc < 5) return 2;
  port = atoi(argv[1]);
  snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", argv[2]);
  if (!strcmp(argv[3], "idle")) hold(atoi(argv[4]));
  else if (strcmp(argv[1], "turns")) run(atoi(argv[3]), atol(argv[4]));
  else if (argc > 6) take_turns(argv + 6, argc - 6, atoi(argv[3]), atol(argv[4]), atoi(argv[5]));
  return 0;
}
