// Whole lines: activities of three domains print lines of very different lengths to one socket, by
// fm_printf, or by a writer that they share, while a slow reader takes them and calls are cancelled
// at random; then by both, without cancels. Each line has to come whole, once, and in the order of
// its activity; a call that was cancelled has written nothing.
// Arguments: how many lines each prints, a seed.
// args: 40 1
// expect: ok
// flags: -pthread
#include <errno.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { PRINTERS = 12, LONGEST = 9000 };
enum { BY_PRINTF, BY_WRITER, BY_BOTH, WAYS };

static int count, way;
static char filling[LONGEST + 1];
static fm_writer shared;
static _Atomic long cancelled;
static _Atomic int printing;

static unsigned draw(uint64_t *state, unsigned n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*state >> 33) % n;
}

static void check(bool ok, const char *what, long where) {
  if (ok)
    return;
  printf("wrong: %s at %ld\n", what, where);
  exit(1);
}

// ---- the printers ----
#pragma fermata auto_yield off
// true: it was printed; nothing comes between the end of the call and the return.
static async bool print_one(int fd, int id, int line, int length, bool by_writer)
    throws(struct os_error) {
  int n = by_writer
              ? fm_writer_printf(&shared, "%d %d %d %.*s\n", id, line, length, length, filling)
              : fm_printf(fd, "%d %d %d %.*s\n", id, line, length, length, filling);
  check(n > length, "length", n);
  return true;
}

static async void prints(int fd, int id, bool by_writer, uint64_t state) throws(struct os_error) {
  for (int line = 0; line < count;) {
    int length = (int)draw(&state, draw(&state, 4) ? 100 : LONGEST);
    bool done = false;
    scope (s) {
      if (draw(&state, 2) && way != BY_BOTH)
        fm_cancel_after(s, draw(&state, 3));
      done = print_one(fd, id, line, length, by_writer);
    }
    line += done;
    cancelled += !done;
    if (draw(&state, 5) == 0)
      fm_sleep(draw(&state, 2));
  }
  if (atomic_fetch_sub(&printing, 1) == 1) {
    fm_writer_flush(&shared);
    fm_shutdown(fd, SHUT_WR);
  }
}

// ---- the reader ----
static async void reads(int fd, uint64_t state) throws(struct os_error) {
  int next[PRINTERS] = { 0 };
  int id, line, length, from;
  long lines = 0;
  fm_reader in;
  fm_reader_init(&in, fd);
  defer fm_reader_free(&in);
  for (char *text; (text = fm_reader_line(&in)); lines++) {
    check(sscanf(text, "%d %d %d %n", &id, &line, &length, &from) == 3, "torn", lines);
    check(id >= 0 && id < PRINTERS && line == next[id]++, "order", lines);
    check(strlen(text + from) == (size_t)length, "whole", lines);
    check((int)strspn(text + from, "x") == length, "torn", lines);
    if (draw(&state, 20) == 0)
      fm_sleep(draw(&state, 2));
  }
  check(lines == (long)PRINTERS * count, "lines", lines);
}

static async void all(fm_pool *pool, uint64_t seed) throws(struct os_error) {
  task(void) t[PRINTERS];
  int fds[2];
  int small = 2000;
  socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
  setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  defer fm_close(fds[0]);
  defer fm_close(fds[1]);
  printing = PRINTERS;
  fm_writer_init(&shared, fds[0]);
  for (int i = 0; i < PRINTERS; i++) {
    bool by_writer = way == BY_WRITER || (way == BY_BOTH && i % 2);
    if (i % 3)
      t[i] = spawn on(pool) prints(fds[0], i, by_writer, seed + (uint64_t)i);
    else
      t[i] = spawn prints(fds[0], i, by_writer, seed + (uint64_t)i);
  }
  reads(fds[1], seed);
  for (int i = 0; i < PRINTERS; i++)
    await t[i];
  check(fm_writer_free(&shared) == 0, "dropped", 0);
}

async int main(int argc, char **argv) {
  count = argc > 1 ? atoi(argv[1]) : 40;
  memset(filling, 'x', LONGEST);
  fm_pool *pool = fm_pool_new(2);
  try {
    for (way = 0; way < WAYS; way++)
      all(pool, argc > 2 ? (uint64_t)atoi(argv[2]) : 1);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  fm_pool_free(pool);
  check(cancelled, "no call was cancelled", 0);
  printf("ok\n");
  return 0;
}
