// fetch.c: pages are fetched at the same time, each from a primary server or, if anything goes wrong there, from a backup: after "The F#
// Asynchronous Programming Model" (paper 001, §2.3 and §4.1).
//
// A failure anywhere in the first attempt, be it the connection, the status or the end of the page, leads to the handler, and whatever
// was open is closed on the way. fm_all is the paper's Async.Parallel: it ends when all have, and throws the first error if there is one.
//   fmcc -O2 -o fetch fetch.c && ./fetch
#include <errno.h>
#include <fermata.h>
#include <fermata/io.h>
#include <stdlib.h>
#include <string.h>

struct bad_status { int status; };
typedef struct Server { const char *name; int listening; char port[8]; bool broken; } Server;
static Server primary = { .name = "primary", .broken = true }, backup = { .name = "backup" };

// ---- the servers: the primary one has lost the second page, and breaks off in the middle of the third ----
static async void answer(const Server *s, int fd) {
  char path[64], text[256];
  fm_lines in;
  defer fm_close(fd);
  fm_lines_init(&in, fd);
  try {
    fm_readline(&in, path, sizeof path);
    bool lost = s->broken && strcmp(path, "/two") == 0, torn = s->broken && strcmp(path, "/three") == 0;
    int n = snprintf(text, sizeof text, "%d\nThis is %s of the %s server.\n", lost ? 404 : 200, path, s->name);
    fm_write_all(fd, text, torn ? 10 : (size_t)n);
  } catch (struct os_error e) {
    fprintf(stderr, "%s: %s\n", s->name, strerror(e.code));
  }
}

static async void serve(const Server *s) throws(struct os_error) {
  for (;;) spawn answer(s, fm_accept(s->listening));
}

static void open_server(Server *s) throws(struct os_error) {
  s->listening = fm_listen("127.0.0.1", "0", 16);
  snprintf(s->port, sizeof s->port, "%d", fm_local_port(s->listening));
}

// ---- the client ----
typedef struct Page { const char *path; char text[128], trouble[64]; } Page;

static async void get(const Server *s, Page *p) throws(struct os_error, struct bad_status) {
  char line[64];
  fm_lines in;
  int fd = fm_connect("127.0.0.1", s->port);
  defer fm_close(fd);
  fm_lines_init(&in, fd);
  fm_write_all(fd, line, (size_t)snprintf(line, sizeof line, "%s\n", p->path));
  int status = fm_readline(&in, line, sizeof line) > 0 ? atoi(line) : 0;
  if (status != 200) throw (struct bad_status){ status };
  fm_readline(&in, p->text, sizeof p->text);
  if (strstr(p->text, "server.") == NULL) throw (struct os_error){ EPROTO }; // torn off
}

static async void fetch(Page *p) throws(struct os_error, struct bad_status) {
  try {
    get(&primary, p);
  } catch (struct bad_status e) {
    snprintf(p->trouble, sizeof p->trouble, "status %d", e.status);
    get(&backup, p);
  } catch (struct os_error e) {
    snprintf(p->trouble, sizeof p->trouble, "%s", strerror(e.code));
    get(&backup, p);
  }
}

static async void fetch_all(Page *pages, size_t n) throws(struct os_error, struct bad_status) {
  task(void) fetches[n];
  for (size_t i = 0; i < n; i++) fetches[i] = spawn fetch(&pages[i]);
  fm_all(fetches, n);
}

async int main(void) {
  Page pages[] = { { .path = "/one" }, { .path = "/two" }, { .path = "/three" } };
  try {
    open_server(&primary);
    open_server(&backup);
    scope (servers) {
      spawn serve(&primary);
      spawn serve(&backup);
      fetch_all(pages, 3);
      fm_cancel(servers);
    }
    for (int i = 0; i < 3; i++) printf("%s [%s]\n", pages[i].text, pages[i].trouble[0] ? pages[i].trouble : "no trouble");
  } catch (struct bad_status e) {
    printf("status %d\n", e.status);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
// output: This is /one of the primary server. [no trouble]
// output: This is /two of the backup server. [status 404]
// output: This is /three of the backup server. [Protocol error]
