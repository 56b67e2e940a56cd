// net.c: sockets: TCP, UDP and local ones. Sockets that are made here are non-blocking and
// close-on-exec.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

enum { NEW = SOCK_NONBLOCK | SOCK_CLOEXEC };

static int error_of_name(int eai) {
  switch (eai) {
  case EAI_SYSTEM:
    return errno;
  case EAI_MEMORY:
    return ENOMEM;
  case EAI_AGAIN:
    return EAGAIN;
  default:
    return ENOENT;
  }
}

// glibc accepts a number that is too large, and uses its lower half.
static bool is_no_port(const char *service) {
  return service && strspn(service, "0123456789") == strlen(service) &&
         strtoul(service, NULL, 10) > UINT16_MAX;
}

// ---- binding; returns 0, or an errno ----
static int bind_socket(int fd,
                       const struct sockaddr *address,
                       socklen_t length,
                       int backlog) {
  int one = 1;
  int none = 0;
  if (backlog && address->sa_family != AF_UNIX &&
      setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) < 0)
    return errno;
  // "::" is any address.
  if (address->sa_family == AF_INET6)
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &none, sizeof none);
  if (bind(fd, address, length) < 0 || (backlog && listen(fd, backlog) < 0))
    return errno;
  return 0;
}

// Returns a socket that is bound, and listens if there is a backlog; or minus an errno.
static int open_bound(int type,
                      const struct sockaddr *address,
                      socklen_t length,
                      int backlog) {
  int fd = socket(address->sa_family, type | NEW, 0);
  int err;
  if (fd < 0)
    return -errno;
  if ((err = bind_socket(fd, address, length, backlog)) == 0)
    return fd;
  close(fd);
  return -err;
}

static int open_named(
    int type, int family, const char *host, const char *service, int backlog) {
  struct addrinfo hints = {
    .ai_flags = AI_PASSIVE,
    .ai_family = family,
    .ai_socktype = type,
  };
  struct addrinfo *all;
  int err = is_no_port(service) ? EAI_SERVICE
                                : getaddrinfo(host, service, &hints, &all);
  int fd = -ENOENT;
  if (err)
    return -error_of_name(err);
  for (struct addrinfo *a = all; a && fd < 0; a = a->ai_next)
    fd = open_bound(type, a->ai_addr, a->ai_addrlen, backlog);
  freeaddrinfo(all);
  return fd;
}

static int or_throw(int fd) throws(struct os_error) {
  if (fd < 0)
    throw(struct os_error){ -fd };
  return fm__new_fd(fd);
}

// Any address: a socket of IPv6 takes both kinds, where there is one.
int fm_listen(const char *host, const char *service, int backlog)
    throws(struct os_error) {
  int queue = backlog > 0 ? backlog : SOMAXCONN;
  int fd =
      host ? -ENOENT : open_named(SOCK_STREAM, AF_INET6, host, service, queue);
  return or_throw(
      fd >= 0 || fd == -EADDRINUSE
          ? fd
          : open_named(SOCK_STREAM, AF_UNSPEC, host, service, queue));
}

int fm_udp_bind(const char *host, const char *service) throws(struct os_error) {
  return or_throw(open_named(SOCK_DGRAM, AF_UNSPEC, host, service, 0));
}

int fm_local_port(int fd) throws(struct os_error) {
  union {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
  } a;
  socklen_t length = sizeof a;
  if (getsockname(fd, &a.any, &length) < 0)
    throw(struct os_error){ errno };
  if (a.any.sa_family != AF_INET && a.any.sa_family != AF_INET6)
    throw(struct os_error){ EAFNOSUPPORT };
  return ntohs(a.any.sa_family == AF_INET ? a.in.sin_port : a.in6.sin6_port);
}

void fm_shutdown(int fd, int how) throws(struct os_error) {
  if (shutdown(fd, how) < 0)
    throw(struct os_error){ errno };
}

// ---- accepting ----
// Errors of this one connection, which failed before the program saw it.
static bool is_of_peer(int err) {
  return err == EINTR || err == ECONNABORTED || err == EPROTO ||
         err == ENETDOWN || err == EHOSTDOWN || err == EHOSTUNREACH ||
         err == ENETUNREACH || err == ENONET || err == ENOPROTOOPT;
}

static bool is_lack(int err) {
  return err == EMFILE || err == ENFILE || err == ENOBUFS || err == ENOMEM;
}

static void say_once(int err) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&said))
    fprintf(stderr,
            "fermata: accept: %s; it is tried again from time to time\n",
            strerror(err));
}

// A listening socket can only be non-blocking as a whole.
static void unblock(int fd) throws(struct os_error) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0 ||
      (!(flags & O_NONBLOCK) && fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0))
    throw(struct os_error){ errno };
}

static int new_stream(int fd) throws(struct os_error) {
  fm__new_fd(fd);
  fm_watch_drained(fd, FM_NEW_STREAM);
  return fd;
}

