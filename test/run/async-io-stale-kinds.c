// The library guesses from a descriptor's number what kind it is. Here each number that was used as one kind becomes another, behind the
// library's back (dup2): for every pair of kinds, what is there is read, what comes later is waited for, a cancelled read takes nothing,
// messages stay apart, and nothing blocks the others.
#define _GNU_SOURCE
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/posix.h>
#include <fermata/time.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
// flags: -lutil

enum { FILE_KIND, MEMORY, PIPE, BLOCKING_PIPE, FIFO, STREAM, MESSAGES, TERMINAL, PROC, ZERO, KINDS };
static const char *const names[] = { "file", "memory", "pipe", "blocking pipe", "fifo", "stream", "messages", "terminal", "proc", "zero" };
enum { AT = 100 };                                // the number that is used for all of them
static int others;
static int wrong;

static async void tick(void) {
  for (;;) {
    fm_sleep(1);
    others++;
  }
}

#define RIGHT(x) ((x) ? (void)0 : (void)(wrong++, printf("%s as %s: line %d\n", names[now], names[was], __LINE__)))

static void must(bool ok) {
  if (!ok) {
    printf("cannot be made: %s\n", strerror(errno));
    exit(1);
  }
}

static bool is_file(int kind) { return kind == FILE_KIND || kind == MEMORY || kind == PROC || kind == ZERO; }

// Puts a descriptor of that kind at the number AT; returns its other end, or -1.
static int make(int kind) {
  int fds[2] = { -1, -1 };
  char name[] = "stale-XXXXXX";
  switch (kind) {
  case FILE_KIND: must((fds[0] = mkstemp(name)) >= 0 && unlink(name) == 0); break;
  case MEMORY: must((fds[0] = memfd_create("stale", 0)) >= 0); break;
  case PIPE: must(pipe2(fds, O_NONBLOCK) == 0); break;
  case BLOCKING_PIPE: must(pipe(fds) == 0); break;
  case FIFO:
    snprintf(name, sizeof name, "s%d", (int)getpid());
    must(mkfifo(name, 0600) == 0 && (fds[0] = open(name, O_RDWR)) >= 0 && (fds[1] = open(name, O_WRONLY)) >= 0);
    unlink(name);
    break;
  case STREAM: must(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0); break;
  case MESSAGES: must(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) == 0); break;
  case TERMINAL: {
    struct termios t;
    must(openpty(&fds[0], &fds[1], NULL, NULL, NULL) == 0);
    tcgetattr(fds[1], &t);
    cfmakeraw(&t);
    tcsetattr(fds[1], TCSANOW, &t);
    break;
  }
  case PROC: must((fds[0] = open("/proc/self/comm", O_RDONLY)) >= 0); break;
  case ZERO: must((fds[0] = open("/dev/zero", O_RDWR)) >= 0); break;
  }
  if (kind == FILE_KIND || kind == MEMORY) must(write(fds[0], "oneTWO", 6) == 6 && lseek(fds[0], 0, SEEK_SET) == 0);
  must(dup2(fds[0], AT) == AT);
  close(fds[0]);
  return fds[1];
}

static async void send_later(int fd) throws(struct os_error) {
  fm_sleep(2);
  if (write(fd, "late", 4) != 4) abort();
}

// All that can be asked of it.
static async void use(int now, int was, int other) throws(struct os_error) {
  char buf[16] = "";
  if (is_file(now)) {
    RIGHT(fm_read(AT, buf, 3) == 3);
    if (now == FILE_KIND || now == MEMORY) {
      RIGHT(!memcmp(buf, "one", 3));
      RIGHT(fm_read(AT, buf, sizeof buf) == 3 && !memcmp(buf, "TWO", 3));
      RIGHT(fm_read(AT, buf, sizeof buf) == 0);
      RIGHT(fm_write(AT, "tail", 4) == 4);
      RIGHT(fm_pread(AT, buf, sizeof buf, 3) == 7 && !memcmp(buf, "TWOtail", 7));
    }
    return;
  }
  if (write(other, "now", 3) != 3) abort();
  RIGHT(fm_read(AT, buf, sizeof buf) == 3 && !memcmp(buf, "now", 3));
  auto t = spawn send_later(other);
  RIGHT(fm_read(AT, buf, sizeof buf) == 4 && !memcmp(buf, "late", 4));
  await t;
  scope (s) {
    fm_cancel_after(s, 2);
    fm_read(AT, buf, sizeof buf);
    RIGHT(false);
  }
  if (now == MESSAGES) {
    if (write(other, "a", 1) != 1 || write(other, "bc", 2) != 2) abort();
    RIGHT(fm_read(AT, buf, sizeof buf) == 1);
    RIGHT(fm_read(AT, buf, sizeof buf) == 2);
  }
  if (now == STREAM || now == MESSAGES || now == TERMINAL) {
    RIGHT(fm_write(AT, "back", 4) == 4);
    RIGHT(read(other, buf, sizeof buf) == 4);
  }
  if (now == PIPE) {                              // the name of POSIX, of one that does not block
    errno = 0;
    RIGHT(read(AT, buf, sizeof buf) == -1 && errno == EAGAIN);
  }
}

static async void pair(int was, int now) throws(struct os_error) {
  int before = others, first = make(was);
  use(was, was, first);
  int second = make(now);
  use(now, was, second);
  if (!is_file(was) && !is_file(now)) RIGHT(others > before);
  close(AT);
  if (first >= 0) close(first);
  if (second >= 0) close(second);
}

async int main(void) {
  auto ticking = spawn tick();
  try {
    for (int was = 0; was < KINDS; was++)
      for (int now = 0; now < KINDS; now++) pair(was, now);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  printf("%d wrong\n", wrong);                    // expect: 0 wrong
  fm_cancel(fm_id(ticking));
  fm_detach(ticking);
  return 0;
}
