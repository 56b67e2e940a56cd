// All kinds of descriptors, blocking ones too: pipes, local sockets, UDP, files, a terminal; lines; names.
#define _GNU_SOURCE
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int others;                                // turns of someone else, while we wait
static async void tick(void) { for (;;) { fm_sleep(1); others++; } }

static async void feed(int fd, size_t n, bool close_it) throws(struct os_error) {
  char buf[5000];
  memset(buf, 'x', sizeof buf);
  fm_sleep(5);
  while (n) {
    size_t part = n < sizeof buf ? n : sizeof buf;
    fm_write_all(fd, buf, part);
    n -= part;
  }
  if (close_it) fm_close(fd);
}

static async size_t drain(int fd) throws(struct os_error) {
  char buf[3000];
  size_t all = 0;
  for (ssize_t n; (n = fm_read(fd, buf, sizeof buf)) > 0;) all += (size_t)n;
  return all;
}

static async void through(const char *what, int in, int out) throws(struct os_error) {
  int before = others;
  auto t = spawn feed(out, 300000, true);
  size_t n = drain(in);
  await t;
  printf("%s: %zu%s\n", what, n, others > before ? "" : ", and blocked");
  fm_close(in);
}

static async void local(void) throws(struct os_error) {
  char path[64];
  snprintf(path, sizeof path, "@fermata-test-%d", (int)getpid());
  int l = fm_listen_unix(path, 4);
  auto t = spawn fm_connect_unix(path);
  int a = fm_accept(l), b = await t;
  through("local", a, b);
  fm_close(l);
}

static async void udp(void) throws(struct os_error) {
  struct sockaddr_in from, to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  socklen_t length = sizeof from;
  char buf[100];
  int a = fm_udp_bind("127.0.0.1", "0"), b = fm_udp_bind("127.0.0.1", "0");
  to.sin_port = htons((uint16_t)fm_local_port(a));
  auto t = spawn fm_recvfrom(a, buf, sizeof buf, (struct sockaddr *)&from, &length);
  fm_sleep(1);
  fm_sendto(b, "ping", 4, (struct sockaddr *)&to, sizeof to);
  ssize_t n = await t;
  printf("udp: %.*s, from the right one: %d\n", (int)n, buf, ntohs(from.sin_port) == fm_local_port(b));
  fm_close(a);
  fm_close(b);
}

static async void file(void) throws(struct os_error) {
  char path[] = "fermata-test-file", buf[10] = "";
  int fd = fm_open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  defer fm_close(fd);
  fm_write_all(fd, "hello", 5);
  fm_pwrite(fd, "J", 1, 0);
  printf("file: %zd", fm_pread(fd, buf, 9, 1));
  printf(" %s", buf);
  printf(" %zd\n", fm_read(fd, buf, 9));
  fm_wait_readable(fd);                           // always
  unlink(path);
}

static async void lines(void) throws(struct os_error) {
  int fds[2];
  char line[8];
  fm_lines l;
  fm_pipe(fds);
  fm_lines_init(&l, fds[0]);
  fm_write_all(fds[1], "one\n\nthree\ntoo long for it\nend", 30);
  fm_close(fds[1]);
  printf("lines:");
  while (fm_readline(&l, line, sizeof line) >= 0) printf(" [%s]", line);
  printf("\n");
  fm_close(fds[0]);
}

static async void terminal(void) throws(struct os_error) {
  char buf[10];
  int m = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (m < 0 || grantpt(m) || unlockpt(m)) {
    printf("terminal: x\n");
    return;
  }
  int s = fm_open(ptsname(m), O_RDWR | O_NOCTTY | O_CLOEXEC, 0);
  fm_tty *was = fm_tty_raw(s);
  auto t = spawn fm_read(s, buf, sizeof buf);
  fm_sleep(2);
  fm_write_all(m, "x", 1);                        // raw: no line has to end
  ssize_t n = await t;
  printf("terminal: %.*s\n", (int)n, buf);
  fm_tty_restore(was);
  fm_close(s);
  fm_close(m);
}

static async void names(void) {
  struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *res = NULL;
  int err = fm_getaddrinfo("localhost", "80", &hints, &res);
  printf("names: %d %d", err, res != NULL);
  if (!err) freeaddrinfo(res);
  printf(" %d\n", fm_getaddrinfo("127.0.0.1", "no-such-service", &hints, &res) != 0);
}

async int main(void) {
  int fds[2];
  auto ticking = spawn tick();
  try {
    fm_pipe(fds);
    through("pipe", fds[0], fds[1]);              // expect: pipe: 300000
    if (pipe(fds)) return 1;
    through("blocking pipe", fds[0], fds[1]);     // expect: blocking pipe: 300000
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) return 1;
    through("blocking socket", fds[0], fds[1]);   // expect: blocking socket: 300000
    local();                                      // expect: local: 300000
    udp();                                        // expect: udp: ping, from the right one: 1
    file();                                       // expect: file: 4 ello 0
    lines();                                      // expect: lines: [one] [] [three] [too lon] [g for i] [t] [end]
    terminal();                                   // expect: terminal: x
    names();                                      // expect: names: 0 1 1
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  fm_cancel(fm_id(ticking));
  fm_detach(ticking);
  return 0;
}
