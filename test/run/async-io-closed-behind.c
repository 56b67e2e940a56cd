// A descriptor that was closed by close(2), of which the library is not told, and another one that gets its number: who waits for
// that one is woken, at the latest when the kernel has been told again. So is one who has waited for longer than that, and one of many.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static async void send_after(int fd, uint64_t ms, char what) throws(struct os_error) {
  fm_sleep(ms);
  fm_write_all(fd, &what, 1);
}

static async char from(int fd) throws(struct os_error) {
  char c = '-';
  fm_read(fd, &c, 1);
  return c;
}

static void make_pair(int fds[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) abort();
}

static async void once(uint64_t ms) throws(struct os_error) {
  int old[2], now[2];
  make_pair(old);
  auto writes = spawn send_after(old[1], 1, 'a');
  putchar(from(old[0]));                          // it waited: the kernel knows this number
  await writes;
  close(old[0]);
  close(old[1]);
  make_pair(now);                                 // the same two numbers
  if (now[0] != old[0]) printf("other numbers");
  writes = spawn send_after(now[1], ms, 'b');
  putchar(from(now[0]));                          // and knows nothing of this one
  await writes;
  writes = spawn send_after(now[1], ms, 'c');
  putchar(from(now[0]));
  await writes;
  fm_close(now[0]);
  close(now[1]);
}

static async void chatter(int *fds, int n) throws(struct os_error) { // so that others become doubtful and sure all the time
  for (int i = 0; i < n; i++) {
    fm_write_all(fds[1], "x", 1);
    fm_sleep(1);
  }
}

// One that was busy for long is looked at later.
static async void busy_before(void) throws(struct os_error) {
  int old[2], now[2];
  make_pair(old);
  auto t = spawn chatter(old, 90);
  for (int i = 0; i < 90; i++)
    from(old[0]);
  await t;
  close(old[0]);
  close(old[1]);
  make_pair(now);
  if (now[0] != old[0]) printf("other numbers");
  uint64_t start = fm_now();
  auto writes = spawn send_after(now[1], 5, 'd');
  putchar(from(now[0]));
  await writes;
  if (fm_now() - start > 2000000000) printf("late");
  fm_close(now[0]);
  close(now[1]);
}

static async void many(void) throws(struct os_error) {
  int busy[2];
  make_pair(busy);
  auto t = spawn chatter(busy, 60);
  auto o = spawn once(25);
  for (int i = 0; i < 60; i++)
    from(busy[0]);
  await t;
  await o;
  fm_close(busy[0]);
  fm_close(busy[1]);
}

async int main(void) {
  try {
    once(1);
    once(0);
    once(30);
    printf("\n");                                 // expect: abcabcabc
    many();
    printf("\n");                                 // expect: abc
    busy_before();
    printf("\n");                                 // expect: d
  } catch (struct os_error e) {
    printf("%d\n", e.code);
  }
}
