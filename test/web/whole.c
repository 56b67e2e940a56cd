// whole.c: a request that comes in one piece means what it means in two. http.c looks at a simple one in one piece by itself, and leaves all
// else to llhttp: so each of many requests, made of good and bad parts at random, is fed to one connection whole, and to another with
// its first byte alone. Both must come to the same end. Arguments: how many, a seed.
#include "http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state;

static unsigned draw(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}

static const char *const begins[] = { "GET ", "HEAD ", "get ", "GET  ", "POST ", "GE", "\r\nGET ", "" };
static const char *const targets[] = { "/hello", "/", "/a/b.txt", "/a//b", "/../x", "/.", "/a/", "/a%20b", "/x?y=z", "/h#i", "*", "http://a/hello",
                                       "hello", "/a\tb", "/a.b.c", "/.a", "/_-", "" };
static const char *const ends[] = { " HTTP/1.1\r\n", " HTTP/1.0\r\n", " HTTP/1.1\n", " HTTP/1.2\r\n", " HTTP/2.0\r\n", "\r\n", " HTTP/1.1 \r\n",
                                    "  HTTP/1.1\r\n", " http/1.1\r\n", " RTSP/1.0\r\n", " HTTP/1.1\r" };
static const char *const names[] = { "Host", "host", "hOsT", "Hos", "Hosts", "Connection", "connection", "Cache-Control", "User-Agent", "Accept",
                                     "Content-Length", "Transfer-Encoding", "Expect", "Expert", "Upgrade", "Proxy-Connection",
                                     "Keep-Alive", "X Y", "X\tY", "", " X", "X_Y", "X!", "X:", "\x80", "Cookie" };
static const char *const values[] = { ": a\r\n", ":a\r\n", ": \r\n", ":\r\n", " : a\r\n", ": close\r\n", ": keep-alive\r\n", ": 0\r\n", ": 5\r\n",
                                      ": chunked\r\n", ": 100-continue\r\n", ": a\n", ": a\r", ": a\r\n b\r\n", ": a\tb \r\n", ": a\x01\r\n",
                                      ": \x80\r\n", "\r\n", ": a:b\r\n", ": a.b:80\r\n", ": a b\r\n", ": close\t\r\n", ": upgrade\r\n", ": a\r\r\n" };
static const char *const closes[] = { "\r\n", "\n", "", "\r\n\r\n", "\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n", "\r\nrest" };

#define ANY(list) strcat(text, list[draw(sizeof list / sizeof *list)])
#define ADD(list) (draw(4) ? strcat(text, *list) : ANY(list)) // mostly the first, which is good

static size_t make(char *text) {
  *text = 0;
  ADD(begins);
  ADD(targets);
  ADD(ends);
  for (unsigned n = draw(3); n; n--) { ANY(names); ADD(values); }
  ADD(names);
  ADD(values);
  ADD(closes);
  size_t size = strlen(text);
  if (size && draw(20) == 0) text[draw((unsigned)size)] = (char)draw(256);
  return size;
}

static enum http_state feed(struct http *h, const char *text, size_t n, int split) {
  enum http_state s = HTTP_MORE;
  http_begin(h);
  if (split && n) s = http_feed(h, text, 1);
  return s == HTTP_MORE && n > (size_t)split ? http_feed(h, text + split, n - (size_t)split) : s;
}

static void print(const char *what, const struct http *h, enum http_state s) {
  fprintf(stderr, "%s: state %d, status %d, %.*s, method %d, 1.%d, close %d, rest %zu\n", what, s, h->status, (int)h->url_size, h->url ? h->url : "",
          h->parser.method, h->parser.http_minor, h->close, h->rest_size - h->rest_at);
}

static int differ(const struct http *a, const struct http *b, enum http_state s, enum http_state t) {
  if (s != t || a->status != b->status) return 1;
  if (s != HTTP_READY || a->status) return 0;
  return a->url_size != b->url_size || memcmp(a->url, b->url, a->url_size) || a->parser.method != b->parser.method || a->close != b->close ||
         a->parser.http_minor != b->parser.http_minor || a->headed != b->headed || a->rest_size - a->rest_at != b->rest_size - b->rest_at;
}

// What follows is a good request: who answered the first one has to see it as one.
static int differ_next(struct http *a, struct http *b) {
  static const char good[] = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
  enum http_state s = http_next(a), t = http_next(b);
  if (differ(a, b, s, t)) return 1;
  if (s != HTTP_MORE || !http_idle(a)) return 0;
  s = http_feed(a, good, sizeof good - 1);
  t = http_feed(b, good, sizeof good - 1);
  return s != HTTP_READY || a->status || differ(a, b, s, t);
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 100000, simple = 0, refused = 0;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  for (long i = 0; i < n; i++) {
    char text[4096];
    size_t size = make(text);
    char *exact = malloc(size + !size);           // so that ASan sees who reads behind it
    memcpy(exact, text, size);
    struct http a, b;
    enum http_state s = feed(&a, exact, size, 0), t = feed(&b, exact, size, 1);
    simple += a.plain;
    refused += a.status != 0;
    int wrong = differ(&a, &b, s, t) || (s == HTTP_READY && !a.status && !a.close && differ_next(&a, &b));
    if (wrong) {
      fprintf(stderr, "%.*s\n", (int)size, text);
      print("whole", &a, s);
      print("parts", &b, t);
      return 1;
    }
    http_end(&a);
    http_end(&b);
    free(exact);
  }
  printf("%ld requests, %ld of them simple, %ld refused\n", n, simple, refused);
  return simple < n / 100 || refused < n / 100;
}
