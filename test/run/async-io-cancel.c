// Deadlines, races and closing while someone waits: nothing received is lost, the buffer is left alone, and the descriptor is as it was.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <string.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static async int reads(int fd) {
  char c;
  try {
    return (int)fm_read(fd, &c, 1);
  } catch (struct os_error e) {
    return -e.code;
  }
}

// A race of a read with a sleep, again and again, with someone who writes in between: each byte is got once.
static async int race_on(int fd, int bytes) throws(struct os_error) {
  int got = 0, timeouts = 0;
  ssize_t n;
  char c = 0, want = 0;
  while (got < bytes) {
    race {
      case n = fm_read(fd, &c, 1):
        if (n != 1 || c != want) return -1;
        want = (char)(want + 1);
        got++;
        break;
      case fm_sleep(1):
        timeouts++;
        break;
    }
  }
  return timeouts > 0 ? got : -2;
}

static async void writes(int fd, int bytes) throws(struct os_error) {
  for (int i = 0; i < bytes; i++) {
    char c = (char)i;
    fm_write(fd, &c, 1);
    if (i % 3 == 0) fm_sleep((uint64_t)(i % 4));
  }
}

async int main(void) {
  int fds[2];
  char buf[4] = "abc";
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) return 1;
  try {
    scope (s) {
      fm_cancel_after(s, 5);
      fm_read(fds[0], buf, sizeof buf);
      printf("read?\n");
    } else {
      printf("too late\n");                       // expect: too late
    }
    fm_write_all(fds[1], "xyz", 3);
    fm_sleep(2);
    printf("%s\n", buf);                          // expect: abc
    printf("%zd\n", fm_read(fds[0], buf, 4));     // expect: 3
    auto w = spawn writes(fds[1], 100);
    printf("%d\n", race_on(fds[0], 100));         // expect: 100
    await w;
    auto a = spawn reads(fds[0]);
    auto b = spawn reads(fds[0]);
    fm_sleep(2);
    fm_close(fds[0]);
    int first = await a, second = await b;
    printf("%d %d\n", first == -EBADF, second == -EBADF); // expect: 1 1

    // closed behind our back, and its number used again: no harm, a few milliseconds later
    int again[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, again)) return 1;
    auto r = spawn reads(again[0]);
    fm_sleep(1);
    fm_write_all(again[1], "1", 1);
    printf("%d", await r);
    close(again[0]);
    close(again[1]);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, again)) return 1;
    r = spawn reads(again[0]);
    fm_sleep(1);
    fm_write_all(again[1], "1", 1);
    printf(" %d\n", await r);                     // expect: 1 1

    // the peer resets
    struct linger at_once = { 1, 0 };
    int l = fm_listen("127.0.0.1", "0", 4);
    char port[8];
    snprintf(port, sizeof port, "%d", fm_local_port(l));
    int c = fm_connect("127.0.0.1", port), peer = fm_accept(l);
    setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    r = spawn reads(c);
    fm_sleep(1);
    fm_close(peer);
    printf("%d\n", await r == -ECONNRESET);       // expect: 1
    try {
      for (int i = 0; i < 3; i++) fm_write(c, "x", 1);
    } catch (struct os_error e) {
      printf("%s\n", strerror(e.code));           // expect: Broken pipe
    }
    int pipes[2];
    fm_pipe(pipes);
    fm_close(pipes[0]);
    try {
      fm_write(pipes[1], "x", 1);
    } catch (struct os_error e) {
      printf("%s\n", strerror(e.code));           // expect: Broken pipe
    }
    // a connection that no one answers, and one that is cancelled: the listening queue is full
    scope (s) {
      fm_cancel_after(s, 5);
      fm_accept(l);
    } else {
      printf("no one\n");                         // expect: no one
    }
    fm_close(l);
    fm_close(c);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
