// http.c: requests are parsed by llhttp; a request becomes an answer: a page in memory, a file, or an error.
// Nothing here waits, and nothing is shared between connections but what never changes (and the date, one for each thread).
#define _GNU_SOURCE
#include "http.h"
#include "site.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

static atomic_bool stopping;                      // set once, by whoever got the signal

void http_stopping(void) { atomic_store(&stopping, true); }

// ---- parsing: llhttp's callbacks; a status other than 0 refuses the request ----
static struct http *http_of(llhttp_t *p) { return (struct http *)p; } // the parser is its first member

static int refuse(struct http *h, unsigned short status) {
  if (!h->status) h->status = status;
  return HPE_USER;
}

// A target that came in one piece, as nearly all do, is used where it lies; only one in several is put together.
static int own_url(struct http *h, const char *more, size_t n) {
  char *own = realloc(h->url_owned ? (char *)h->url : NULL, h->url_size + n + 1);
  if (!own) return refuse(h, 503);
  if (!h->url_owned) memcpy(own, h->url, h->url_size);
  memcpy(own + h->url_size, more, n);
  h->url = own;
  h->url_owned = true;
  return 0;
}

static int on_url(llhttp_t *p, const char *at, size_t n) {
  struct http *h = http_of(p);
  if (n > HTTP_MAX_URL - h->url_size) return refuse(h, 414);
  if (!h->url) h->url = at;
  else if (own_url(h, at, n)) return HPE_USER;
  h->url_size += (unsigned)n;
  return 0;
}

static int on_field(llhttp_t *p, const char *at, size_t n) {
  struct http *h = http_of(p);
  h->head_size += (unsigned)n;
  for (; n && h->name_size < sizeof h->name; n--) h->name[h->name_size++] = (char)(*at++ | 0x20);
  if (n) h->name[0] = 0;                          // too long to be one of those we look for
  return h->head_size > HTTP_MAX_HEAD ? refuse(h, 431) : 0;
}

static bool is_name(const struct http *h, const char *name) {
  return h->name_size == strlen(name) && !memcmp(h->name, name, h->name_size);
}

static int on_value(llhttp_t *p, const char *at, size_t n) {
  struct http *h = http_of(p);
  h->head_size += (unsigned)n;
  if (is_name(h, "host")) host_scan(&h->host, at, n);
  if (is_name(h, "connection")) connection_scan(&h->connection, at, n);
  return h->head_size > HTTP_MAX_HEAD ? refuse(h, 431) : 0;
}

static int on_value_end(llhttp_t *p) {
  struct http *h = http_of(p);
  if (!h->name_size) return refuse(h, 400);       // llhttp lets a field without name pass
  if (is_name(h, "host")) h->hosts += h->hosts < 2;
  if (is_name(h, "expect")) h->expects = true;
  if (is_name(h, "transfer-encoding")) h->coded = true;
  if (is_name(h, "connection")) connection_end(&h->connection);
  h->name_size = 0;
  h->head_size += 4;                              // colon and line end: empty fields count, too
  return 0;
}

// A body whose end two could see differently: someone between the client and us, and we.
static bool is_ambiguous(const struct http *h) {
  return h->coded && ((h->parser.flags & F_CONTENT_LENGTH) || h->parser.http_minor == 0);
}

// The status of its refusal; 0: it is fine. Later versions 1.x are read as 1.1.
static unsigned short fault_of(const struct http *h) {
  const llhttp_t *p = &h->parser;
  if (h->scan.foreign || h->scan.folded) return 400;
  if (p->http_major != 1) return 505;
  if ((p->http_minor ? h->hosts != 1 : h->hosts > 1) || !host_is_good(h->host)) return 400;
  if (is_ambiguous(h)) return 400;
  if (h->coded && !(p->flags & F_CHUNKED)) return 501;
  if (p->method != HTTP_GET && p->method != HTTP_HEAD) return 405;
  if ((p->flags & F_CONTENT_LENGTH) && p->content_length > HTTP_MAX_BODY) return 413;
  return h->expects && p->http_minor ? 417 : 0;   // an expectation of a client of 1.0 is ignored
}