async int fm_accept(int fd) throws(struct os_error) {
  enum { SHORTEST = 5, LONGEST = 100 };
  uint64_t delay = SHORTEST;
  LEAVE_LOST_RACE();
  unblock(fd);
  for (;;) {
    int got = accept4(fd, NULL, NULL, NEW);
    if (got >= 0)
      return new_stream(got);
    if (errno == EAGAIN) {
      fm__wait_fd(fd, FM_READABLE | FM_TRIED);
    } else if (is_lack(errno)) {
      say_once(errno);
      fm_sleep(delay);
      fm_checkpoint();
      delay = delay * 2 < LONGEST ? delay * 2 : LONGEST;
    } else if (!is_of_peer(errno)) {
      fm__fail_os(errno);
    }
  }
}

// ---- connecting ----
static int error_of_socket(int fd) {
  int err = 0;
  socklen_t size = sizeof err;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) < 0 ? errno : err;
}

static async void connect_socket(int fd,
                                 const struct sockaddr *to,
                                 socklen_t length) throws(struct os_error) {
  enum { SOON = 2 };
  int err;
  while (connect(fd, to, length) < 0) {
    // A local socket whose queue is full: nothing reports when it is not.
    if (errno == EAGAIN) {
      fm_sleep(SOON);
    } else if (errno == EINPROGRESS || errno == EINTR || errno == EALREADY) {
      fm__wait_fd(fd, FM_WRITABLE);
      if ((err = error_of_socket(fd)) != 0)
        fm__fail_os(err);
      return;
    } else {
      fm__fail_os(errno);
    }
  }
}

// Closed again if that fails or is cancelled.
static async int open_connected(const struct sockaddr *to, socklen_t length)
    throws(struct os_error) {
  int fd = new_stream(socket(to->sa_family, SOCK_STREAM | NEW, 0));
  int open = fd;
  defer if (open >= 0) fm_close(open);
  connect_socket(fd, to, length);
  open = -1;
  return fd;
}

async int fm_connect(const char *host, const char *service)
    throws(struct os_error) {
  struct addrinfo hints = { .ai_flags = AI_ADDRCONFIG,
                            .ai_socktype = SOCK_STREAM };
  struct addrinfo *all = NULL;
  int err = is_no_port(service) ? EAI_SERVICE
                                : fm_getaddrinfo(host, service, &hints, &all);
  if (err)
    throw(struct os_error){ error_of_name(err) };
  defer freeaddrinfo(all);
  err = ENOENT;
  for (struct addrinfo *a = all; a; a = a->ai_next) {
    try {
      return open_connected(a->ai_addr, a->ai_addrlen);
    } catch (struct os_error e) {
      err = e.code;
    }
  }
  throw(struct os_error){ err };
}

// ---- local sockets ----
static socklen_t unix_address(struct sockaddr_un *a, const char *path)
    throws(struct os_error) {
  size_t length = strlen(path);
  if (length >= sizeof a->sun_path)
    throw(struct os_error){ ENAMETOOLONG };
  *a = (struct sockaddr_un){ .sun_family = AF_UNIX };
  memcpy(a->sun_path, path, length);
  if (path[0] != '@')
    return sizeof *a;
  a->sun_path[0] = '\0';
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

int fm_listen_unix(const char *path, int backlog) throws(struct os_error) {
  struct sockaddr_un a;
  socklen_t length = unix_address(&a, path);
  return or_throw(open_bound(SOCK_STREAM,
                             (struct sockaddr *)&a,
                             length,
                             backlog > 0 ? backlog : SOMAXCONN));
}

async int fm_connect_unix(const char *path) throws(struct os_error) {
  struct sockaddr_un a;
  socklen_t length = unix_address(&a, path);
  return open_connected((struct sockaddr *)&a, length);
}

// ---- datagrams ----
// The rare cases of fm_recvfrom (runtime/wait/read.c). err: the error of the first try; EINTR:
// nothing was tried.
async ssize_t fm__recvfrom_on(int fd,
                              void *buf,
                              size_t n,
                              struct sockaddr *from,
                              socklen_t *length,
                              int err) throws(struct os_error) {
  for (;; err = errno) {
    if (err == EAGAIN)
      fm__wait_fd(fd, FM_READABLE | FM_TRIED);
    else if (err != EINTR)
      fm__fail_os(err);
    ssize_t got = fm__recvfrom(fd, buf, n, MSG_DONTWAIT, from, length);
    if (got >= 0)
      return got;
  }
}

async ssize_t fm_sendto(int fd,
                        const void *buf,
                        size_t n,
                        const struct sockaddr *to,
                        socklen_t length) throws(struct os_error) {
  LEAVE_LOST_RACE();
  for (;;) {
    ssize_t done =
        fm__sendto(fd, buf, n, MSG_DONTWAIT | MSG_NOSIGNAL, to, length);
    if (done >= 0)
      return done;
    if (errno == EAGAIN)
      fm__wait_fd(fd, FM_WRITABLE | FM_TRIED);
    else if (errno != EINTR)
      fm__fail_os(errno);
  }
}
