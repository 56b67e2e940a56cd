// chat.c: a chat server. Who connects sends a name, and then lines; every line goes to all others.
//
// A connection is a race of two: one reads from the client and gives its lines to the others' channels, one writes what is in
// its own. Whichever ends, the other is cancelled, and the connection is closed. Nobody waits for a slow client: its channel holds a
// few lines, and when there is no room for one more, its connection is cancelled, and the others are told. SIGTERM ends the server: each
// client gets what is still on its way and a last line, within a second.
//   fmcc -O2 -o chat chat.c && ./chat 7000      (another terminal: nc localhost 7000)
// Without a port it takes a free one, and says which.
// driven by: test/sample/chat.sh
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/sync.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

enum { BEHIND = 16, GRACE_MS = 1000, SEND_BUFFER = 16384 };
typedef struct Line { char text[256]; } Line;
typedef fm_chan(Line) Lines;
typedef struct Client {
  struct Client *next;
  char name[32];
  int fd;
  Lines lines;                                    // to be written to it
  fm_activity connection;                         // the scope that is cancelled when it is too slow
} Client;

static Client *clients;

// ---- all clients: plain code, which no one can interrupt ----
static void say(const Client *from, const char *format, ...) {
  Line line;
  va_list args;
  va_start(args, format);
  vsnprintf(line.text, sizeof line.text, format, args);
  va_end(args);
  for (Client *c = clients; c; c = c->next)
    if (c != from && !fm_chan_closed(&c->lines) && !fm_try_send(&c->lines, line)) fm_cancel(c->connection);
}

static void enter(Client *c) {
  c->next = clients;
  clients = c;
  say(NULL, "* %s comes in\n", c->name);
}

static void leave(Client *c) {
  Client **p = &clients;
  while (*p != c) p = &(*p)->next;
  *p = c->next;
  fm_chan_free(&c->lines);
}

// ---- one client ----
static async void read_lines(Client *c, fm_lines *in) throws(struct os_error) {
  char text[200];
  while (fm_readline(in, text, sizeof text) >= 0) say(c, "%s: %s\n", c->name, text);
}

static async void write_lines(Client *c) throws(struct os_error) {
  try {
    for (;;) {
      Line line = fm_recv(&c->lines);
      fm_write_all(c->fd, line.text, strlen(line.text));
    }
  } catch (struct fm_closed e) {
    (void)e;                                      // the server ends
  }
}

static async void talk(Client *c) throws(struct os_error) {
  fm_lines in;
  fm_lines_init(&in, c->fd);
  if (fm_readline(&in, c->name, sizeof c->name) <= 0) return;
  enter(c);
  defer leave(c);
  race {
  case read_lines(c, &in):
    break;
  case write_lines(c):
    break;
  }
}

static async void serve(int fd) {
  Client c = { .fd = fd };
  defer fm_close(fd);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){ SEND_BUFFER }, sizeof(int)); // else the kernel hides for long who is slow
  fm_chan_init(&c.lines, BEHIND);
  try {
    scope (connection) {
      c.connection = connection;
      talk(&c);
    } else {
      say(NULL, "* %s was too slow\n", c.name);
      return;
    }
  } catch (struct os_error e) {
    fprintf(stderr, "chat: %s: %s\n", c.name, strerror(e.code));
  }
  if (c.name[0]) say(NULL, "* %s has gone\n", c.name);
}

static async void accept_all(int listening, fm_activity connections) throws(struct os_error) {
  for (;;) spawn in(connections) serve(fm_accept(listening));
}

async int main(int argc, char **argv) {
  try {
    int listening = fm_listen("127.0.0.1", argc > 1 ? argv[1] : "0", 64);
    printf("port %d\n", fm_local_port(listening));
    fflush(stdout);
    scope (connections) {
      auto acceptor = spawn accept_all(listening, connections);
      fm_wait_signal(SIGTERM);
      fm_cancel(fm_id(acceptor));
      fm_close(listening);
      say(NULL, "* the server ends\n");
      for (Client *c = clients; c; c = c->next) fm_chan_close(&c->lines);
      fm_cancel_after(connections, GRACE_MS);
    }
    printf("end\n");
    return 0;
  } catch (struct os_error e) {
    fprintf(stderr, "chat: %s\n", strerror(e.code));
    return 1;
  }
}
