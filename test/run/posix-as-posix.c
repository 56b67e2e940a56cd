// Where the POSIX functions are more than a try and a wait: time limits of sockets, messages in several parts, streams that take a part, local
// sockets whose queue is full, what poll and select need not be told, several who wait for one pipe, SIGPIPE.
#define _GNU_SOURCE
#include <fermata.h>
#include <fermata/posix.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

static void pair(int type, int s[2]) { if (socketpair(AF_UNIX, type, 0, s)) abort(); }

static long used(void) {                          // milliseconds of the processor
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static async void later(int fd, const char *text, unsigned ms) {
  usleep(ms * 1000);
  write(fd, text, strlen(text));
}

static async size_t drain(int fd) {
  static char buf[65536];
  size_t all = 0;
  for (ssize_t n; (n = read(fd, buf, sizeof buf)) > 0;) all += (size_t)n;
  return all;
}

static async void time_limits(void) {
  static const char big[4000000];
  struct timeval limit = { .tv_usec = 20000 };
  char c;
  int s[2];
  pair(SOCK_STREAM, s);
  setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(s[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  ssize_t n = recv(s[0], &c, 1, 0);
  printf("%zd %d\n", n, errno == EAGAIN);         // expect: -1 1
  n = read(s[0], &c, 1);
  printf("%zd %d\n", n, errno == EAGAIN);         // expect: -1 1
  n = write(s[0], big, sizeof big);
  printf("%d\n", n > 0 && n < (ssize_t)sizeof big); // expect: 1
  n = write(s[0], big, sizeof big);
  printf("%zd %d\n", n, errno == EAGAIN);         // expect: -1 1
  close(s[0]), close(s[1]);
}

static async void one_datagram(void) {
  struct iovec v[2] = { { "abc", 3 }, { "def", 3 } };
  char buf[10];
  int s[2];
  pair(SOCK_DGRAM, s);
  writev(s[0], v, 2);
  printf("%zd\n", recv(s[1], buf, sizeof buf, MSG_WAITALL)); // expect: 6
  close(s[0]), close(s[1]);
}

static async void whole_messages(void) {
  enum { SIZE = 2000000 };
  char *big = malloc(SIZE), buf[7] = "", *at = buf + 3;
  struct iovec parts[2] = { { big, 5 }, { big + 5, SIZE - 5 } }, back[2] = { { buf, 3 }, { at, 3 } };
  struct msghdr out = { .msg_iov = parts, .msg_iovlen = 2 }, in = { .msg_iov = back, .msg_iovlen = 2 };
  int s[2];
  pair(SOCK_STREAM, s);
  memset(big, 'x', SIZE);
  auto t = spawn drain(s[1]);
  printf("%zd %zd\n", sendmsg(s[0], &out, 0), writev(s[0], parts, 2)); // expect: 2000000 2000000
  shutdown(s[0], SHUT_WR);
  printf("%zu\n", await t);                       // expect: 4000000
  auto a = spawn later(s[1], "ab", 0), b = spawn later(s[1], "cdef", 5);
  printf("%zd\n", recvmsg(s[0], &in, MSG_WAITALL)); // expect: 6
  printf("%s\n", buf);                            // expect: abcdef
  await a, await b;
  a = spawn later(s[1], "ab", 0);
  b = spawn later(s[1], "cd", 5);
  ssize_t n = recv(s[0], buf, 4, MSG_WAITALL | MSG_PEEK);
  printf("%d\n", n == 2 || memcmp(buf, "abcd", 4) == 0); // expect: 1
  await a, await b;
  close(s[0]), close(s[1]);
  free(big);
}

static async void visit(const struct sockaddr_un *to) {
  char buf[3] = "";
  int fd = socket(AF_UNIX, SOCK_STREAM, 0), r = connect(fd, (const struct sockaddr *)to, sizeof *to);
  ssize_t n = read(fd, buf, 2);
  printf("%d %zd %s\n", r, n, buf);
  close(fd);
}

static async void full_queue(void) {
  struct sockaddr_un a = { .sun_family = AF_UNIX };
  int listening = socket(AF_UNIX, SOCK_STREAM, 0);
  snprintf(a.sun_path + 1, 50, "fermata-posix-%d", (int)getpid());
  if (bind(listening, (struct sockaddr *)&a, sizeof a) || listen(listening, 0)) abort();
  for (int i = 0; i < 3; i++) spawn visit(&a);
  usleep(10000);
  for (int i = 0; i < 3; i++) {
    int fd = accept(listening, NULL, NULL);
    write(fd, "hi", 2);
    close(fd);
  }
  usleep(20000);
  // expect: 0 2 hi
  // expect: 0 2 hi
  // expect: 0 2 hi
  close(listening);
}

static async void readable_but_not_asked_for(void) {
  struct timeval soon = { .tv_usec = 100000 }, never = { .tv_sec = -1 };
  fd_set x;
  int s[2];
  pair(SOCK_STREAM, s);
  write(s[1], "x", 1);
  struct pollfd p = { .fd = s[0], .events = 0 };
  long before = used();
  printf("%d\n", poll(&p, 1, 100));               // expect: 0
  FD_ZERO(&x);
  FD_SET(s[0], &x);
  printf("%d\n", select(s[0] + 1, NULL, NULL, &x, &soon)); // expect: 0
  printf("%d\n", used() - before < 100);          // expect: 1
  printf("%d\n", soon.tv_sec == 0 && soon.tv_usec == 0); // expect: 1
  close(s[1]);
  FD_SET(s[0], &x);
  soon.tv_usec = 20000;
  printf("%d\n", select(s[0] + 1, NULL, NULL, &x, &soon)); // expect: 0
  printf("%d\n", soon.tv_usec == 0);              // expect: 1
  printf("%d %d\n", poll(&p, 1, 1000), (p.revents & POLLHUP) != 0); // expect: 1 1
  int r = select(0, NULL, NULL, NULL, &never);
  printf("%d %d\n", r, errno == EINVAL);          // expect: -1 1
  close(s[0]);
}

static async void take_one(int fd) {
  char a, b;
  struct iovec v[2] = { { &a, 1 }, { &b, 1 } };
  ssize_t n = readv(fd, v, 2);
  printf("%zd %c\n", n, a);
}

static async void two_readers(void) {
  int fds[2];
  if (pipe(fds)) abort();
  auto a = spawn take_one(fds[0]), b = spawn take_one(fds[0]);
  usleep(1000);
  write(fds[1], "x", 1);                          // both are told, one gets it
  usleep(1000);
  write(fds[1], "y", 1);
  await a, await b;
  // expect: 1 x
  // expect: 1 y
  close(fds[0]);
  ssize_t n = writev(fds[1], &(struct iovec){ "z", 1 }, 1);
  printf("%zd %d\n", n, errno == EPIPE);          // expect: -1 1
  close(fds[1]);
}

static async void no_signal(void) {
  int s[2];
  pair(SOCK_STREAM, s);
  close(s[1]);
  ssize_t n = send(s[0], "x", 1, 0);
  printf("%zd %d\n", n, errno == EPIPE);          // expect: -1 1
  n = write(s[0], "x", 1);
  printf("%zd %d\n", n, errno == EPIPE);          // expect: -1 1
  close(s[0]);
}

async int main(void) {
  time_limits();
  one_datagram();
  whole_messages();
  full_queue();
  readable_but_not_asked_for();
  two_readers();
  no_signal();
  return 0;
}