// llhttp is told that there is no body: we take it ourselves, see take_body. It forgets the rest at the end of the message,
// and has to agree with us on whether the connection goes on.
static int on_head_end(llhttp_t *p) {
  struct http *h = http_of(p);
  unsigned short fault = fault_of(h);
  h->headed = true;
  p->upgrade = 0;                                 // we know no other protocol: it is a request like others
  if (fault) return refuse(h, fault);
  h->close = h->connection.close || (p->http_minor == 0 && !h->connection.keep_alive);
  p->flags &= (uint16_t)~(F_CONNECTION_CLOSE | F_CONNECTION_KEEP_ALIVE);
  p->flags |= (uint16_t)(h->close ? F_CONNECTION_CLOSE : F_CONNECTION_KEEP_ALIVE);
  h->body.chunked = h->coded;
  h->body.left = h->coded ? 0 : (unsigned)p->content_length;
  return 1;
}

static int on_end(llhttp_t *p) { (void)p; return HPE_PAUSED; }

static const llhttp_settings_t settings = {
  .on_url = on_url, .on_header_field = on_field, .on_header_value = on_value, .on_header_value_complete = on_value_end,
  .on_headers_complete = on_head_end, .on_message_complete = on_end,
};

// ---- a connection ----
void http_begin(struct http *h) {
  memset(h, 0, sizeof *h);
  llhttp_init(&h->parser, HTTP_REQUEST, &settings);
  h->parser.lenient_flags |= LENIENT_VERSION;     // else it would refuse HTTP/1.2
  h->drained = true;
}

static void forget_url(struct http *h) {
  if (h->url_owned) free((char *)h->url);
  h->url = NULL;
  h->url_owned = false;
}

void http_end(struct http *h) {
  forget_url(h);
  free(h->rest);
  free(h->left);
}

bool http_idle(const struct http *h) { return h->size == 0; }

bool http_keep(struct http *h, const char *data, size_t n) {
  char *rest = realloc(h->rest, h->rest_size + n + 1);
  if (!rest) return false;
  memmove(rest + h->rest_size, data, n);
  h->rest = rest;
  h->rest_size += n;
  return true;
}

