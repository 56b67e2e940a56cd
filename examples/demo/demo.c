// demo.c: what Fermata is for, in a few seconds: `make demo`. A server and its clients talk over
// real connections in one process and one thread; a cancel unwinds them all; a race has a deadline;
// an update is lost, and `atomic` mends it. What is shown as source is read from this file.
//
//     fmcc -O2 -o demo examples/demo/demo.c examples/demo/show.c && ./demo
#include "show.h"
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <fermata/trace.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 1000, UPDATES = 1000, LONG = 600000 };

static char port[8];  // of the server
static int answered;  // clients that have had their first answer
static int closed;    // ends of connections that were closed by a defer

// ---- the server: a request is a time in milliseconds, the answer comes after that time ----
// show server
static async void serve(int fd) {
  int32_t ms;
  defer closed++, fm_close(fd);
  try {
    while (fm_read_exact(fd, &ms, sizeof ms) == sizeof ms) {
      fm_sleep((uint64_t)ms);
      fm_write_all(fd, &ms, sizeof ms);
    }
  } catch (struct os_error e) {
    show("a client was lost: %s", strerror(e.code));
  }
}

static async void server(int listening) throws(struct os_error) {
  for (;;) spawn serve(fm_accept(listening));
}
// end

static async int32_t ask(int fd, int32_t ms) throws(struct os_error) {
  fm_write_all(fd, &ms, sizeof ms);
  fm_read_exact(fd, &ms, sizeof ms);
  return ms;
}

static async void client(void) throws(struct os_error) {
  int fd = fm_connect("127.0.0.1", port);
  defer closed++, fm_close(fd);
  ask(fd, 0);
  answered++;
  ask(fd, LONG); // waits until it is cancelled
}

// ---- 1 and 2: a thousand clients, and a cancel ----
static void print_tree(fm_activity all) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return;
  fm_dump_of(to, all);
  fclose(to);
  show_tree(text);
  free(text);
}

static async void many_clients(int listening, int clients) throws(struct os_error) {
  show_title("A server and a thousand clients, in one process, on one thread");
  show("Each connection has its own activity on either side: straight code that waits");
  show("where it must, without callbacks and without a thread or stack for each.");
  show_source(__FILE__, "server");
  fm_sleep(1); // the driver has its own descriptors by now
  int before_descriptors = open_descriptors();
  size_t before = used_memory();
  double start = milliseconds();
  scope (all) {
    spawn server(listening);
    for (int i = 0; i < clients; i++) spawn client();
    while (answered < clients) fm_sleep(1);
    fm_sleep(20); // the second request is on its way
    double connected = milliseconds() - start - 20;
    int waiting = 2 * clients + 1;
    show_result("%d clients connected and answered in %.0f ms", answered, connected);
    show_result("%d activities wait now, %zu bytes of memory each, buffers included",
                waiting, (used_memory() - before) / (size_t)waiting);
    show("The live tree (fm_dump), with neighbours that are alike in one line:");
    print_tree(all);

    show_title("One cancel unwinds them all");
    show("fm_cancel(all) ends every wait below a scope. Each activity leaves through");
    show("its `defer`, which closes the connection; the scope ends when all have left.");
    closed = 0;
    start = milliseconds();
    fm_cancel(all);
  }
  show_result("%d activities have ended, %d of them closed a connection, in %.1f ms",
              2 * clients + 1, closed, milliseconds() - start);
  show_result("%d descriptors were open before, %d are open now", before_descriptors,
              open_descriptors());
}

// ---- 3: a race ----
static int released; // connections of requests that have ended

static async int32_t fetch(int32_t ms) throws(struct os_error) {
  int fd = fm_connect("127.0.0.1", port);
  defer released++, fm_close(fd);
  return ask(fd, ms);
}

// show race
static async void first(int a, int b, unsigned limit)
    throws(struct os_error) {
  int32_t ms;
  race {
  case ms = fetch(a): show_result("the first answered, after %d ms", ms);
  case ms = fetch(b): show_result("the second answered, after %d ms", ms);
  case fm_sleep(limit): show_result("no answer in %u ms", limit);
  }
}
// end

static async void races(int listening) throws(struct os_error) {
  show_title("A race with a deadline");
  show("Two requests and a timer: the first to end wins. The others are cancelled and");
  show("have closed their connections before the winner's statement runs.");
  show_source(__FILE__, "race");
  scope (all) {
    spawn server(listening);
    double start = milliseconds();
    first(300, 30, 2000);
    first(800, 900, 100);
    show_result("both together took %.0f ms; %d of 4 connections are closed",
                milliseconds() - start, released);
    fm_cancel(all);
  }
}

// ---- 4: the lost update ----
static int counter;

static async void audit(void) { yield; }

// show lost
static async void add(void) {
  int seen = counter;
  audit(); // may pause: others run, and read the same counter
  counter = seen + 1;
}

static async void add_all(void) {
  for (int i = 0; i < UPDATES; i++) add();
}

static async void add_all_atomically(void) {
  for (int i = 0; i < UPDATES; i++) atomic add();
}
// end

static async void lost_update(void) {
  show_title("The lost update, and `atomic`");
  show("Two activities share one thread and still lose updates: add() pauses between");
  show("its read and its write. `atomic` at the call keeps all others out meanwhile;");
  show("add() itself stays as it is, and pauses elsewhere as ever.");
  show_source(__FILE__, "lost");
  task(void) a = spawn add_all(), b = spawn add_all();
  await a, await b;
  show_result("2 × %d additions without atomic: the counter is %d", UPDATES, counter);
  counter = 0;
  task(void) c = spawn add_all_atomically(), d = spawn add_all_atomically();
  await c, await d;
  show_result("2 × %d additions with atomic:    the counter is %d", UPDATES, counter);
}

static void next_commands(void) {
  printf("\nGo on:\n"
         "   build/bin/fermata run examples/echo.c   compile and run a small server\n"
         "   docs/tutorial.md                        from hello to a server in 12 steps\n"
         "   build/bin/fmcc --emit-c FILE            what becomes of your code\n"
         "   make check T=quick                      a selection of the tests, two minutes\n"
         "   make check                              all of them\n"
         "   README.md                               figures, limits and the map\n");
}

async int main(void) {
  size_t descriptors = raise_descriptor_limit();
  int clients = CLIENTS;
  if (descriptors < 2 * CLIENTS + 50) {
    clients = (int)(descriptors - 50) / 2;
    printf("Only %zu descriptors are allowed here: %d clients.\n", descriptors, clients);
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  try {
    int listening = fm_listen("127.0.0.1", "0", 1024);
    defer fm_close(listening);
    snprintf(port, sizeof port, "%d", fm_local_port(listening));
    many_clients(listening, clients);
    races(listening);
    lost_update();
    next_commands();
  } catch (struct os_error e) {
    fprintf(stderr, "demo: %s\n", strerror(e.code));
    return 1;
  }
  return 0;
}
