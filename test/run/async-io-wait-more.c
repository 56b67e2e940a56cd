// fm_wait_more: before the first read, after one that took all, after EAGAIN; the peer's end; cancelled, in a race, closed meanwhile.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int a[2], b[2];                            // two pairs of sockets

static void new_pair(int s[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s)) perror("socketpair");
  fm_watch_forget(s[0]);                          // not opened by the library: the numbers may be old
  fm_watch_forget(s[1]);
}

static void put(int fd, const char *text) {
  if (send(fd, text, strlen(text), MSG_NOSIGNAL) != (ssize_t)strlen(text)) perror("send");
}

static async void put_later(int fd, const char *text, unsigned ms) {
  fm_sleep(ms);
  put(fd, text);
}

// One recv behind the wait.
static async void take(int fd) {
  char buf[16];
  try {
    fm_wait_more(fd);
    ssize_t n = recv(fd, buf, sizeof buf, 0);
    if (n > 0) printf("%.*s\n", (int)n, buf);
    else printf("%s\n", n ? strerror(errno) : "the end");
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));
  }
}

static async void close_later(int fd) {
  fm_sleep(2);
  fm_close(fd);
}

static async void come(void) {
  char c;
  put(a[1], "early");
  take(a[0]);                                     // expect: early
  spawn put_later(a[1], "late", 2);
  take(a[0]);                                     // expect: late
  if (recv(a[0], &c, 1, 0) < 0) printf("%s\n", strerror(errno)); // expect: Resource temporarily unavailable
  spawn put_later(a[1], "more", 1);
  take(a[0]);                                     // expect: more
}

static async void cancelled_ones(void) throws(struct os_error) {
  char buf[16];
  for (int i = 0; i < 3; i++) scope (s) {         // each wait is taken back
    fm_cancel_after(s, 1);
    fm_wait_more(a[0]);
    printf("too early\n");
  } else printf("cancelled\n");                   // expect: cancelled
                                                  // expect: cancelled
                                                  // expect: cancelled
  put(a[1], "kept");
  scope (s) {                                     // it is there, but so is the cancel
    fm_cancel(s);
    fm_wait_more(a[0]);
    printf("in spite of the cancel\n");
  } else printf("%zd bytes\n", recv(a[0], buf, sizeof buf, 0)); // expect: 4 bytes
}

// Made ready and cancelled in one step: it has received nothing, and the next who waits does.
static async void ready_and_cancelled(void) {
  scope (s) {
    spawn take(a[0]);
    fm_sleep(1);
    put(a[1], "for the next");
    fm_cancel(s);
  }
  take(a[0]);                                     // expect: for the next
}

static async void one_of_two(void) throws(struct os_error) {
  spawn put_later(b[1], "second", 2);
  race {
    case fm_wait_more(a[0]): printf("the first?\n"); break;
    case fm_wait_more(b[0]): printf("the second\n"); break; // expect: the second
  }
  take(b[0]);                                     // expect: second
  spawn put_later(a[1], "first", 1);
  take(a[0]);                                     // expect: first
  race {
    case fm_wait_more(a[0]): printf("nothing has come\n"); break;
    case fm_sleep(2): printf("time\n"); break;    // expect: time
  }
}

static async void wait_alone(int fd) throws(struct os_error) { fm_wait_more(fd); }

static async void without_pause(void) throws(struct os_error) {
  char c;
  put(a[1], "!");
  atomic wait_alone(a[0]);
  if (recv(a[0], &c, 1, 0) == 1) printf("%c\n", c); // expect: !
}

static async void ends(void) throws(struct os_error) {
  spawn close_later(a[0]);
  take(a[0]);                                     // expect: Bad file descriptor
  spawn close_later(b[1]);
  take(b[0]);                                     // expect: the end
  take(b[0]);                                     // expect: the end
  take(-1);                                       // expect: Bad file descriptor
  int file = fm_open("/dev/null", 0, 0);
  fm_wait_more(file);                             // always
  fm_close(file);
  fm_close(b[0]);
  close(a[1]);
}

async int main(void) {
  new_pair(a);
  new_pair(b);
  come();
  try {
    cancelled_ones();
    ready_and_cancelled();
    one_of_two();
    without_pause();
    ends();
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