static bool is_token(char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static unsigned short status_of(llhttp_errno_t e, const char *at, const char *end) {
  switch (e) {
    case HPE_INVALID_METHOD: return at < end && is_token(*at) ? 501 : 400; // a method, but none that we know
    case HPE_INVALID_TRANSFER_ENCODING: return 501;
    case HPE_INVALID_VERSION: case HPE_PAUSED_H2_UPGRADE: return 505;
    default: return 400;
  }
}

// ---- the request that nearly all are like: a GET in one piece with nothing in it that matters but its path ----
// What is not surely such a one is left to llhttp, so that there is one place that says what is right and what is wrong.
enum { NAME = 1, VALUE = 2, PLAIN = 4, DOT = 8, SLASH = 16, SIMPLE = 4096 }; // what a byte may be part of; SIMPLE: bytes at most

static unsigned char kinds[256];                  // by byte

__attribute__((constructor)) static void fill_kinds(void) {
  for (int c = 0; c < 256; c++) {
    bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    kinds[c] = (unsigned char)((word ? NAME | PLAIN : 0) | ((c >= ' ' && c < 127) || c == '\t' ? VALUE : 0) |
                               (c == '.' ? DOT : 0) | (c == '/' ? SLASH : 0));
  }
}

static const char *skip(const char *at, unsigned kind) { // what is fed ends with a line end, which is of no kind
  while (kinds[(unsigned char)*at] & kind) at++;
  return at;
}

// Neither "//" nor a segment that begins with a dot, and no slash at the end: NULL, if there is one.
static const char *skip_path(const char *at) {
  unsigned kind, before = 0;
  for (; (kind = kinds[(unsigned char)*at] & (PLAIN | DOT | SLASH)); at++, before = kind)
    if (before == SLASH && kind != PLAIN) return NULL;
  return before == SLASH ? NULL : at;
}

// Connection, Content-Length, Transfer-Encoding, Expect, Upgrade and Proxy-Connection matter; some others are taken for one of them.
static bool may_matter(const char *name, size_t n) {
  char first = (char)(*name | 0x20);
  switch (n) {
    case 6: return first == 'e';
    case 7: return first == 'u';
    case 10: case 14: return first == 'c';
    case 16: return first == 'p';
    case 17: return first == 't';
    default: return false;
  }
}

// The value of a Host that is a name and perhaps a port; NULL: it is not so simple.
static const char *skip_host(const char *at) {
  while (*at == ' ') at++;
  at = skip(at, PLAIN | DOT);
  if (*at == ':') at++;
  while (*at >= '0' && *at <= '9') at++;
  return *at == '\r' ? at : NULL;
}

static bool is_host(const char *name, size_t n) { return n == 4 && !strncasecmp(name, "host", 4); }

// How many are Host; -1: they are not simple.
static int simple_fields(const char *at, const char *end) {
  int hosts = 0;
  while (at < end) {
    const char *name = at;
    at = skip(at, NAME);
    size_t n = (size_t)(at - name);
    if (!n || *at != ':' || may_matter(name, n)) return -1;
    if (is_host(name, n)) {
      if (!skip_host(at + 1)) return -1;
      hosts++;
    }
    at = skip(at + 1, VALUE);
    if (at[0] != '\r' || at[1] != '\n') return -1;
    at += 2;
  }
  return hosts;
}

static bool is_simple(struct http *h, const char *data, size_t n) {
  const char *url = data + 4, *end = data + n - 2, *at;
  if (n > SIMPLE || n < sizeof "GET / HTTP/1.1\r\n\r\n" - 1 || memcmp(data, "GET /", 5) || memcmp(end - 2, "\r\n\r\n", 4)) return false;
  if (!(at = skip_path(url)) || end - at < 11 || memcmp(at, " HTTP/1.1\r\n", 11) || simple_fields(at + 11, end) != 1) return false;
  h->url = url;
  h->url_size = (unsigned)(at - url);
  h->size = (unsigned)n;
  h->plain = h->headed = true;
  h->close = false;
  h->parser.method = HTTP_GET;
  h->parser.http_major = h->parser.http_minor = 1;
  return true;
}

static enum http_state refused(struct http *h, unsigned short status) {
  refuse(h, status);
  h->close = true;
  return HTTP_READY;
}

static bool in_rest(const struct http *h, const char *at) { return h->rest && at >= h->rest && at <= h->rest + h->rest_size; }

// The request is whole: what lies behind it waits until it is answered.
static enum http_state whole(struct http *h, const char *at, const char *end) {
  if (in_rest(h, at)) h->rest_at = (size_t)(at - h->rest);
  else if (at < end && !http_keep(h, at, (size_t)(end - at))) return refused(h, 503);
  return HTTP_READY;
}

static enum http_state more(struct http *h) {
  if (h->size > HTTP_MAX_REQUEST) return refused(h, h->headed ? 413 : 431);
  if (h->url && !h->url_owned && own_url(h, "", 0)) return refused(h, 503);
  return HTTP_MORE;
}

static enum http_state take_body(struct http *h, const char *at, const char *end) {
  int taken = body_take(&h->body, &at, end, HTTP_MAX_BODY);
  if (taken == BODY_MORE) return more(h);
  return taken == BODY_DONE ? whole(h, at, end) : refused(h, (unsigned short)taken);
}

enum http_state http_feed(struct http *h, const char *data, size_t n) {
  if (!h->size && !h->rest && is_simple(h, data, n)) return HTTP_READY;
  h->size += (unsigned)n;
  if (h->headed) return take_body(h, data, data + n);
  head_scan(&h->scan, data, n);
  llhttp_errno_t e = llhttp_execute(&h->parser, data, n);
  const char *at = llhttp_get_error_pos(&h->parser);
  if (e == HPE_OK) return more(h);
  if (e == HPE_PAUSED) return take_body(h, at, data + n);
  return refused(h, status_of(e, at, data + n));
}

// All connections of a thread share the buffer, since nothing of it is kept: an idle connection holds none.
enum http_state http_receive(struct http *h, int socket) {
  static _Thread_local char input[HTTP_INPUT];
  ssize_t n = recv(socket, input, sizeof input, 0);
  h->drained = n < HTTP_INPUT;
  if (n > 0) return http_feed(h, input, (size_t)n);
  return n < 0 && (errno == EAGAIN || errno == EINTR) ? HTTP_MORE : HTTP_GONE;
}

static void forget_request(struct http *h) {
  forget_url(h);
  h->url_size = h->head_size = h->size = 0;
  h->hosts = h->host = h->name_size = 0;
  h->scan = (struct head_scan){ 0 };
  h->connection = (struct connection_scan){ 0 };
  h->body = (struct body){ 0 };
  h->expects = h->headed = h->plain = h->coded = false;
}

static void forget_rest(struct http *h) {
  free(h->rest);
  h->rest = NULL;
  h->rest_size = h->rest_at = 0;
}

// Many requests in one piece are looked at where they lie: to move what is left each time would take quadratic time.
enum http_state http_next(struct http *h) {
  enum http_state s = HTTP_MORE;
  forget_request(h);
  llhttp_resume(&h->parser);
  if (h->rest_size > h->rest_at) s = http_feed(h, h->rest + h->rest_at, h->rest_size - h->rest_at);
  if (s == HTTP_MORE) forget_rest(h);
  return s;
}

void http_late(struct http *h) { refused(h, 408); }

bool http_goes_on(const struct http *h) { return !h->close && !atomic_load_explicit(&stopping, memory_order_relaxed); }

// ---- from a target to a path ----
static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Where the path begins: "/a", or behind the host of "http://host/a". n: from there. NULL: neither.
static const char *path_begin(const char *url, size_t *n) {
  if (*n && *url == '/') return url;
  if (*n < 8 || strncasecmp(url, "http://", 7)) return NULL;
  const char *slash = memchr(url + 7, '/', *n - 7);
  if (!slash) { *n = 1; return "/"; }
  *n -= (size_t)(slash - url);
  return slash;
}

// %41 and all else but NUL, as bytes, up to a query. to has room for n bytes. Returns how many; -1: it is malformed.
static int decode(const char *from, size_t n, char *to) {
  int out = 0;
  for (size_t i = 0; i < n && from[i] != '?' && from[i] != '#'; i++) {
    int c = (unsigned char)from[i];
    if (c == '%') {
      if (i + 2 >= n || hex(from[i + 1]) < 0 || hex(from[i + 2]) < 0) return -1;
      c = hex(from[i + 1]) << 4 | hex(from[i + 2]);
      i += 2;
    }
    if (!c) return -1;
    to[out++] = (char)c;
  }
  return out;
}

// Takes empty and "." segments out, in place; the result has no leading slash. -1: a ".." segment. It is looked at after
// decoding, so that no spelling of ".." gets through, and refused rather than resolved: no honest client sends one.
static int tidy(char *path, int n) {
  int out = 0;
  for (int i = 0; i < n;) {
    int from = i;
    while (i < n && path[i] != '/') i++;
    int length = i - from;
    if (length == 2 && path[from] == '.' && path[from + 1] == '.') return -1;
    bool keep = length && !(length == 1 && path[from] == '.');
    if (keep) {
      memmove(path + out, path + from, (size_t)length);
      out += length;
    }
    if (i < n && keep) path[out++] = '/';
    i++;
  }
  path[out] = 0;
  return out;
}

// ---- answers ----
static const char *reason(int status) {
  switch (status) {
    case 200: return "200 OK";
    case 301: return "301 Moved Permanently";
    case 400: return "400 Bad Request";
    case 403: return "403 Forbidden";
    case 404: return "404 Not Found";
    case 405: return "405 Method Not Allowed";
    case 408: return "408 Request Timeout";
    case 413: return "413 Content Too Large";
    case 414: return "414 URI Too Long";
    case 417: return "417 Expectation Failed";
    case 431: return "431 Request Header Fields Too Large";
    case 501: return "501 Not Implemented";
    case 503: return "503 Service Unavailable";
    case 505: return "505 HTTP Version Not Supported";
    default: return "500 Internal Server Error";
  }
}

// What goes wrong tells so in its body, too, for people who look at it.
static void turn_into(struct answer *a, int status) {
  free(a->file);
  a->file = NULL;
  a->status = status;
  a->type = "text/plain; charset=utf-8";
  a->body = reason(status);
  a->size = strlen(a->body);
}

static void find(struct answer *a, const char *path, int n) {
  const struct page *page = site_page(path, (size_t)n);
  if (page) {
    a->body = page->body;
    a->size = page->size;
    a->type = page->type;
  } else if (!site_has_files()) {
    turn_into(a, 404);
  } else if (!(a->file = site_file(path))) {
    turn_into(a, 503);
  }
}

struct answer http_answer(struct http *h) {
  struct answer a = { .status = 200, .head_only = h->scan.is_head };
  char path[HTTP_MAX_URL + sizeof "/index.html"];
  size_t size = h->url_size;
  const char *begin = h->status ? NULL : path_begin(h->url, &size);
  int n = begin ? decode(begin, size, path) : -1;
  bool directory = n > 0 && path[n - 1] == '/';
  if (n >= 0) n = tidy(path, n);
  if (n < 0) {
    turn_into(&a, h->status ? h->status : 400);
    return a;
  }
  if (directory) {
    if (n && path[n - 1] != '/') path[n++] = '/'; // "a/." and "a//" end so
    memcpy(path + n, "index.html", sizeof "index.html");
    n += (int)sizeof "index.html" - 1;
  }
  find(&a, path, n);
  return a;
}

// A directory without its slash: the client has to ask again, since links in the page are relative to it. The path is spelled
// out anew, so that nothing but a path of this server can come of it.
static char *with_slash(const char *file) {
  const char *path = site_below(file);
  char *location = malloc(3 * strlen(path) + 3), *to = location;
  if (!location) return NULL;
  *to++ = '/';
  for (; *path; path++) {
    if (*path == '/' || (is_token(*path) && *path != '%')) *to++ = *path;
    else to += sprintf(to, "%%%02X", (unsigned char)*path);
  }
  if (to[-1] != '/') *to++ = '/';
  *to = 0;
  return location;
}

static bool is_lack(int err) { return err == EMFILE || err == ENFILE || err == ENOMEM; }

void answer_found(struct answer *a, const struct stat *st, int err) {
  if (st && S_ISDIR(st->st_mode)) {
    a->location = with_slash(a->file);
    turn_into(a, !a->location ? 503 : strlen(a->location) > HTTP_MAX_LOCATION ? 404 : 301);
  } else if (!st || !S_ISREG(st->st_mode)) {
    turn_into(a, !st && is_lack(err) ? 503 : 404);
  } else {
    a->type = site_type(a->file);
    a->size = (size_t)st->st_size;
  }
}

void answer_free(struct answer *a) {
  free(a->file);
  free(a->location);
}

// ---- the head: put together by hand, since printf would cost more than all the rest ----
static char *put(char *to, const char *s) {
  size_t n = strlen(s);
  memcpy(to, s, n);
  return to + n;
}

static char *put_number(char *to, size_t n) {
  char digits[24];
  int i = sizeof digits;
  do digits[--i] = (char)('0' + n % 10);
  while (n /= 10);
  memcpy(to, digits + i, sizeof digits - (size_t)i);
  return to + sizeof digits - i;
}

static char *put_date(char *to) {
  static _Thread_local struct { time_t second; char text[40]; } date;
  time_t now = time(NULL);
  if (now != date.second) {
    struct tm tm;
    strftime(date.text, sizeof date.text, "\r\nDate: %a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &tm));
    date.second = now;
  }
  return put(to, date.text);
}

static char *put_connection(const struct http *h, char *to) {
  if (!http_goes_on(h)) return put(to, "\r\nConnection: close");
  if (h->parser.http_minor == 0) return put(to, "\r\nConnection: keep-alive");
  return to;
}

size_t answer_format(const struct http *h, struct answer *a, char *to) {
  char *begin = to;
  to = put(put(to, "HTTP/1.1 "), reason(a->status));
  to = put_date(to);
  to = put(put(to, "\r\nContent-Type: "), a->type);
  to = put_number(put(to, "\r\nContent-Length: "), a->size);
  to = put_connection(h, to);
  if (a->status == 301) to = put(put(to, "\r\nLocation: "), a->location);
  if (a->status == 405) to = put(to, "\r\nAllow: GET, HEAD");
  to = put(to, "\r\n\r\n");
  if (a->head_only) a->size = 0;
  if (a->file || a->size > HTTP_SMALL) return (size_t)(to - begin);
  memcpy(to, a->body ? a->body : "", a->size);
  to += a->size;
  a->size = 0;
  return (size_t)(to - begin);
}

// ---- sending ----
struct pieces pieces_of(const char *head, size_t head_size, const struct answer *a) {
  struct pieces p = { .part = { { (char *)head, head_size }, { (char *)a->body, a->file ? 0 : a->size } } };
  return p;
}

bool pieces_sent(struct pieces *p, size_t sent) {
  for (; p->first < 2; p->first++) {
    struct iovec *v = &p->part[p->first];
    if (sent < v->iov_len) {
      v->iov_base = (char *)v->iov_base + sent;
      v->iov_len -= sent;
      return false;
    }
    sent -= v->iov_len;
  }
  return true;
}

static ssize_t send_once(int socket, struct pieces *p) {
  struct iovec *v = &p->part[p->first];
  if (p->first == 1 || !p->part[1].iov_len) return send(socket, v->iov_base, v->iov_len, MSG_NOSIGNAL);
  struct msghdr m = { .msg_iov = v, .msg_iovlen = 2 };
  return sendmsg(socket, &m, MSG_NOSIGNAL);
}

struct left *http_leave(struct http *h, const struct pieces *p) {
  size_t n = p->first ? 0 : p->part[0].iov_len;
  struct left *left = malloc(sizeof *left + n);
  if (!left) return NULL;
  left->pieces = *p;
  if (n) left->pieces.part[0].iov_base = memcpy(left->head, p->part[0].iov_base, n);
  free(h->left);
  return h->left = left;
}

int pieces_send(int socket, struct pieces *p) {
  for (;;) {
    ssize_t n = send_once(socket, p);
    if (n >= 0) return pieces_sent(p, (size_t)n);
    if (errno != EINTR) return errno == EAGAIN ? 0 : -1;
  }
}

enum http_sent http_send_left(struct http *h, int socket) {
  int sent = pieces_send(socket, &h->left->pieces);
  if (!sent) return HTTP_LEFT;
  free(h->left);
  h->left = NULL;
  return sent < 0 ? HTTP_BROKEN : HTTP_SENT;
}

static enum http_sent reply_with(struct http *h, int socket, struct pieces p) {
  int sent = pieces_send(socket, &p);
  if (sent) return sent < 0 ? HTTP_BROKEN : HTTP_SENT;
  return http_leave(h, &p) ? HTTP_LEFT : HTTP_BROKEN;
}

// ---- small pages: the whole answer is kept, for a second, in which its date is right ----
struct text { const struct page *page; time_t second; size_t size; char bytes[512 + HTTP_SMALL]; };

static const struct text *text_of(const struct http *h, const struct page *page) {
  static _Thread_local struct text texts[8];
  struct text *t = &texts[(uintptr_t)page / sizeof *page % 8];
  time_t now = time(NULL);
  if (t->page != page || t->second != now) {
    struct answer a = { .status = 200, .type = page->type, .body = page->body, .size = page->size };
    t->size = answer_format(h, &a, t->bytes);
    t->page = page;
    t->second = now;
  }
  return t;
}

enum http_sent http_reply(struct http *h, int socket) {
  const struct page *page = h->plain && !h->status ? site_page(h->url + 1, h->url_size - 1) : NULL;
  if (page && page->size <= HTTP_SMALL && http_goes_on(h)) {
    const struct text *t = text_of(h, page);
    return reply_with(h, socket, (struct pieces){ .part = { { (char *)t->bytes, t->size } } });
  }
  char head[HTTP_ROOM];
  struct answer a = http_answer(h);
  enum http_sent sent = HTTP_FILE;
  if (!a.file) sent = reply_with(h, socket, pieces_of(head, answer_format(h, &a, head), &a));
  answer_free(&a);
  return sent;
}

enum http_sent http_unavailable(struct http *h, int socket) {
  refused(h, 503);
  return http_reply(h, socket);
}
