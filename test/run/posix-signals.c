// EINTR of <fermata/posix.h>: poll, select and pause end when a signal's handler has run, in all that wait so; accept only with a handler without SA_RESTART; reads do
// not; and a loop that asks a flag ends.
#include <fermata.h>
#include <fermata/posix.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t quit;
static void on_signal(int signo) { quit = signo; }

static void handle(int signo, int flags) {
  struct sigaction a = { .sa_handler = on_signal, .sa_flags = flags };
  sigaction(signo, &a, NULL);
}

static async int polls(int fd, int ms) {
  struct pollfd p = { .fd = fd, .events = POLLIN };
  return poll(&p, 1, ms) < 0 ? -errno : 0;
}

static async int selects(int fd, struct timeval *time) {
  fd_set r;
  FD_ZERO(&r);
  FD_SET(fd, &r);
  return select(fd + 1, &r, NULL, NULL, time) < 0 ? -errno : 0;
}

static async int pauses(void) { return pause() < 0 ? -errno : 0; }
static async int accepts(int fd) {
  int got = accept(fd, NULL, NULL);
  return got < 0 ? -errno : got;
}
static async int reads(int fd) {
  char c;
  return (int)read(fd, &c, 1);
}

static async int loops(int fd) {
  int rounds = 0;
  for (struct pollfd p = { .fd = fd, .events = POLLIN }; !quit; rounds++) poll(&p, 1, -1);
  return rounds;
}

static int listening(struct sockaddr_in *a) {
  socklen_t length = sizeof *a;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  *a = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  bind(fd, (struct sockaddr *)a, sizeof *a);
  listen(fd, 4);
  getsockname(fd, (struct sockaddr *)a, &length);
  return fd;
}

// Whether the process sleeps: its state in /proc.
static bool asleep(pid_t pid) {
  char path[32], text[128] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *f = fopen(path, "r");
  if (!f) return false;
  char *line = fgets(text, sizeof text, f), *name = line ? strrchr(line, ')') : NULL;
  fclose(f);
  return name && strncmp(name, ") S", 3) == 0;
}

// From another process, when this one waits: five looks in a row find it asleep.
static pid_t signals_soon(int signo) {
  pid_t me = getpid(), pid = fork();
  if (pid) return pid;
  struct timespec while_ = { 0, 4000000 };
  for (int found = 0, looks = 0; found < 5 && looks < 2000; looks++) {
    nanosleep(&while_, NULL);
    found = asleep(me) ? found + 1 : 0;
  }
  kill(me, signo);
  _exit(0);
}

async int main(void) {
  int fds[2];
  struct sockaddr_in a;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) return 1;
  int l = listening(&a);
  handle(SIGUSR1, SA_RESTART);
  auto p = spawn polls(fds[0], -1);
  auto q = spawn polls(fds[0], 60000);
  auto s = spawn selects(fds[0], NULL);
  auto t = spawn selects(fds[0], &(struct timeval){ 60, 0 });
  auto n = spawn polls(-1, -1);
  auto z = spawn pauses();
  auto c = spawn accepts(l);
  auto r = spawn reads(fds[0]);
  auto m = spawn loops(fds[0]);
  pid_t pid = signals_soon(SIGUSR1);
  printf("%d %d\n", await p == -EINTR, await q == -EINTR); // expect: 1 1
  printf("%d %d\n", await s == -EINTR, await t == -EINTR); // expect: 1 1
  printf("%d %d\n", await n == -EINTR, await z == -EINTR); // expect: 1 1
  printf("%d\n", await m);                        // expect: 1
  waitpid(pid, NULL, 0);
  write(fds[1], "x", 1);
  printf("%d\n", await r);                        // expect: 1
  handle(SIGUSR2, 0);
  pid = signals_soon(SIGUSR2);
  printf("%d\n", await c == -EINTR);              // expect: 1
  waitpid(pid, NULL, 0);
  c = spawn accepts(l);
  yield;
  int out = socket(AF_INET, SOCK_STREAM, 0);
  printf("%d\n", connect(out, (struct sockaddr *)&a, sizeof a)); // expect: 0
  printf("%d\n", await c >= 0);                   // expect: 1
  quit = 0;
  printf("%d\n", polls(fds[0], 5));               // expect: 0
  printf("%d\n", selects(fds[0], &(struct timeval){ 0, 1000 })); // expect: 0
}
