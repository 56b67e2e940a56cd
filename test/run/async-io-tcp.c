// A server and clients over TCP: accept, connect, read, write, half-close, large transfers that have to wait on both sides.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <errno.h>
#include <string.h>

enum { LARGE = 3 << 20 };
static char port[16];

static async void echo(int fd) throws(struct os_error) {
  char buf[4096];
  ssize_t n;
  defer fm_close(fd);
  while ((n = fm_read(fd, buf, sizeof buf)) > 0) fm_write_all(fd, buf, (size_t)n);
}

static async void serve(int l, int clients) throws(struct os_error) {
  scope (all)
    for (int i = 0; i < clients; i++) spawn echo(fm_accept(l));
}

static async int greet(const char *text) throws(struct os_error) {
  char buf[64];
  int fd = fm_connect("127.0.0.1", port);
  defer fm_close(fd);
  fm_write_all(fd, text, strlen(text));
  fm_shutdown(fd, SHUT_WR);
  size_t n = fm_read_exact(fd, buf, sizeof buf);
  return n == strlen(text) && memcmp(buf, text, n) == 0;
}

static async void send_large(int fd) throws(struct os_error) {
  unsigned char buf[10000];
  for (size_t at = 0; at < LARGE;) {
    size_t n = LARGE - at < sizeof buf ? LARGE - at : sizeof buf;
    for (size_t i = 0; i < n; i++) buf[i] = (unsigned char)((at + i) * 7 >> 3);
    fm_write_all(fd, buf, n);
    at += n;
  }
  fm_shutdown(fd, SHUT_WR);
}

static async size_t receive_large(int fd) throws(struct os_error) {
  static unsigned char buf[70000];
  size_t at = 0, wrong = 0;
  for (ssize_t n; (n = fm_read(fd, buf, sizeof buf)) > 0; at += (size_t)n) {
    for (ssize_t i = 0; i < n; i++) wrong += buf[i] != (unsigned char)((at + (size_t)i) * 7 >> 3);
    if (at % 5 == 0) fm_sleep(0);
  }
  return wrong ? 0 : at;
}

async int main(void) {
  try {
    int l = fm_listen("127.0.0.1", "0", 64);
    snprintf(port, sizeof port, "%d", fm_local_port(l));
    auto server = spawn serve(l, 21);
    task(int) t[20];
    for (int i = 0; i < 20; i++) t[i] = spawn greet("hello, world");
    int good = 0;
    for (int i = 0; i < 20; i++) good += await t[i];
    printf("%d greeted\n", good);                 // expect: 20 greeted
    int fd = fm_connect("localhost", port);
    auto sender = spawn send_large(fd);
    printf("%d\n", receive_large(fd) == LARGE);   // expect: 1
    await sender;
    fm_close(fd);
    await server;
    fm_close(l);
    try {
      fm_connect("127.0.0.1", port);
    } catch (struct os_error e) {
      printf("%s\n", strerror(e.code));           // expect: Connection refused
    }
    try {
      fm_read(l, port, 1);
    } catch (struct os_error e) {
      printf("%s\n", strerror(e.code));           // expect: Bad file descriptor
    }
    try {
      fm_listen("127.0.0.1", "no-such-service", 1);
    } catch (struct os_error e) {
      printf("%s\n", strerror(e.code));           // expect: No such file or directory
    }
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
