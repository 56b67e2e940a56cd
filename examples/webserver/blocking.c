// blocking.c: the web server in plain POSIX, a thread for each connection. The original, from which fermata.c was made.
#define _GNU_SOURCE
#include "http.h"
#include "site.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct connection {
  int socket;
  bool idle;                                      // waits for the first byte of a request; under `lock`
  struct connection *next, **link;                // the list of all; under `lock`
  struct http http;
};

static struct options options;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER; // the list has become empty
static struct connection *connections;
static bool stopping;                             // under `lock`

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

// ---- requests ----
static void set_idle(struct connection *c, bool idle) {
  pthread_mutex_lock(&lock);
  c->idle = idle;
  if (idle && stopping) shutdown(c->socket, SHUT_RD); // the signal came before we were idle
  pthread_mutex_unlock(&lock);
}

// Reads until a request is whole. False: there is none, and the connection is over.
static bool receive(struct connection *c) {
  enum http_state s;
  double until = now() + options.patience;
  set_idle(c, true);
  do {
    s = http_receive(&c->http, c->socket);
    set_idle(c, false);
  } while (s == HTTP_MORE && now() < until);
  if (s == HTTP_MORE && !http_idle(&c->http)) {
    http_late(&c->http);
    s = HTTP_READY;
  }
  return s == HTTP_READY;
}

// ---- answers ----
static bool send_bytes(struct connection *c, const char *data, size_t n) {
  struct pieces p = { .part = { { (char *)data, n } } };
  return pieces_send(c->socket, &p) == 1;         // less: the time is over (SO_SNDTIMEO), or the client has gone
}

static bool send_file(struct connection *c, struct answer *a, int file) {
  char buffer[HTTP_ROOM + HTTP_CHUNK];
  size_t used = answer_format(&c->http, a, buffer);
  off_t at = 0;
  do {
    size_t want = a->size < HTTP_CHUNK ? a->size : HTTP_CHUNK;
    ssize_t n = want ? pread(file, buffer + used, want, at) : 0;
    if (n < 0 || (want && !n)) return false;      // it has become shorter than we said: only closing tells
    if (!send_bytes(c, buffer, used + (size_t)n)) return false;
    at += n;
    a->size -= (size_t)n;
    used = 0;
  } while (a->size);
  return true;
}

static int open_file(struct answer *a) {
  struct stat st;
  int file = open(a->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a fifo without writer must not hold us up
  bool found = file >= 0 && fstat(file, &st) == 0;
  answer_found(a, found ? &st : NULL, errno);
  return file;
}

static bool send_found(struct connection *c) {
  struct answer a = http_answer(&c->http);
  int file = a.file ? open_file(&a) : -1;
  bool done = send_file(c, &a, file);
  if (file >= 0) close(file);
  answer_free(&a);
  return done;
}

static bool respond(struct connection *c) {
  enum http_sent s = http_reply(&c->http, c->socket);
  return (s == HTTP_SENT || (s == HTTP_FILE && send_found(c))) && http_goes_on(&c->http); // LEFT: the time is over
}

// ---- connections ----
// Closing while the client still sends would reset the connection, and the client lose the answer: lets it finish first.
static void linger(struct connection *c) {
  char buffer[16384];
  double until = now() + options.patience;
  shutdown(c->socket, SHUT_WR);
  while (now() < until && recv(c->socket, buffer, sizeof buffer, 0) > 0) {}
}

static void converse(struct connection *c) {
  bool goes_on;
  do {
    if (!receive(c)) return;
    while ((goes_on = respond(c)) && http_next(&c->http) == HTTP_READY) {}
  } while (goes_on);
  linger(c);
}

static void enlist(struct connection *c) {
  pthread_mutex_lock(&lock);
  c->next = connections;
  c->link = &connections;
  if (c->next) c->next->link = &c->next;
  connections = c;
  pthread_mutex_unlock(&lock);
}

static void end(struct connection *c) {
  pthread_mutex_lock(&lock);
  *c->link = c->next;
  if (c->next) c->next->link = c->link;
  close(c->socket);                               // within the lock: who shuts connections down must meet no other descriptor
  if (!connections) pthread_cond_signal(&left);
  pthread_mutex_unlock(&lock);
  http_end(&c->http);
  free(c);
}

static void *connection_main(void *arg) {
  struct connection *c = arg;
  converse(c);
  end(c);
  return NULL;
}

static bool start_thread(struct connection *c) {
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 * 1024);
  pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
  int error = pthread_create(&thread, &small, connection_main, c);
  pthread_attr_destroy(&small);
  return !error;
}

static void begin(int socket) {
  struct timeval limit = { options.patience / 1000, options.patience % 1000 * 1000 };
  struct connection *c = malloc(sizeof *c);
  if (!c) { close(socket); return; }
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  *c = (struct connection){ .socket = socket };
  http_begin(&c->http);
  enlist(c);
  if (!start_thread(c)) end(c);
}

// ---- the server ----
static int open_listener(void) {
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                 .sin_port = htons((unsigned short)atoi(options.port)) };
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 1024) ||
      getsockname(listener, (struct sockaddr *)&address, &size)) {
    perror("listen");
    exit(1);
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return listener;
}

static void accept_until(int listener, int signals) {
  struct pollfd wait[2] = { { .fd = listener, .events = POLLIN }, { .fd = signals, .events = POLLIN } };
  for (;;) {
    if (poll(wait, 2, -1) < 0) continue;
    if (wait[1].revents) return;
    int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (socket >= 0) begin(socket);
    else if (errno == EMFILE || errno == ENFILE) usleep(10000); // until a connection ends
  }
}

static void shut(bool idle_only, int how) {
  for (struct connection *c = connections; c; c = c->next)
    if (c->idle || !idle_only) shutdown(c->socket, how);
}

static void finish(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += options.grace / 1000;
  until.tv_nsec += options.grace % 1000 * 1000000L;
  if (until.tv_nsec >= 1000000000L) { until.tv_sec++; until.tv_nsec -= 1000000000L; }
  pthread_mutex_lock(&lock);
  stopping = true;
  http_stopping();
  shut(true, SHUT_RD);
  int error = 0;
  while (connections && !error) error = pthread_cond_timedwait(&left, &lock, &until);
  shut(false, SHUT_RDWR);
  while (connections) pthread_cond_wait(&left, &lock);
  pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv) {
  options = options_read(argc, argv);
  site_open(&options);
  sigset_t terms;
  sigemptyset(&terms);
  sigaddset(&terms, SIGTERM);
  sigaddset(&terms, SIGINT);
  sigprocmask(SIG_BLOCK, &terms, NULL);
  int signals = signalfd(-1, &terms, SFD_CLOEXEC), listener = open_listener();
  accept_until(listener, signals);
  close(listener);
  finish();
  close(signals);
  site_close();
  return 0;
}
