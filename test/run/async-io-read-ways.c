// fm_read in all the ways in which a function can be used, of descriptors of all kinds: called, spawned, through a pointer, in an arm of a
// race, in an atomic; with data there, later, never, and an error.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef async ssize_t reader(int fd, void *buf, size_t n) throws(struct os_error);

static async void write_later(int fd, const char *text) throws(struct os_error) {
  fm_sleep(2);
  fm_write_all(fd, text, strlen(text));
}

static async ssize_t spawned(int fd, void *buf, size_t n) throws(struct os_error) {
  auto t = spawn fm_read(fd, buf, n);
  return await t;
}

static async ssize_t in_race(int fd, void *buf, size_t n) throws(struct os_error) {
  ssize_t got;
  race {
    case got = fm_read(fd, buf, n): return got;
    case fm_sleep(5000): return -1;
  }
  return -2;
}

static async ssize_t nested(int fd, void *buf, size_t n) throws(struct os_error) {
  scope (s) {
    fm_cancel_after(s, 5000);
    try {
      return fm_read(fd, buf, n);
    } finally {
      yield;
    }
  }
  return -1;
}

static reader *const ways[] = { fm_read, spawned, in_race, nested };

static async int try_it(reader *way, int in, int out) throws(struct os_error) {
  char buf[8] = "";
  bool right = true;
  if (out >= 0) fm_write_all(out, "now", 3);
  right &= way(in, buf, sizeof buf) == 3 && !memcmp(buf, "now", 4);
  if (out < 0) return right;
  auto w = spawn write_later(out, "later");
  right &= way(in, buf, sizeof buf) == 5 && !memcmp(buf, "later", 6);
  await w;
  scope (s) {
    fm_cancel_after(s, 2);
    way(in, buf, sizeof buf);
    right = false;
  }
  fm_write_all(out, "more than a buffer", 18);    // what a cancelled one did not take is still there
  right &= way(in, buf, 8) == 8 && way(in, buf, 8) == 8 && way(in, buf, 8) == 2;
  fm_close(out);
  right &= way(in, buf, 8) == 0;
  return right;
}

static async int error_of(reader *way, int fd) {
  char c;
  try {
    way(fd, &c, 1);
  } catch (struct os_error e) {
    return e.code;
  }
  return 0;
}

static int a_file(void) {
  char name[] = "/tmp/read-ways-XXXXXX";
  int fd = mkstemp(name);
  if (fd < 0 || write(fd, "now", 3) != 3 || lseek(fd, 0, SEEK_SET)) exit(1);
  unlink(name);
  return fd;
}

async int main(void) {
  try {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
      int sockets[2], pipes[2], plain[2], connected[2], l = fm_listen("127.0.0.1", "0", 4), file = a_file();
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) || pipe(plain)) return 1;
      fm_pipe(pipes);
      char port[8];
      snprintf(port, sizeof port, "%d", fm_local_port(l));
      connected[0] = fm_connect("127.0.0.1", port);
      connected[1] = fm_accept(l);
      printf("%d%d%d%d%d\n", try_it(ways[i], sockets[0], sockets[1]), try_it(ways[i], pipes[0], pipes[1]), try_it(ways[i], plain[0], plain[1]),
             try_it(ways[i], connected[0], connected[1]), try_it(ways[i], file, -1));
      fm_close(sockets[0]);
      printf("%d %d\n", error_of(ways[i], sockets[0]) == EBADF, error_of(ways[i], l) == ENOTCONN);
      fm_close(l);
      fm_close(pipes[0]);
      fm_close(plain[0]);
      fm_close(connected[0]);
      fm_close(file);
    }
    int fds[2];
    char c;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) return 1;
    auto w = spawn write_later(fds[1], "x");
    yield;
    fm_sleep(3);
    int got = 0;
    atomic got = (int)fm_read(fds[0], &c, 1);
    printf("%d %c\n", got, c);
    await w;
    auto r = spawn error_of(fm_read, fds[0]);
    yield;
    fm_close(fds[0]);
    printf("%d\n", await r == EBADF);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
}
// expect: 11111
// expect: 1 1
// expect: 11111
// expect: 1 1
// expect: 11111
// expect: 1 1
// expect: 11111
// expect: 1 1
// expect: 1 x
// expect: 1
