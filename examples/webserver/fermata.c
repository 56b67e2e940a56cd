// fermata.c: the web server with an activity for each connection, in one thread: made from blocking.c. What waits says so:
// fm_wait_more, fm_wait_room, fm_open, fm_pread, fm_accept, fm_wait_signal; how long it may take is said by scopes.
#include <fermata.h>
#include <fermata/io.h>

#include "http.h"
#include "site.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>

struct connection {
  int socket;
  bool idle;                                      // waits for the first byte of a request
  fm_activity waits;                              // idle: the scope in which it does
  struct connection *next, **link;                // the list of all
  struct http http;
};

static struct options options;
static struct connection *connections;

// ---- requests ----
// Reads until a request is whole. False: there is none, and the connection is over.
static async bool receive(struct connection *c) throws(struct os_error) {
  enum http_state s = HTTP_MORE;
  c->idle = true;
  scope (time) {
    fm_cancel_after(time, options.patience);
    c->waits = time;
    do {
      if (c->http.drained) fm_wait_more(c->socket);
      s = http_receive(&c->http, c->socket);
      c->idle = false;
    } while (s == HTTP_MORE);
  }
  if (s == HTTP_MORE && !http_idle(&c->http)) {
    http_late(&c->http);
    s = HTTP_READY;
  }
  return s == HTTP_READY;
}

// ---- answers ----
// What the socket did not take at once. False: the time is over, or the client has gone.
static async bool send_left(struct connection *c) throws(struct os_error) {
  enum http_sent s = HTTP_LEFT;
  scope (time) {
    fm_cancel_after(time, options.patience);
    do fm_wait_room(c->socket);
    while ((s = http_send_left(&c->http, c->socket)) == HTTP_LEFT);
  }
  return s == HTTP_SENT;
}

static async bool send_bytes(struct connection *c, const char *data, size_t n) throws(struct os_error) {
  struct pieces p = { .part = { [1] = { (char *)data, n } }, .first = 1 };
  enum http_sent s = http_leave(&c->http, &p) ? http_send_left(&c->http, c->socket) : HTTP_BROKEN;
  return s == HTTP_LEFT ? send_left(c) : s == HTTP_SENT;
}

static async bool send_file(struct connection *c, struct answer *a, int file) throws(struct os_error) {
  char *buffer = malloc(HTTP_ROOM + HTTP_CHUNK);
  if (!buffer) return http_unavailable(&c->http, c->socket) == HTTP_SENT;
  defer free(buffer);
  size_t used = answer_format(&c->http, a, buffer);
  off_t at = 0;
  do {
    size_t want = a->size < HTTP_CHUNK ? a->size : HTTP_CHUNK;
    ssize_t n = want ? fm_pread(file, buffer + used, want, at) : 0;
    if (want && !n) return false;                 // it has become shorter than we said: only closing tells
    if (!send_bytes(c, buffer, used + (size_t)n)) return false;
    at += n;
    a->size -= (size_t)n;
    used = 0;
  } while (a->size);
  return true;
}

static async int open_file(struct answer *a) {
  struct stat st;
  int file = -1, err = 0;
  try {
    file = fm_open(a->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0); // a fifo without writer must not hold a thread up
  } catch (struct os_error e) {
    err = e.code;
  }
  bool found = file >= 0 && fstat(file, &st) == 0;
  answer_found(a, found ? &st : NULL, err);
  return file;
}

static async bool send_found(struct connection *c) throws(struct os_error) {
  struct answer a = http_answer(&c->http);
  defer answer_free(&a);
  int file = a.file ? open_file(&a) : -1;
  defer if (file >= 0) fm_close(file);
  return send_file(c, &a, file);
}

static async bool respond(struct connection *c) throws(struct os_error) {
  enum http_sent s = http_reply(&c->http, c->socket);
  bool sent = s == HTTP_SENT || (s == HTTP_LEFT ? send_left(c) : s == HTTP_FILE && send_found(c));
  return sent && http_goes_on(&c->http);
}

// ---- connections ----
// Closing while the client still sends would reset the connection, and the client lose the answer: lets it finish first.
static async void linger(struct connection *c) throws(struct os_error) {
  char buffer[4096];
  fm_shutdown(c->socket, SHUT_WR);
  scope (time) {
    fm_cancel_after(time, options.patience);
    while (fm_read(c->socket, buffer, sizeof buffer) > 0) {}
  }
}

static async void converse(struct connection *c) throws(struct os_error) {
  bool goes_on;
  do {
    if (!receive(c)) return;
    while ((goes_on = respond(c)) && http_next(&c->http) == HTTP_READY) {}
  } while (goes_on);
  linger(c);
}

static void end(struct connection *c) {
  *c->link = c->next;
  if (c->next) c->next->link = c->link;
  fm_close(c->socket);
  http_end(&c->http);
  free(c);
}

static struct connection *begin(int socket) {
  struct connection *c = malloc(sizeof *c);
  if (!c) return NULL;
  *c = (struct connection){ .socket = socket, .next = connections, .link = &connections };
  if (c->next) c->next->link = &c->next;
  connections = c;
  http_begin(&c->http);
  return c;
}

static async void connection_main(struct connection *c) {
  defer end(c);
  try {
    converse(c);
  } catch (struct os_error e) {
    (void)e;                                      // the client has gone
  }
}

// ---- the server ----
static async void cancel_on(int signal, fm_activity what) throws(struct os_error) {
  fm_wait_signal(signal);
  fm_cancel(what);
}

static async void accept_until_signal(int listener, fm_activity connected) throws(struct os_error) {
  scope (accepting) {
    spawn cancel_on(SIGTERM, accepting);
    spawn cancel_on(SIGINT, accepting);
    for (;;) {
      int socket = fm_accept(listener);
      struct connection *c = begin(socket);
      if (c) spawn in(connected) connection_main(c);
      else fm_close(socket);
    }
  }
}

static void finish(fm_activity connected) {
  http_stopping();
  for (struct connection *c = connections; c; c = c->next)
    if (c->idle) fm_cancel(c->waits);
  fm_cancel_after(connected, options.grace);
}

static async void serve(void) throws(struct os_error) {
  int listener = fm_listen("127.0.0.1", options.port, 1024);
  printf("%d\n", fm_local_port(listener));
  fflush(stdout);
  scope (connected) {
    accept_until_signal(listener, connected);
    fm_close(listener);
    finish(connected);
  }
}

async int main(int argc, char **argv) {
  int status = 0;
  options = options_read(argc, argv);
  site_open(&options);
  try {
    serve();
  } catch (struct os_error e) {
    errno = e.code;
    perror("fermata");
    status = 1;
  }
  site_close();
  return status;
}
