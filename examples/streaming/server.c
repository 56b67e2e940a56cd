// server.c: serves the page, and prices over WebSockets, in one thread.
//
//     server [-p PORT] [-a ADDRESS] [-d DIRECTORY] [-o] [-t MS]
//
// -o lets pages of other sites subscribe; -t is the time that a client may take to read a message.
// It prints its address and runs until SIGTERM or SIGINT: then every subscriber is told, and it
// exits with 0.
//
// A subscription is GET /stream/SYMBOL?rate=10&since=MS with the headers of a WebSocket. Messages
// are text. To the client, lines:
//     price MS VALUE     a price; MS is in milliseconds since 1970
//     lost N             here N prices are missing: the subscriber was slow for longer than
//                        three minutes
// From the client:
//     more N             it has room for N more prices; at first there is room for none
//     rate N             from now on N prices a second (1, 2, 5, 10, 25, 50)
//
// One activity publishes the prices of all instruments in broadcasts. A broadcast keeps the last
// three minutes; each subscriber is at its own place in it, so a slow one holds nobody up and costs
// no memory: when it is more than three minutes behind, it loses the oldest prices, and is told so.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <fermata/trace.h>

#include "handshake.h"
#include "http.h"
#include "market.h"
#include "websocket.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  MESSAGE_MOST = 4096, // bytes of what a client says
  LINES_MOST = 256,    // prices in one message
  REQUEST_MS = 10000,  // for a request to come
  PING_MS = 15000,
  SILENCE_MS = 45000, // without a frame, of a pong at least: the client has gone
  GRACE_MS = 5000,    // for the last words of both sides
  SEND_BUFFER = 65536,
};

typedef fm_broadcast(struct point) Prices;
typedef fm_subscriber(struct point) Subscriber;

static Prices prices[MARKET_INSTRUMENTS];
static struct file *files;
static struct {
  const char *port, *address, *directory;
  bool any_origin;
  unsigned patience;
} options = { "8080", "127.0.0.1", NULL, false, 10000 };

// ---- prices ----
static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void publish(int64_t time) {
  for (int i = 0; i < MARKET_INSTRUMENTS; i++)
    fm_try_publish(&prices[i], { time, market_price(i, time) });
}

// The prices of the last three minutes are there at once. After a time in which the machine slept,
// those that are too old for anyone are left out.
static async void run_market(void) {
  int64_t next = now_ms() / MARKET_TICK * MARKET_TICK - (int64_t)MARKET_KEPT * MARKET_TICK;
  fm_timer timer = fm_every(MARKET_TICK);
  for (;; fm_tick(&timer)) {
    int64_t now = now_ms();
    int64_t oldest = now / MARKET_TICK * MARKET_TICK - (int64_t)MARKET_KEPT * MARKET_TICK;
    if (next < oldest)
      next = oldest;
    for (; next <= now; next += MARKET_TICK)
      publish(next);
  }
}

// ---- a subscription ----
struct client {
  struct websocket socket;
  Subscriber prices;
  int rate;
  int64_t since; // prices up to this moment are not wanted
  uint64_t lost; // prices that it was to get before the next one
  fm_sem room;   // prices that the client has room for
};

// One line of what the client says. False: it is nonsense.
static bool obey(struct client *c, const char *line) {
  long n;
  char rest;
  if (sscanf(line, "more %ld %c", &n, &rest) == 1 && n > 0 && n <= MARKET_KEPT)
    fm_sem_post_n(&c->room, (size_t)n);
  else if (sscanf(line, "rate %ld %c", &n, &rest) == 1 && n > 0 && n <= MARKET_FASTEST)
    c->rate = market_rate((int)n);
  else
    return false;
  return fm_sem_value(&c->room) <= MARKET_KEPT;
}

static async void listen_to(struct client *c)
    throws(struct os_error, struct websocket_error, struct fm_timeout) {
  struct message m;
  while (websocket_receive(&c->socket, &m)) {
    defer free(m.data);
    if (!m.text || !obey(c, m.data))
      throw(struct websocket_error){ WS_POLICY, "not understood" };
  }
}

struct text {
  char at[LINES_MOST * 48];
  size_t size;
  int lines;
};

