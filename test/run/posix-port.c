// Code written for blocking descriptors, ported by one #include and `async`: the others go on while it waits.
#include <fermata.h>
#include <fermata/posix.h>
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
static int turns;
static async void count(void) { for (;;) { turns++; usleep(1000); } }
static async int serve(int listener) {            // an echo server for one client
  char buf[100];
  int fd = accept(listener, NULL, NULL);
  ssize_t n, all = 0;
  while ((n = read(fd, buf, sizeof buf)) > 0) all += write(fd, buf, (size_t)n);
  close(fd);
  return (int)all;
}
static async int client(int port) {
  struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  char buf[100] = "";
  if (connect(fd, (struct sockaddr *)&to, sizeof to) < 0) return -1;
  send(fd, "hello", 5, 0);
  usleep(3000);
  write(fd, " world", 6);
  ssize_t n = recv(fd, buf, 11, MSG_WAITALL);
  printf("%zd %s\n", n, buf);                     // expect: 11 hello world
  struct pollfd p = { .fd = fd, .events = POLLIN };
  printf("%d\n", poll(&p, 1, 5));                 // expect: 0
  shutdown(fd, SHUT_WR);
  printf("%d %zd\n", poll(&p, 1, 1000), read(fd, buf, 1)); // expect: 1 0
  close(fd);
  return 0;
}
static void reader(int fd, size_t want) {         // in a process of its own: plain, and blocking
  char got[1000];
  for (size_t all = 0; all < want;) {
    ssize_t n = read(fd, got, sizeof got);
    if (n <= 0) _exit(1);
    all += (size_t)n;
  }
  _exit(7);
}
static async void pipes(void) {
  int fds[2], status = 0;
  char big[100000];
  if (pipe(fds)) abort();
  memset(big, 'x', sizeof big);
  pid_t child = fork();
  if (child == 0) reader(fds[0], sizeof big);
  close(fds[0]);
  ssize_t wrote = write(fds[1], big, sizeof big);
  pid_t ended = waitpid(child, &status, 0);
  printf("%zd %d %d\n", wrote, ended == child, WEXITSTATUS(status)); // expect: 100000 1 7
  close(fds[1]);
}
static async void selects(void) {
  int fds[2];
  fd_set r;
  if (pipe(fds)) abort();
  FD_ZERO(&r);
  FD_SET(fds[0], &r);
  struct timeval soon = { .tv_usec = 2000 };
  int before = select(fds[0] + 1, &r, NULL, NULL, &soon);
  FD_SET(fds[0], &r);
  write(fds[1], "x", 1);
  int after = select(fds[0] + 1, &r, NULL, NULL, NULL);
  printf("%d %d %d\n", before, after, FD_ISSET(fds[0], &r) != 0); // expect: 0 1 1
  close(fds[0]);
  close(fds[1]);
  char c;
  ssize_t n = read(fds[0], &c, 1);
  printf("%zd %d\n", n, errno == EBADF);          // expect: -1 1
}
async int main(void) {
  struct sockaddr_in any = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  socklen_t length = sizeof any;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&any, length) || listen(listener, 5) || getsockname(listener, (struct sockaddr *)&any, &length)) return 1;
  spawn detached count();
  task(int) server = spawn serve(listener);
  client(ntohs(any.sin_port));
  pipes();
  selects();
  printf("%d %d\n", await server, turns > 3);     // expect: 11 1
  close(listener);
  struct addrinfo *found = NULL;
  printf("%d\n", getaddrinfo("127.0.0.1", "80", NULL, &found)); // expect: 0
  freeaddrinfo(found);
  return 0;
}
