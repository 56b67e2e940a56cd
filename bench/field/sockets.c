// sockets.c: messages of 64 bytes between two activities of one domain, through the kernel.
// Processor time in nanoseconds, the best of many chunks.
//     pipe                       one way: a write and a read
//     pipes                      there and back over two pipes
//     stream, datagram, udp      there and back: a Unix stream and datagram pair, UDP on loopback
#include <fermata.h>
#include <fermata/io.h>

#include "sockets.h"

#include <string.h>
#include <unistd.h>

static async void pump(int fd, int n) throws(struct os_error) {
  char message[SIZE] = { 1 };
  for (int i = 0; i < n; i++)
    check(fm_write(fd, message, SIZE) == SIZE);
}

static async void drain(int fd, int n) throws(struct os_error) {
  char message[SIZE];
  for (int i = 0; i < n; i++) {
    check(fm_read(fd, message, SIZE) == SIZE);
    check(message[0] == 1);
  }
}

static async void echo(int from, int to, int n) throws(struct os_error) {
  char message[SIZE];
  for (int i = 0; i < n; i++) {
    ssize_t got = fm_read(from, message, SIZE);
    check(fm_write(to, message, (size_t)got) == SIZE);
  }
}

static async void ask(int to, int from, int n) throws(struct os_error) {
  char message[SIZE] = { 0 };
  for (int i = 0; i < n; i++) {
    message[0] = (char)i;
    check(fm_write(to, message, SIZE) == SIZE);
    check(fm_read(from, message, SIZE) == SIZE);
    check(message[0] == (char)i);
  }
}

static async void one_way(void) throws(struct os_error) {
  int p[2];
  fm_pipe(p);
  defer fm_close(p[0]);
  defer fm_close(p[1]);
  scope {
    spawn pump(p[1], PIPE);
    drain(p[0], PIPE);
  }
}

static async void two_pipes(void) throws(struct os_error) {
  int a[2], b[2];
  fm_pipe(a);
  defer fm_close(a[0]);
  defer fm_close(a[1]);
  fm_pipe(b);
  defer fm_close(b[0]);
  defer fm_close(b[1]);
  scope {
    spawn echo(a[0], b[1], TRIPS);
    ask(a[1], b[0], TRIPS);
  }
}

static async void socket_pair(int type) throws(struct os_error) {
  int s[2];
  check(socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, s) == 0);
  defer fm_close(s[0]);
  defer fm_close(s[1]);
  scope {
    spawn echo(s[1], s[1], TRIPS);
    ask(s[0], s[0], TRIPS);
  }
}

static async void udp_echo(int fd, int n) throws(struct os_error) {
  char message[SIZE];
  struct sockaddr_storage from;
  for (int i = 0; i < n; i++) {
    socklen_t length = sizeof from;
    ssize_t got =
        fm_recvfrom(fd, message, SIZE, (struct sockaddr *)&from, &length);
    check(
        fm_sendto(fd, message, (size_t)got, (struct sockaddr *)&from, length) ==
        SIZE);
  }
}

static async void udp(void) throws(struct os_error) {
  int server = fm_udp_bind("127.0.0.1", "0");
  defer fm_close(server);
  int client = fm_udp_bind("127.0.0.1", "0");
  defer fm_close(client);
  struct sockaddr_storage to;
  socklen_t length = sizeof to;
  char message[SIZE] = { 0 };
  check(getsockname(server, (struct sockaddr *)&to, &length) == 0);
  scope {
    spawn udp_echo(server, TRIPS);
    for (int i = 0; i < TRIPS; i++) {
      message[0] = (char)i;
      check(fm_sendto(client, message, SIZE, (struct sockaddr *)&to, length) ==
            SIZE);
      check(fm_recvfrom(client, message, SIZE, NULL, NULL) == SIZE);
      check(message[0] == (char)i);
    }
  }
}

static async void measure(void) throws(struct os_error) {
  MEASURE_ALL();
}

int main(void) {
  try {
    run measure();
  } catch (struct os_error e) {
    fprintf(stderr, "sockets: error %d\n", e.code);
    return 1;
  }
  return 0;
}