static void add_line(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(struct text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  t->size += (size_t)vsnprintf(t->at + t->size, sizeof t->at - t->size, format, list);
  va_end(list);
  t->lines++;
}

static bool is_wanted(struct client *c, const struct point *p) {
  if (fm_missed(&c->prices))
    c->lost += (uint64_t)market_between(c->since, p->time, c->rate);
  if (p->time <= c->since)
    return false;
  c->since = p->time;
  return market_due(p->time, c->rate);
}

static async struct point next_price(struct client *c) throws(struct fm_closed) {
  struct point p;
  do
    p = fm_hear(&c->prices);
  while (!is_wanted(c, &p));
  return p;
}

static bool another_price(struct client *c, struct point *p) {
  while (fm_try_hear(&c->prices, p))
    if (is_wanted(c, p))
      return true;
  return false;
}

static void add_price(struct client *c, struct text *t, struct point p) {
  if (c->lost)
    add_line(t, "lost %llu\n", (unsigned long long)c->lost);
  c->lost = 0;
  add_line(t, "price %lld %.2f\n", (long long)p.time, p.price);
}

// A message has all prices that are there, as far as the client has room for them.
static async void deliver(struct client *c)
    throws(struct os_error, struct fm_timeout, struct fm_closed) {
  struct text *t = malloc(sizeof *t);
  if (!t)
    throw(struct os_error){ ENOMEM };
  defer free(t);
  for (;;) {
    fm_sem_wait(&c->room);
    struct point p = next_price(c);
    t->size = 0;
    t->lines = 0;
    add_price(c, t, p);
    while (t->lines < LINES_MOST - 1 && fm_sem_value(&c->room) && another_price(c, &p)) {
      fm_sem_try_wait(&c->room);
      add_price(c, t, p);
    }
    websocket_send(&c->socket, t->at, t->size);
  }
}

static async void stay_awake(struct client *c) throws(struct os_error, struct fm_timeout) {
  for (;;) {
    fm_sleep(PING_MS);
    if (fm_now() - c->socket.heard > (uint64_t)SILENCE_MS * 1000000)
      throw(struct fm_timeout){ SILENCE_MS };
    websocket_ping(&c->socket);
  }
}

// Whichever ends first ends the others.
static async void converse(struct client *c)
    throws(struct os_error, struct websocket_error, struct fm_timeout, struct fm_closed) {
  race {
  case listen_to(c):
    break;
  case deliver(c):
    break;
  case stay_awake(c):
    break;
  }
}

// The last words of this side, and the other side's, for which it may take a moment.
static async void part(struct client *c, int code, const char *reason) {
  char rest[256];
  scope (time) {
    fm_deadline(time, GRACE_MS);
    try {
      websocket_end(&c->socket, code, reason);
      fm_shutdown(c->socket.fd, SHUT_WR);
      while (fm_read(c->socket.fd, rest, sizeof rest) > 0)
        continue;
    } catch (struct os_error e) {
      (void)e; // it has gone
    } catch (struct fm_timeout e) {
      (void)e;
    }
  }
}

static async void serve_client(struct client *c) {
  int code = WS_AWAY; // a cancel: the server ends
  const char *reason = "the server ends";
  defer part(c, code, reason);
  try {
    converse(c);
    code = WS_NORMAL;
    reason = "";
  } catch (struct websocket_error e) {
    code = e.code;
    reason = e.reason;
  } catch (struct fm_timeout e) {
    code = WS_POLICY;
    reason = "too slow";
    (void)e;
  } catch (struct os_error e) {
    (void)e; // it has gone
  } catch (struct fm_closed e) {
    (void)e;
  }
}

static async void subscribe(int fd, fm_reader *in, const struct request *r, int instrument) {
  struct client *c = calloc(1, sizeof *c);
  if (!c)
    return;
  defer free(c);
  fm_set_namef(fm_self(), "%s for %d", market[instrument].symbol, fd);
  websocket_init(&c->socket, fd, in, MESSAGE_MOST, options.patience);
  fm_sem_init(&c->room, 0);
  c->rate = market_rate((int)http_number(r, "rate", 10));
  c->since = http_number(r, "since", 0);
  bool from_now = !c->since;
  if (from_now)
    c->since = now_ms();
  fm_subscriber_init(&c->prices, &prices[instrument], from_now ? 0 : MARKET_KEPT);
  defer fm_subscriber_free(&c->prices);
  serve_client(c);
}

// ---- requests ----
static async void refuse(int fd, struct request *r, int status, const char *headers)
    throws(struct os_error) {
  static const char words[] = "there is nothing for you here\n";
  http_send(fd, r,
            &(struct answer){ status, "text/plain; charset=utf-8", headers, words,
                              sizeof words - 1 });
}

// Pages of other sites cannot read what they are not meant to.
static bool is_own_origin(const struct request *r) {
  const char *at = strstr(r->origin, "://");
  return options.any_origin || !*r->origin || (at && !strcmp(at + 3, r->host));
}

// The status of the answer to a request for a stream; 101: it is granted.
static int stream_status(const struct request *r, int instrument) {
  if (instrument < 0)
    return 404;
  if (!r->upgrade || !r->connection_upgrade || strcmp(r->version, "13"))
    return 426;
  if (!handshake_is_key(r->key) || strcmp(r->method, "GET"))
    return 400;
  return is_own_origin(r) ? 101 : 403;
}

static async void open_stream(int fd, fm_reader *in, struct request *r) throws(struct os_error) {
  int instrument = market_find(r->path + strlen("/stream/"));
  int status = stream_status(r, instrument);
  char accept[HANDSHAKE_ROOM], headers[300];
  r->keep = false;
  if (status != 101) {
    refuse(fd, r, status,
           status == 426 ? "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" : NULL);
    return;
  }
  handshake_accept(r->key, accept);
  bool protocol = strstr(r->protocols, "fermata.prices") != NULL;
  snprintf(headers, sizeof headers,
           "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n%s", accept,
           protocol ? "Sec-WebSocket-Protocol: fermata.prices\r\n" : "");
  http_send(fd, r, &(struct answer){ .status = 101, .headers = headers });
  subscribe(fd, in, r, instrument);
}

static async void respond(int fd, fm_reader *in, struct request *r) throws(struct os_error) {
  const struct file *f = http_find(files, r->path);
  if (!strncmp(r->path, "/stream/", 8))
    open_stream(fd, in, r);
  else if (f)
    http_send(fd, r,
              &(struct answer){ 200, f->type, "X-Fermata-Stream: /stream/\r\n", f->data, f->size });
  else
    refuse(fd, r, 404, NULL);
}

static async void requests(int fd, fm_reader *in) throws(struct os_error) {
  struct request r;
  do {
    int status = 408;
    scope (time) {
      fm_deadline(time, REQUEST_MS);
      status = http_take(in, &r);
    }
    if (status == -1 || (status == 408 && !fm_reader_buffered(in)))
      return; // it has gone, or has nothing to ask
    if (status) {
      r.keep = false;
      refuse(fd, &r, status, status == 405 ? "Allow: GET, HEAD\r\n" : NULL);
    } else {
      respond(fd, in, &r);
    }
  } while (r.keep);
}

// ---- connections ----
// What a slow client has not taken is to be in the broadcast, not in the kernel.
static async void connection(int fd) {
  fm_reader in;
  defer fm_close(fd);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){ SEND_BUFFER }, sizeof(int));
  fm_reader_init(&in, fd);
  fm_reader_limit(&in, 8192);
  defer fm_reader_free(&in);
  try {
    requests(fd, &in);
  } catch (struct os_error e) {
    (void)e; // it has gone
  }
}

