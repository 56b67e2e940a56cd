// A server that listens on any address is found by IPv4 and, if this machine has it, by IPv6; its port cannot be taken again.
#include <errno.h>
#include <fermata.h>
#include <fermata/io.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

static bool has_ipv6(void) {
  struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
  int fd = socket(AF_INET6, SOCK_STREAM, 0), r = fd < 0 ? -1 : bind(fd, (struct sockaddr *)&a, sizeof a);
  if (fd >= 0) close(fd);
  return r == 0;
}

static async void visit(int listening, const char *host, const char *port) throws(struct os_error) {
  auto t = spawn fm_accept(listening);
  int fd = fm_connect(host, port), there = await t;
  printf("%s\n", host);
  fm_close(fd), fm_close(there);
}

async int main(void) {
  char port[8];
  try {
    int listening = fm_listen(NULL, "0", 8);
    defer fm_close(listening);
    snprintf(port, sizeof port, "%d", fm_local_port(listening));
    visit(listening, "127.0.0.1", port);          // expect: 127.0.0.1
    if (has_ipv6()) visit(listening, "::1", port);
    else printf("::1\n");                         // expect: ::1
    fm_listen(NULL, port, 8);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));             // expect: Address already in use
  }
  return 0;
}
