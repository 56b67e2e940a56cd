// I/O with the rest of the language: in an atomic, in tasks of fm_any, several readers of one descriptor, pause, a name that is given up.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <sys/socket.h>

static int got;

static async void later(int fd) throws(struct os_error) {
  fm_sleep(3);
  fm_write_all(fd, "x", 1);
}

static async int one(int fd) throws(struct os_error) {
  char c;
  int n = (int)fm_read(fd, &c, 1);
  got += n;
  return n;
}

static async void ask(void) {
  struct addrinfo *res;
  if (fm_getaddrinfo("no-such-host.invalid", "80", NULL, &res) == 0) freeaddrinfo(res);
}

static async void test(void) throws(struct os_error) {
  int p[2], q[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) || socketpair(AF_UNIX, SOCK_STREAM, 0, q)) throw (struct os_error){ 1 };
  atomic {
    auto l = spawn contained later(p[1]);
    printf("%d\n", one(p[0]));                    // expect: 1
    await l;
  }
  task(int) t[2] = { spawn one(p[0]), spawn one(q[0]) };
  auto w = spawn later(q[1]);
  size_t i = fm_any(t, 2);
  int n = await t[i];
  printf("%zu %d\n", i, n);                       // expect: 1 1
  await w;
  scope (s) {
    fm_cancel_after(s, 1);
    ask();
  }
  got = 0;
  scope (s) {                                     // three readers, a byte for each
    for (int j = 0; j < 3; j++) spawn one(p[0]);
    fm_sleep(1);
    fm_write_all(p[1], "abc", 3);
  }
  printf("%d\n", got);                            // expect: 3
  auto r = spawn one(p[0]);
  fm_sleep(1);
  fm_pause(fm_id(r));
  fm_write_all(p[1], "z", 1);
  fm_sleep(2);
  printf("%d\n", got);                            // expect: 3
  fm_resume(fm_id(r));
  printf("%d\n", await r);                        // expect: 1
  for (int j = 0; j < 2; j++) {
    fm_close(p[j]);
    fm_close(q[j]);
  }
}

async int main(void) {
  try {
    test();
  } catch (struct os_error e) {
    printf("failed: %d\n", e.code);
  }
  return 0;
}