static async void accept_all(int listening) throws(struct os_error) {
  scope for (;;) spawn connection(fm_accept(listening));
}

static async void run_server(void) throws(struct os_error) {
  int listening = fm_listen(options.address, options.port, 1024);
  defer fm_close(listening);
  printf("http://%s:%d/\n", options.address, fm_local_port(listening));
  fflush(stdout);
  race {
  case accept_all(listening): // loses: all connections have unwound when the race ends
    break;
  case run_market():
    break;
  case fm_wait_signal(SIGTERM):
    break;
  case fm_wait_signal(SIGINT):
    break;
  }
}

// ---- the program ----
static void usage(void) {
  fputs("usage: server [-p PORT] [-a ADDRESS] [-d DIRECTORY] [-o] [-t MS]\n", stderr);
  exit(2);
}

static void read_options(int argc, char **argv) {
  static char beside[4096];
  const char *slash = strrchr(argv[0], '/');
  snprintf(beside, sizeof beside, "%.*s/site", slash ? (int)(slash - argv[0]) : 1,
           slash ? argv[0] : ".");
  options.directory = beside;
  for (int c; (c = getopt(argc, argv, "p:a:d:ot:")) != -1;)
    switch (c) {
    case 'p':
      options.port = optarg;
      break;
    case 'a':
      options.address = optarg;
      break;
    case 'd':
      options.directory = optarg;
      break;
    case 'o':
      options.any_origin = true;
      break;
    case 't':
      options.patience = (unsigned)strtoul(optarg, NULL, 10);
      break;
    default:
      usage();
    }
  if (optind < argc || !options.patience)
    usage();
}

async int main(int argc, char **argv) {
  int status = 1;
  read_options(argc, argv);
  files = http_load(options.directory);
  if (!files) {
    fprintf(stderr, "server: %s: %s\n", options.directory, strerror(errno));
    return 1;
  }
  defer http_free(files);
  for (int i = 0; i < MARKET_INSTRUMENTS; i++)
    fm_broadcast_init(&prices[i], MARKET_KEPT, FM_LOSE);
  try {
    run_server();
    status = 0;
  } catch (struct os_error e) {
    fprintf(stderr, "server: %s port %s: %s\n", options.address, options.port, strerror(e.code));
  }
  return status;
}
