// A reader against a model: a stream of random bytes, written in random parts to a pipe, a socket,
// a file or memory, is read by random operations, many of which are cancelled or lose a race at a
// random moment. The model is the array of all bytes and a position.
// Arguments: how many streams, a seed.
// args: 60 1
// env: FERMATA_DRIVER=virtual
// expect: ok
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "descriptors.h"
#include "random-checks.h"

enum { MOST = 120000 };
enum { LINE, UNTIL, BYTE, READ, EXACTLY, PEEK, SKIP, OLD_LINE, REST, OPERATIONS };

static char all[MOST];
static size_t size, at; // the model: all bytes, and how many of them have been taken
static long taken, cancelled, too_long;

// ---- the stream ----
// Delimiters are frequent, or so rare that the buffer has to grow.
static void make_stream(void) {
  unsigned rare = draw(2) ? 30 : 20000;
  size = draw(4) ? draw(MOST) : draw(10);
  at = 0;
  for (size_t i = 0; i < size; i++)
    all[i] = draw(rare) ? "abc;\r"[draw(5)] : "\n;\r\n\0"[draw(5)];
}

static async void write_parts(int fd) throws(struct os_error) {
  defer fm_close(fd);
  for (size_t done = 0; done < size;) {
    size_t part = 1 + draw(draw(3) ? 40 : 9000);
    part = part < size - done ? part : size - done;
    fm_write_all(fd, all + done, part);
    done += part;
    if (draw(3) == 0)
      fm_sleep(draw(4));
  }
}

// ---- the model's view of each operation ----
static size_t find_end(const char *delimiter, size_t n) {
  char *found = at < size ? memmem(all + at, size - at, delimiter, n) : NULL;
  return found ? (size_t)(found - all) : size;
}

static void took_piece(const char *got, size_t length, const char *delimiter, size_t n) {
  size_t end = find_end(delimiter, n);
  check(got || at == size, "no piece before the end", (long)at);
  if (!got)
    return;
  check(length == end - at && memcmp(got, all + at, length) == 0, "piece", (long)at);
  check(got[length] == 0, "string", (long)at);
  at = end + (end < size ? n : 0);
}

static void took_bytes(const char *got, size_t n, size_t least, size_t most) {
  size_t left = size - at;
  check(n <= most && n >= (least < left ? least : left), "count", (long)at);
  check(memcmp(got, all + at, n) == 0, "bytes", (long)at);
  at += n;
}

static void took_line(const char *got, ssize_t n, size_t most) {
  size_t end = find_end("\n", 1);
  check(n >= 0 || at == size, "no line before the end", (long)at);
  if (n < 0)
    return;
  check((size_t)n <= most && memcmp(got, all + at, (size_t)n) == 0, "line", (long)at);
  at += (size_t)n;
  if (at == end && at < size)
    at++;
}

// ---- one operation, and the model's step without a pause between ----
#pragma fermata auto_yield off
static async void operate(fm_reader *r, int what) throws(struct os_error) {
  static char buf[20000];
  size_t n = 1 + draw(draw(10) ? 40 : sizeof buf - 2);
  size_t before = fm_reader_buffered(r);
  const char *p;
  switch (what) {
  case LINE:
    p = fm_reader_line(r);
    took_piece(p, fm_reader_length(r), "\n", 1);
    break;
  case UNTIL:
    p = fm_reader_until(r, "\r\n");
    took_piece(p, fm_reader_length(r), "\r\n", 2);
    break;
  case BYTE:
    p = fm_reader_until_byte(r, 0);
    took_piece(p, fm_reader_length(r), "", 1);
    break;
  case READ: n = fm_reader_read(r, buf, n), took_bytes(buf, n, 1, sizeof buf); break;
  case EXACTLY: {
    size_t got = fm_reader_exactly(r, buf, n);
    took_bytes(buf, got, n, n);
    break;
  }
  case PEEK:
    p = fm_reader_peek(r, n);
    check(p || at == size, "no look before the end", (long)at);
    if (p) {
      took_bytes(p, fm_reader_length(r), n, size);
      at -= fm_reader_length(r);
    }
    break;
  case SKIP:
    n = fm_reader_skip(r, n);
    check(n || at == size, "skip", (long)before);
    at += n;
    break;
  case OLD_LINE: {
    ssize_t got = fm_readline(r, buf, n + 1);
    took_line(buf, got, n < 4096 || r->heap ? n : 4096);
    break;
  }
  case REST:
    p = fm_reader_rest(r, SIZE_MAX);
    took_bytes(p, fm_reader_length(r), size - at, size - at);
    break;
  }
  taken++;
}

static async void attempt(fm_reader *r, int what) throws(struct os_error) {
  try {
    operate(r, what);
  } catch (struct os_error e) {
    check(e.code == EMSGSIZE, strerror(e.code), (long)at);
    too_long++;
    fm_reader_limit(r, SIZE_MAX);
  }
}

static async void cut_short(fm_reader *r, int what) throws(struct os_error) {
  if (draw(2)) {
    scope (s) {
      fm_cancel_after(s, draw(3));
      attempt(r, what);
    } else {
      cancelled++;
    }
    return;
  }
  race {
    case attempt(r, what): break;
    case fm_sleep(draw(2)): cancelled++; break;
  }
}

static async void read_all(fm_reader *r) throws(struct os_error) {
  bool ends = false;
  fm_reader_limit(r, draw(3) ? SIZE_MAX : draw(5000));
  while (!ends) {
    int what = (int)draw(draw(40) ? REST : OPERATIONS);
    if (draw(2))
      cut_short(r, what);
    else
      attempt(r, what);
    if (at == size) {
      check(fm_reader_line(r) == NULL, "line after the end", (long)at);
      check(fm_reader_buffered(r) == 0, "bytes after the end", (long)at);
      ends = true;
    }
  }
}

// ---- sources ----
static async void from_descriptor(int fd, int writes) throws(struct os_error) {
  fm_reader r;
  defer fm_close(fd);
  fm_reader_init(&r, fd);
  defer fm_reader_free(&r);
  scope (both) {
    if (writes >= 0)
      spawn write_parts(writes);
    read_all(&r);
  }
}

static async void from_memory(void) throws(struct os_error) {
  fm_reader r;
  fm_reader_init_memory(&r, all, size);
  defer fm_reader_free(&r);
  read_all(&r);
}

static async int make_file(void) throws(struct os_error) {
  char name[40];
  snprintf(name, sizeof name, "io-reader-%d", (int)getpid());
  int fd = fm_open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  unlink(name);
  fm_pwrite(fd, all, size, 0);
  return fd;
}

static async void one_stream(void) throws(struct os_error) {
  int fds[2];
  make_stream();
  switch (draw(4)) {
  case 0: from_memory(); break;
  case 1: from_descriptor(make_file(), -1); break;
  case 2:
    fm_pipe(fds);
    from_descriptor(fds[0], fds[1]);
    break;
  case 3:
    socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
    from_descriptor(fds[0], fds[1]);
    break;
  }
}

async int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 60;
  state = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
  try {
    int before = 0;
    for (int i = 0; i < n; i++) {
      one_stream();
      if (i == n / 2)
        before = descriptors(); // what the driver opens is open by now
    }
    check(descriptors() == before, "descriptors", descriptors() - before);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  fprintf(stderr, "%ld taken, %ld cancelled, %ld too long\n", taken, cancelled, too_long);
  check(taken > 10 * n && cancelled > n / 10 && too_long, "too little was tried", taken);
  printf("ok\n");
  return 0;
}
