// scan.c: which of these ports are open, and what does the one behind say first? Many are tried at once, each for a second at most.
//
// A few workers share the list: `next++` needs no lock, since nobody else runs between two pauses. One scope holds the time limit for all that
// is done at a port, connecting and reading; when the time is over, it unwinds to `else`, and the socket is closed on the way.
//   fmcc -O2 -o scan scan.c && ./scan 127.0.0.1 22 25 80 8080
// Without arguments it tries itself: a service that greets, one that is silent, one that hangs up, and a port that is closed.
#include <errno.h>
#include <fermata.h>
#include <fermata/io.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 50, LIMIT_MS = 1000 };
typedef struct Target { const char *name, *port; char result[128]; } Target;

static async void probe(const char *host, Target *t) {
  bool open = false;
  try {
    scope (limit) {
      fm_cancel_after(limit, LIMIT_MS);
      int fd = fm_connect(host, t->port);
      defer fm_close(fd);
      fm_lines in;
      char line[64];
      open = true;
      fm_lines_init(&in, fd);
      if (fm_readline(&in, line, sizeof line) < 0) snprintf(t->result, sizeof t->result, "open, hangs up");
      else snprintf(t->result, sizeof t->result, "open: %.*s", (int)strcspn(line, "\r"), line);
    } else {
      snprintf(t->result, sizeof t->result, "%s", open ? "open" : "no answer");
    }
  } catch (struct os_error e) {
    if (e.code == ECONNREFUSED) snprintf(t->result, sizeof t->result, "closed");
    else snprintf(t->result, sizeof t->result, "%s", strerror(e.code));
  }
}

static async void scan(const char *host, Target *targets, int n) {
  int next = 0;
  for (int i = 0; i < n && i < WORKERS; i++)
    activate () {
      for (int mine; (mine = next++) < n;) probe(host, &targets[mine]);
    }
}                                                 // waits for them all: they share its variables

static void print(const Target *targets, int n) {
  for (int i = 0; i < n; i++) printf("%s: %s\n", targets[i].name, targets[i].result);
}

// ---- when there are no arguments ----
static async void service(int listening, const char *greeting, bool stays) throws(struct os_error) {
  char c;
  int fd = fm_accept(listening);
  defer fm_close(fd);
  fm_write_all(fd, greeting, strlen(greeting));
  if (stays) fm_read(fd, &c, 1);                  // until the other side closes
}

static async void try_itself(void) throws(struct os_error) {
  Target targets[] = { { .name = "greets" }, { .name = "silent" }, { .name = "hangs up" }, { .name = "closed" } };
  char ports[4][8];
  int listening[4];
  for (int i = 0; i < 4; i++) {
    listening[i] = fm_listen("127.0.0.1", "0", 8);
    snprintf(ports[i], sizeof ports[i], "%d", fm_local_port(listening[i]));
    targets[i].port = ports[i];
  }
  fm_close(listening[3]);
  scope (services) {
    spawn service(listening[0], "220 how do you do\r\n", true);
    spawn service(listening[1], "", true);
    spawn service(listening[2], "", false);
    scan("127.0.0.1", targets, 4);
  }
  print(targets, 4);
  for (int i = 0; i < 3; i++) fm_close(listening[i]);
}

async int main(int argc, char **argv) {
  if (argc > 2) {
    int n = argc - 2;
    Target *targets = calloc((size_t)n, sizeof *targets);
    if (!targets) return 1;
    defer free(targets);
    for (int i = 0; i < n; i++) targets[i].name = targets[i].port = argv[i + 2];
    scan(argv[1], targets, n);
    print(targets, n);
    return 0;
  }
  try {
    try_itself();
    return 0;
  } catch (struct os_error e) {
    fprintf(stderr, "scan: %s\n", strerror(e.code));
    return 1;
  }
}
// output: greets: open: 220 how do you do
// output: silent: open
// output: hangs up: open, hangs up
// output: closed: closed
