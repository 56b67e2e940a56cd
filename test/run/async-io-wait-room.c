// fm_wait_room: after EAGAIN, and after a write that was cut short; with and without a reader before it, cancelled, closed, the peer gone.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static int a[2];

static void new_pair(void) {
  int small = 8192;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, a)) perror("socketpair");
  setsockopt(a[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  fm_watch_forget(a[0]);                          // not opened by the library: the numbers may be old
  fm_watch_forget(a[1]);
}

// All that fits: how much.
static size_t fill(void) {
  static char zeros[4096];
  size_t all = 0;
  for (ssize_t n; (n = send(a[0], zeros, sizeof zeros, MSG_NOSIGNAL)) > 0;) all += (size_t)n;
  return all;
}

static async size_t drain(unsigned ms) throws(struct os_error) {
  char buf[4096];
  size_t all = 0;
  fm_sleep(ms);
  for (ssize_t n; (n = recv(a[1], buf, sizeof buf, 0)) > 0;) all += (size_t)n;
  return all;
}

static async void send_much(size_t n) throws(struct os_error) { // all at once, as far as it goes
  char *bytes = calloc(n, 1);
  defer free(bytes);
  for (size_t at = 0; at < n;) {
    ssize_t done = send(a[0], bytes + at, n - at, MSG_NOSIGNAL);
    if (done > 0) at += (size_t)done;
    if (at < n) fm_wait_room(a[0]);
  }
  shutdown(a[0], SHUT_WR);
}

static async size_t receive_all(void) throws(struct os_error) {
  char buf[3000];
  size_t all = 0;
  for (ssize_t n; (n = recv(a[1], buf, sizeof buf, 0)) != 0;) {
    if (n > 0) all += (size_t)n;
    else fm_wait_more(a[1]);
    if (all % 7 == 0) fm_sleep(1);
  }
  return all;
}

static async void closes(int fd, unsigned ms) {
  fm_sleep(ms);
  fm_close(fd);
}

static async void waits(void) {
  try {
    fm_wait_room(a[0]);
    printf("%s\n", send(a[0], "", 1, MSG_NOSIGNAL) == 1 ? "room" : strerror(errno));
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));
  }
}

async int main(void) {
  new_pair();
  try {
    for (int i = 0; i < 3; i++) {
      size_t n = fill();
      auto t = spawn drain(1);
      waits();                                    // expect: room
      if (await t < n) printf("lost\n");          // expect: room
      drain(0);                                   // expect: room
    }
    fill();
    scope (s) {
      fm_cancel_after(s, 2);
      fm_wait_room(a[0]);
      printf("too early\n");
    } else printf("cancelled\n");                 // expect: cancelled
    spawn closes(a[0], 1);
    waits();                                      // expect: Bad file descriptor
    fm_close(a[1]);

    new_pair();
    fill();
    spawn closes(a[1], 1);
    waits();                                      // expect: Broken pipe
    fm_close(a[0]);

    new_pair();
    auto sending = spawn send_much(1000000);
    printf("%zu\n", receive_all());               // expect: 1000000
    await sending;
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
