// sockets-epoll.c: sockets.c as a loop over epoll, edge-triggered, of one thread: after an event
// one read, and an answer at once. Nothing is asked of the kernel that could be known, and of the
// calls that do the same it gets the cheapest: recv and send for sockets, read and write for pipes.
#include "sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static void watch(int ep, int fd, unsigned events) {
  struct epoll_event e = { .events = events | EPOLLET, .data.fd = fd };
  check(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e) == 0);
}

static void make_pipe(int p[2]) {
  check(pipe(p) == 0);
  for (int i = 0; i < 2; i++)
    check(fcntl(p[i], F_SETFL, O_NONBLOCK) == 0);
}

// Writes while there is room, reads while there is something.
static int write_some(int fd, int n) {
  char message[SIZE] = { 1 };
  int done = 0;
  while (done < n) {
    ssize_t put = write(fd, message, SIZE);
    if (put < 0) {
      check(errno == EAGAIN);
      break;
    }
    check(put == SIZE);
    done++;
  }
  return done;
}

static int read_some(int fd, int n) {
  char message[SIZE];
  int done = 0;
  while (done < n) {
    ssize_t got = read(fd, message, SIZE);
    if (got < 0) {
      check(errno == EAGAIN);
      break;
    }
    check(got == SIZE && message[0] == 1);
    done++;
  }
  return done;
}

static void one_way(void) {
  int p[2], ep = epoll_create1(0), written = 0, done = 0;
  struct epoll_event events[2];
  make_pipe(p);
  watch(ep, p[1], EPOLLOUT);
  watch(ep, p[0], EPOLLIN);
  while (done < PIPE) {
    int n = epoll_wait(ep, events, 2, -1);
    for (int i = 0; i < n; i++) {
      if (events[i].data.fd == p[1])
        written += write_some(p[1], PIPE - written);
      else
        done += read_some(p[0], PIPE - done);
    }
  }
  check(written == PIPE);
  close(p[0]);
  close(p[1]);
  close(ep);
}

struct side {
  int from, to;
};
enum kind { PIPES, SOCKETS };

static inline int get(enum kind kind, int fd, char *message) {
  return (kind == SOCKETS ? recv(fd, message, SIZE, 0)
                          : read(fd, message, SIZE)) == SIZE;
}

static inline int put(enum kind kind, int fd, const char *message) {
  return (kind == SOCKETS ? send(fd, message, SIZE, 0)
                          : write(fd, message, SIZE)) == SIZE;
}

// There and back: the asker counts, the other side gives back what it gets.
static inline void trips(enum kind kind, struct side asker, struct side other) {
  int ep = epoll_create1(0), done = 0;
  char message[SIZE] = { 0 };
  struct epoll_event events[2];
  watch(ep, asker.from, EPOLLIN);
  watch(ep, other.from, EPOLLIN);
  check(put(kind, asker.to, message));
  while (done < TRIPS) {
    int n = epoll_wait(ep, events, 2, -1);
    for (int i = 0; i < n; i++) {
      int fd = events[i].data.fd;
      check(get(kind, fd, message));
      if (fd == asker.from) {
        check(message[0] == (char)done);
        if (++done == TRIPS)
          break;
        message[0] = (char)done;
      }
      check(put(kind, fd == asker.from ? asker.to : other.to, message));
    }
  }
  close(ep);
}

static void two_pipes(void) {
  int a[2], b[2];
  make_pipe(a);
  make_pipe(b);
  trips(PIPES, (struct side){ b[0], a[1] }, (struct side){ a[0], b[1] });
  for (int i = 0; i < 2; i++) {
    close(a[i]);
    close(b[i]);
  }
}

static void socket_pair(int type) {
  int s[2];
  check(socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, s) == 0);
  trips(SOCKETS, (struct side){ s[0], s[0] }, (struct side){ s[1], s[1] });
  close(s[0]);
  close(s[1]);
}

static int udp_socket(void) {
  struct sockaddr_in at = { .sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  check(fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0);
  return fd;
}

static void serve(int fd, char *message) {
  struct sockaddr_storage from;
  socklen_t length = sizeof from;
  ssize_t got =
      recvfrom(fd, message, SIZE, 0, (struct sockaddr *)&from, &length);
  check(got == SIZE);
  check(sendto(fd, message, SIZE, 0, (struct sockaddr *)&from, length) == SIZE);
}

static void udp(void) {
  int ep = epoll_create1(0), server = udp_socket(), client = udp_socket(),
      done = 0;
  struct sockaddr_storage to;
  socklen_t length = sizeof to;
  struct epoll_event events[2];
  char message[SIZE] = { 0 };
  check(getsockname(server, (struct sockaddr *)&to, &length) == 0);
  watch(ep, server, EPOLLIN);
  watch(ep, client, EPOLLIN);
  check(sendto(client, message, SIZE, 0, (struct sockaddr *)&to, length) ==
        SIZE);
  while (done < TRIPS) {
    int n = epoll_wait(ep, events, 2, -1);
    for (int i = 0; i < n; i++) {
      if (events[i].data.fd == server) {
        serve(server, message);
        continue;
      }
      check(recvfrom(client, message, SIZE, 0, NULL, NULL) == SIZE &&
            message[0] == (char)done);
      if (++done == TRIPS)
        break;
      message[0] = (char)done;
      check(sendto(client, message, SIZE, 0, (struct sockaddr *)&to, length) ==
            SIZE);
    }
  }
  close(server);
  close(client);
  close(ep);
}

int main(void) {
  MEASURE_ALL();
  return 0;
}
