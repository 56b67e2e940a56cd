// probe.c: a client that behaves as badly as it is told to.
//   probe PORT cases FILE      each line `STATUS…<TAB>BYTES`: sends the bytes, expects these answers and then the end; see `cases`
//   probe PORT get PATH OUT MS asks for PATH, waits MS, then reads the answer; its body to OUT. Prints the status
//   probe PORT hold N          N connections, each with half a request in it; prints a line, then waits to be killed
//   probe PORT idle N          the same, with nothing in them; ends when the server has closed all
//   probe PORT loop N          N connections one after the other: whole, broken off, reset, without reading, idle
// No wait lasts longer than LIMIT seconds: then it says so and fails.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LIMIT = 10, ROOM = 1 << 21 };

static int port;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static int dial(void) {
  struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((unsigned short)port) };
  struct timeval limit = { LIMIT, 0 };
  int s = socket(AF_INET, SOCK_STREAM, 0);
  if (s < 0) die("socket");
  setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(s, (struct sockaddr *)&a, sizeof a)) die("connect");
  return s;
}

// ---- cases ----
static char bytes[ROOM], answer[ROOM];
static size_t count;                              // of bytes not yet sent

static void flush_bytes(int s) {
  for (size_t at = 0; at < count;) {
    ssize_t n = send(s, bytes + at, count - at, MSG_NOSIGNAL);
    if (n <= 0) break;                            // the server has answered and gone: what it said counts
    at += (size_t)n;
  }
  count = 0;
}

static void put(char c) {
  if (count == ROOM) { fputs("a case is too long\n", stderr); exit(1); }
  bytes[count++] = c;
}

// \*N{text}: text N times
static const char *repeat(const char *p) {
  char *end;
  long n = strtol(p, &end, 10);
  const char *close = strchr(end, '}');
  if (*end != '{' || !close) { fputs("a case is malformed\n", stderr); exit(1); }
  for (; n > 0; n--)
    for (const char *q = end + 1; q < close; q++) put(*q == '~' ? '\r' : *q == '^' ? '\n' : *q);
  return close;
}

static const char *escape(int s, const char *p) {
  switch (*p) {
    case 'r': put('\r'); return p;
    case 'n': put('\n'); return p;
    case 't': put('\t'); return p;
    case '0': put('\0'); return p;
    case '\\': put('\\'); return p;
    case 'x': put((char)strtol((char[]){ p[1], p[2], 0 }, NULL, 16)); return p + 2;
    case 'N': for (const char *q = "\r\n"; *q; q++) put(*q); return p;
    case 'H': for (const char *q = " HTTP/1.1\r\nHost: a\r\n"; *q; q++) put(*q); return p;
    case 'p': flush_bytes(s); usleep(5000); return p;
    case 'e': flush_bytes(s); shutdown(s, SHUT_WR); return p;
    case '*': return repeat(p + 1);
    default: fputs("a case has an unknown escape\n", stderr); exit(1);
  }
}

static void send_case(int s, const char *text) {
  for (const char *p = text; *p; p++)
    if (*p == '\\') p = escape(s, p + 1);
    else put(*p);
  flush_bytes(s);
}

// All until the end; -1: it did not come in time.
static ssize_t read_all(int s, char *to, size_t room) {
  size_t got = 0;
  for (;;) {
    ssize_t n = recv(s, to + got, room - got, 0);
    if (n < 0 && errno == EAGAIN) return -1;
    if (n <= 0) return (ssize_t)got;              // a reset is an end, too
    got += (size_t)n;
  }
}

// The answers in text, as "200 404"; what is no answer as "?". `expected` tells by an h which are to a HEAD.
static void statuses(char *text, size_t n, const char *expected, char *to) {
  char *end = text + n;
  *to = 0;
  for (int i = 0; text < end; i++) {
    char *body = memmem(text, (size_t)(end - text), "\r\n\r\n", 4), *length = memmem(text, (size_t)(end - text), "Content-Length: ", 16);
    bool head = expected && strlen(expected) > 3 && expected[3] == 'h';
    if (strncmp(text, "HTTP/1.1 ", 9) || !body || !length || length > body) { strcat(to, i ? " ?" : "?"); return; }
    size_t size = head ? 0 : strtoul(length + 16, NULL, 10);
    sprintf(to + strlen(to), "%s%.3s%s", i ? " " : "", text + 9, head ? "h" : "");
    if (size > (size_t)(end - body - 4)) { strcat(to, "?"); return; }
    text = body + 4 + size;
    expected = expected ? strchr(expected, ' ') : NULL;
    if (expected) expected++;
  }
}

