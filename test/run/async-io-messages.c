// No wake-up is missed although waits for messages are not tried first: bursts of all lengths, messages that come while nobody waits,
// several readers, sockets that are shared with a child or kept open by dup and closed behind the library's back; and a domain that has
// nothing to do sleeps, whatever is there to be read.
#define _GNU_SOURCE
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENOUGH = 2000000000 };                     // nanoseconds: a wake-up that was missed
static struct sockaddr_in to;
static int late;

static int bound(void) throws(struct os_error) {
  int fd = fm_udp_bind("127.0.0.1", "0");
  to = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)fm_local_port(fd)) };
  return fd;
}

static void post(int from, int n) {               // a message that says n
  if (sendto(from, &n, sizeof n, 0, (struct sockaddr *)&to, sizeof to) != sizeof n) abort();
}

static async int next(int fd, bool by_read) throws(struct os_error) {
  int n = -1;
  uint64_t start = fm_now();
  ssize_t got = by_read ? fm_read(fd, &n, sizeof n) : fm_recvfrom(fd, &n, sizeof n, NULL, NULL);
  if (fm_now() - start > ENOUGH) late++;
  return got == sizeof n ? n : -1;
}

static double cpu(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

// Whether the domain sleeps while it waits.
static async bool sleeps(void) {
  double before = cpu();
  fm_sleep(300);
  return cpu() - before < 0.15;
}

// ---- bursts ----
static int received;

static async void send_bursts(int from, int rounds) {
  int n = 0;
  for (int i = 0; i < rounds; i++) {
    while (n - received > 50) fm_sleep(1);        // so that none is lost
    for (int k = 0; k < i % 7; k++) post(from, n++);
    if (i % 3) fm_sleep(i % 2);
    else yield;
  }
}

static async void bursts(int fd, int from, bool by_read, bool slow) throws(struct os_error) {
  enum { ROUNDS = 210 };
  int all = 0, wrong = 0;
  for (int i = 0; i < ROUNDS; i++) all += i % 7;
  received = 0;
  auto t = spawn send_bursts(from, ROUNDS);
  for (int i = 0; i < all; i++) {
    wrong += next(fd, by_read) != i;
    received++;
    if (slow && i % 5 == 0) fm_sleep(1);
  }
  await t;
  printf("bursts: %d wrong\n", wrong);
}

// ---- nobody waits ----
static async void unread(int fd, int from) throws(struct os_error) {
  bool right = true;
  for (int i = 0; i < 50; i++) {                  // so that it is known as one message for each wait
    auto t = spawn next(fd, false);
    yield;
    post(from, i);
    right &= await t == i;
  }
  post(from, 1);
  post(from, 2);
  right &= next(fd, false) == 1;
  right &= sleeps();                              // with a message there
  right &= next(fd, false) == 2;
  post(from, 3);
  right &= sleeps() && next(fd, false) == 3;
  printf("unread: %d\n", right);
}

// ---- several readers, cancels ----
static async void takes(int fd, int *sum) throws(struct os_error) {
  for (;;) {
    int n = next(fd, false);
    *sum += n;
  }
}

static async void readers(int fd, int from) throws(struct os_error) {
  int sum = 0, all = 0, seen;
  for (int i = 1; i <= 200; i++) {
    scope (s) {
      for (int k = 0; k < 3; k++) spawn takes(fd, &sum);
      yield;
      post(from, i);
      all += i;
      if (i % 4 == 0) post(from, 0);
      uint64_t start = fm_now();
      while (sum != all && fm_now() - start < ENOUGH) fm_sleep(0);
      fm_cancel(s);
    }
  }
  while (recv(fd, &seen, sizeof seen, MSG_DONTWAIT) > 0) {
  }
  printf("readers: %d\n", sum == all);
}

// ---- the description lives on ----
static async void known(int fd, int from) throws(struct os_error) {
  for (int i = 0; i < 10; i++) {
    auto t = spawn next(fd, false);
    yield;
    post(from, i);
    if (await t != i) abort();
  }
}

static async void closed_behind(int from, bool reuse) throws(struct os_error) {
  int fd = bound(), kept = dup(fd);
  bool right = true;
  known(fd, from);
  close(fd);                                      // behind the library's back; the kernel still reports it
  post(from, 1);
  if (reuse) {
    struct sockaddr_in old = to;
    int other = bound();
    right &= other == fd;
    known(other, from);
    struct sockaddr_in now = to;
    to = old;
    post(from, 2);                                // to the one that nobody reads
    to = now;
    auto t = spawn next(other, false);
    right &= sleeps();
    post(from, 5);
    right &= await t == 5;
    fm_close(other);
  }
  right &= sleeps();
  close(kept);
  printf("closed: %d\n", right);
}

static async void in_child(int from) throws(struct os_error) {
  int fd = bound(), go[2];
  fm_pipe(go);
  known(fd, from);
  pid_t pid = fork();
  if (pid == 0) {                                 // holds it, and must not disturb its parent
    char c;
    fm_close(fd);
    int copy = dup(from);
    close(go[1]);
    close(copy);
    while (read(go[0], &c, 1) < 0) usleep(1000);
    _exit(0);
  }
  known(fd, from);
  fm_close(fd);
  post(from, 1);
  bool right = sleeps();
  fm_close(go[1]);
  right &= fm_wait_process(pid) == 0;
  fm_close(go[0]);
  printf("child: %d\n", right);
}

// ---- streams of pieces of one size ----
static async void answer(int fd, int n) throws(struct os_error) {
  char buf[64];
  for (int i = 0; i < n; i++) {
    fm_read_exact(fd, buf, sizeof buf);
    fm_write_all(fd, buf, sizeof buf);
    if (i % 50 == 0) fm_write_all(fd, "more", 4);
  }
}

static async void pieces(void) throws(struct os_error) {
  int fds[2], more = 0;
  char buf[64], first = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)) abort();
  auto t = spawn answer(fds[1], 500);
  bool right = true;
  for (int i = 0; i < 500; i++) {
    memset(buf, (char)i, sizeof buf);
    fm_write_all(fds[0], buf, sizeof buf);
    first = 0;
    right &= fm_read_exact(fds[0], buf, sizeof buf) == sizeof buf && buf[0] == (char)i;
    if (i % 50 == 0) {
      right &= fm_read_exact(fds[0], buf, 4) == 4;
      more++;
    }
  }
  await t;
  fm_write_all(fds[1], "xy", 2);
  right &= fm_read(fds[0], &first, 1) == 1 && sleeps() && fm_read(fds[0], &first, 1) == 1 && first == 'y';
  fm_close(fds[1]);
  right &= sleeps() && fm_read(fds[0], buf, 1) == 0 && fm_read(fds[0], buf, 1) == 0;
  fm_close(fds[0]);
  printf("pieces: %d\n", right && more == 10);
}

async int main(void) {
  try {
    int from = fm_udp_bind("127.0.0.1", "0"), fd = bound();
    for (int i = 0; i < 4; i++) bursts(fd, from, i & 1, i & 2);
    // expect: bursts: 0 wrong
    // expect: bursts: 0 wrong
    // expect: bursts: 0 wrong
    // expect: bursts: 0 wrong
    unread(fd, from);                             // expect: unread: 1
    readers(fd, from);                            // expect: readers: 1
    closed_behind(from, false);                   // expect: closed: 1
    closed_behind(from, true);                    // expect: closed: 1
    in_child(from);                               // expect: child: 1
    pieces();                                     // expect: pieces: 1
    printf("%d late\n", late);                    // expect: 0 late
    fm_close(fd);
    fm_close(from);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
