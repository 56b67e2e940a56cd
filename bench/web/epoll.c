// epoll.c: the least that a server can do: one epoll loop, which answers whatever ends in an empty
// line with 13 bytes. No parser, no paths, no time limits, no errors: what is left is what the
// kernel costs. -DPARSE: with the parsing and answering of examples/webserver, as the others do,
// and still nothing else.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef PARSE
#include "http.h"
#include "site.h"

static struct http *connections[1 << 20];         // by descriptor

static void begin(int fd) { http_begin(connections[fd] = malloc(sizeof(struct http))); }

static void end(int fd) {
  http_end(connections[fd]);
  free(connections[fd]);
}

static int serve(int fd) {
  struct http *h = connections[fd];
  enum http_state s = http_receive(h, fd);
  for (; s == HTTP_READY; s = http_next(h))
    if (http_reply(h, fd) != HTTP_SENT || !http_goes_on(h)) return 0;
  return s != HTTP_GONE;
}
#else
static void begin(int fd) { (void)fd; }
static void end(int fd) { (void)fd; }

// As long as what the others send.
static const char answer[] = "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Type: text/plain; charset=utf-8\r\n"
                             "Content-Length: 13\r\n\r\nHello, world\n";

static int serve(int fd) {
  char input[16384];
  ssize_t n = recv(fd, input, sizeof input, 0);
  if (n <= 0) return 0;
  return n < 4 || memcmp(input + n - 4, "\r\n\r\n", 4) || send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL) > 0;
}
#endif

static int open_listener(void) {
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 1024) ||
      getsockname(listener, (struct sockaddr *)&address, &size)) {
    perror("listen");
    exit(1);
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return listener;
}

static void add(int set, int fd) {
  struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };
  epoll_ctl(set, EPOLL_CTL_ADD, fd, &e);
}

static void accept_all(int set, int listener) {
  for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
    begin(fd);
    add(set, fd);
  }
}

int main(void) {
  struct epoll_event got[256];
  int listener = open_listener(), set = epoll_create1(0);
#ifdef PARSE
  site_open(&(struct options){ .root = "." });
#endif
  add(set, listener);
  for (;;) {
    int n = epoll_wait(set, got, 256, -1);
    for (int i = 0; i < n; i++) {
      int fd = got[i].data.fd;
      if (fd == listener) accept_all(set, listener);
      else if (!serve(fd)) { end(fd); close(fd); }
    }
  }
}