static bool try_case(int line, const char *expected, const char *text) {
  static char got[ROOM];
  int s = dial();
  send_case(s, text);
  ssize_t n = read_all(s, answer, sizeof answer - 1);
  close(s);
  if (n < 0) strcpy(got, "no end");
  else statuses(answer, (size_t)n, expected, got);
  if (n == 0) strcpy(got, "-");
  if (!strcmp(expected, "any") ? n >= 0 : !strcmp(expected, got)) return true;
  fprintf(stderr, "case %d: expected %s, got %.200s: %.100s\n", line, expected, got, text);
  return false;
}

static int cases(const char *file) {
  static char line[65536];
  int number = 0, tried = 0, failed = 0;
  FILE *f = fopen(file, "r");
  if (!f) die(file);
  while (fgets(line, sizeof line, f)) {
    char *tab = strchr(line, '\t');
    number++;
    line[strcspn(line, "\n")] = 0;
    if (*line == '#' || !tab) continue;
    *tab = 0;
    tried++;
    failed += !try_case(number, line, tab + 1);
  }
  fclose(f);
  printf("%d cases, %d failed\n", tried, failed);
  return failed || !tried;
}

// ---- the others ----
static void ask(int s, const char *path, const char *more) {
  char text[4096];
  int n = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: a\r\n%s", path, more);
  if (send(s, text, (size_t)n, MSG_NOSIGNAL) != n) die("send");
}

static int get(const char *path, const char *out, int ms) {
  int s = dial();
  ask(s, path, "Connection: close\r\n\r\n");
  usleep((useconds_t)ms * 1000);
  char *all = malloc(64 << 20);
  ssize_t n = all ? read_all(s, all, 64 << 20) : -1;
  char *body = n > 0 ? memmem(all, (size_t)n, "\r\n\r\n", 4) : NULL;
  if (!body) return 1;
  FILE *f = fopen(out, "w");
  if (!f || fwrite(body + 4, 1, (size_t)(all + n - body - 4), f) > (size_t)n || fclose(f)) die(out);
  printf("%.3s\n", all + 9);
  free(all);
  close(s);
  return 0;
}

static int hold(int n) {
  for (int i = 0; i < n; i++) ask(dial(), "/big.bin", i % 2 ? "X: " : "\r\n"); // half a request; one that is never read
  puts("held");
  fflush(stdout);
  return sleep(60) != 0;
}

static int idle(int n) {
  int s[1000];
  char c;
  for (int i = 0; i < n && i < 1000; i++) s[i] = dial();
  puts("idle");
  fflush(stdout);
  for (int i = 0; i < n && i < 1000; i++)
    if (recv(s[i], &c, 1, 0) != 0) return 1;
  return 0;
}

static int loop(int n) {
  struct linger reset = { 1, 0 };
  for (int i = 0; i < n; i++) {
    int s = dial();
    if (i % 5 != 4) ask(s, i % 5 == 3 ? "/big.bin" : "/hello", i % 5 == 1 ? "X: " : i % 5 == 0 ? "Connection: close\r\n\r\n" : "\r\n");
    if (i % 5 == 0 && read_all(s, answer, sizeof answer) <= 0) return 1;
    if (i % 5 == 2) setsockopt(s, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(s);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  port = atoi(argv[1]);
  if (!strcmp(argv[2], "cases")) return cases(argv[3]);
  if (!strcmp(argv[2], "get") && argc == 6) return get(argv[3], argv[4], atoi(argv[5]));
  if (!strcmp(argv[2], "hold")) return hold(atoi(argv[3]));
  if (!strcmp(argv[2], "idle")) return idle(atoi(argv[3]));
  if (!strcmp(argv[2], "loop")) return loop(atoi(argv[3]));
  return 2;
}
