// memory.c: an allocation that fails while a request is read or answered makes it a 503, and the
// last of its connection; it is never taken for a file that is not there. Linked with --wrap, so
// that any call of malloc, realloc and asprintf can fail.
#include "http.h"
#include "site.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int left = -1;                             // how many succeed before one fails; -1: all do
static int failed;

static int fails(void) {
  if (left < 0 || left-- > 0) return 0;
  left = -1;
  failed = 1;
  errno = ENOMEM;
  return 1;
}

void *__real_malloc(size_t n);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n) { return fails() ? NULL : __real_malloc(n); }
void *__wrap_realloc(void *p, size_t n) { return fails() ? NULL : __real_realloc(p, n); }
int __wrap_asprintf(char **to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = fails() ? -1 : vasprintf(to, format, args);
  va_end(args);
  return n;
}

// The status that the peer sees; 0: nothing was sent.
static int status_sent(int fd) {
  char text[8192] = "";
  ssize_t n = recv(fd, text, sizeof text - 1, MSG_DONTWAIT);
  return n > 9 && !strncmp(text, "HTTP/1.1 ", 9) ? atoi(text + 9) : 0;
}

// One request in two pieces, with what follows it; the directory of the site is one.
static int answer_to(struct http *h, const char *text, int fds[2]) {
  size_t n = strlen(text);
  enum http_state s = http_feed(h, text, 7);
  if (s == HTTP_MORE) s = http_feed(h, text + 7, n - 7);
  if (s != HTTP_READY) return -1;
  enum http_sent sent = http_reply(h, fds[0]);
  if (sent == HTTP_SENT) return status_sent(fds[1]);
  struct answer a = http_answer(h);
  struct stat st = { .st_mode = S_IFDIR };
  if (a.file) answer_found(&a, &st, 0);
  int status = a.status;
  answer_free(&a);
  return status;
}

static int run_once(const char *text, int nth) {
  int fds[2];
  struct http h;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) return -1;
  http_begin(&h);
  failed = 0;
  left = nth;
  int status = answer_to(&h, text, fds);
  left = -1;
  if (failed && h.status && http_goes_on(&h)) status = -2;
  http_end(&h);
  close(fds[0]);
  close(fds[1]);
  return status;
}

static void check(const char *text, int good) {
  int n = 0, status;
  while (status = run_once(text, n), failed) {
    if (status != 503) {
      fprintf(stderr, "allocation %d of %s fails: %d\n", n, text, status);
      exit(1);
    }
    n++;
  }
  if (status == good && n > 0) return;
  fprintf(stderr, "%s: %d, after %d allocations\n", text, status, n);
  exit(1);
}

static void check_unavailable(void) {
  int fds[2];
  struct http h;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) exit(1);
  http_begin(&h);
  static const char request[] = "GET /file HTTP/1.1\r\nHost: a\r\n\r\n";
  if (http_feed(&h, request, sizeof request - 1) != HTTP_READY) exit(1);
  if (http_unavailable(&h, fds[0]) != HTTP_SENT) exit(1);
  if (status_sent(fds[1]) != 503 || http_goes_on(&h)) exit(1);
  http_end(&h);
}

int main(void) {
  struct options o = { .root = "." };
  site_open(&o);
  check("GET /directory HTTP/1.1\r\nHost: a\r\n\r\n", 301);
  check("GET /hello HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\n", 200);
  check_unavailable();
  site_close();
  return 0;
}
