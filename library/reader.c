// reader.c: lines, pieces up to a delimiter, counted bytes and the rest, all from one buffer.
//
// Bytes come into the buffer by one way, `fill`, and leave it by `take`, which does not wait. So a
// call that is cancelled, loses a race or throws has taken nothing: the next call of any kind
// begins with the same byte.
//
//     bytes:  | given away | at … end: not taken yet | room for more | one byte for a '\0'
//
// The buffer is the one in the structure, until a piece does not fit, or a read fills it whole.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <string.h>

enum {
  FIRST = sizeof((fm_reader *)0)->first - 1,
  LARGE =
      64 *
      1024, // the buffer of a stream that has more than FIRST bytes at a time
};

static char *bytes(fm_reader *r) {
  return r->heap ? r->heap : r->first;
}

static size_t room(const fm_reader *r) {
  return r->heap ? r->heap_size : FIRST;
}

size_t fm_reader_buffered(const fm_reader *r) {
  return r->end - r->at;
}

size_t fm_reader_length(const fm_reader *r) {
  return r->length;
}

void fm_reader_limit(fm_reader *r, size_t most) {
  r->limit = most;
}

void fm_reader_init(fm_reader *r, int fd) {
  r->fd = fd;
  r->at = r->end = r->length = 0;
  r->limit = 1 << 20;
  r->heap = NULL;
  r->heap_size = 0;
  r->memory = NULL;
  r->memory_left = 0;
  r->busy = r->plenty = false;
}

void fm_reader_init_memory(fm_reader *r, const void *buf, size_t n) {
  fm_reader_init(r, -1);
  r->memory = buf ? buf : "";
  r->memory_left = buf ? n : 0;
}

void fm_lines_init(fm_lines *l, int fd) {
  fm_reader_init(l, fd);
}

void fm_reader_free(fm_reader *r) {
  fm__free(r->heap);
  r->heap = NULL;
  r->heap_size = r->at = r->end = r->length = 0;
}

// ---- room ----
static void move_to_front(fm_reader *r) {
  memmove(bytes(r), bytes(r) + r->at, r->end - r->at);
  r->end -= r->at;
  r->at = 0;
}

// false: there is no memory, and nothing has changed.
static bool grow(fm_reader *r, size_t size) {
  size_t have = r->end - r->at;
  char *heap = size < SIZE_MAX ? fm__alloc(size + 1) : NULL;
  if (!heap)
    return false;
  memcpy(heap, bytes(r) + r->at, have);
  fm__free(r->heap);
  r->heap = heap;
  r->heap_size = size;
  r->at = 0;
  r->end = have;
  return true;
}

// Each byte is moved a bounded number of times: at most as many bytes move as were given away since
// the last time, or the buffer doubles.
static void make_room(fm_reader *r, bool may_grow) throws(struct os_error) {
  size_t have = r->end - r->at;
  if (may_grow && r->plenty && room(r) < LARGE)
    grow(r, LARGE);
  if (r->at && (r->at >= have || r->end == room(r)))
    move_to_front(r);
  if (r->end == room(r) && may_grow && !grow(r, room(r) * 2))
    fm__fail_os(ENOMEM);
}

// ---- more bytes ----
static size_t read_memory(fm_reader *r, void *buf, size_t n) {
  size_t now = n < r->memory_left ? n : r->memory_left;
  memcpy(buf, r->memory, now);
  r->memory += now;
  r->memory_left -= now;
  return now;
}

static async size_t read_some(fm_reader *r, void *buf, size_t n)
    throws(struct os_error) {
  if (r->memory)
    return read_memory(r, buf, n);
  if (r->busy)
    fm__fail_os(EBUSY);
  r->busy = true;
  defer r->busy = false;
  return (size_t)fm_read(r->fd, buf, n);
}

// Reads more; false: that was the end. Nothing pauses between the read and the new `end`.
static async bool fill(fm_reader *r, bool may_grow) throws(struct os_error) {
  if (r->busy) // the buffer must stay where it is
    fm__fail_os(EBUSY);
  make_room(r, may_grow);
  size_t space = room(r) - r->end;
  size_t more = read_some(r, bytes(r) + r->end, space);
  r->end += more;
  r->plenty = more == space;
  return more > 0;
}

// Until there are n bytes, or the end.
static async void fill_to(fm_reader *r, size_t n) throws(struct os_error) {
  while (r->end - r->at < n && fill(r, true)) {
  }
}

// ---- pieces ----
// The first n bytes, as a string, and as many more that are dropped.
static char *take(fm_reader *r, size_t n, size_t dropped) {
  char *from = bytes(r) + r->at;
  r->length = n;
  r->at += n + dropped;
  from[n] =
      '\0'; // the first byte of the delimiter, or the byte after the buffer's end
  return from;
}

static const char *
find(const char *from, size_t have, const char *delimiter, size_t n) {
  return n == 1 ? memchr(from, *delimiter, have)
                : memmem(from, have, delimiter, n);
}

// `seen`: so many bytes hold no beginning of the delimiter.
static async char *take_until(fm_reader *r, const char *delimiter, size_t n)
    throws(struct os_error) {
  for (size_t seen = 0;;) {
    size_t have = r->end - r->at;
    const char *from = bytes(r) + r->at;
    const char *end = find(from + seen, have - seen, delimiter, n);
    size_t length = end ? (size_t)(end - from) : have;
    seen = end ? length : have < n ? 0 : have - n + 1;
    if (seen > r->limit)
      fm__fail_os(EMSGSIZE);
    if (end)
      return take(r, length, n);
    if (!fill(r, true))
      break;
  }
  size_t last = r->end - r->at;
  if (last > r->limit)
    fm__fail_os(EMSGSIZE);
  return last ? take(r, last, 0) : NULL;
}

async char *fm_reader_line(fm_reader *r) throws(struct os_error) {
  return take_until(r, "\n", 1);
}

async char *fm_reader_until(fm_reader *r, const char *delimiter)
    throws(struct os_error) {
  if (!*delimiter)
    fm__fail_os(EINVAL);
  return take_until(r, delimiter, strlen(delimiter));
}

async char *fm_reader_until_byte(fm_reader *r, int byte)
    throws(struct os_error) {
  char delimiter = (char)byte;
  return take_until(r, &delimiter, 1);
}

async char *fm_reader_rest(fm_reader *r, size_t most) throws(struct os_error) {
  do
    if (r->end - r->at > most)
      fm__fail_os(EMSGSIZE);
  while (fill(r, true));
  return take(r, r->end - r->at, 0);
}

async const char *fm_reader_peek(fm_reader *r, size_t n)
    throws(struct os_error) {
  fill_to(r, n);
  r->length = r->end - r->at;
  return r->length ? bytes(r) + r->at : NULL;
}

// ---- counted bytes ----
static size_t copy_out(fm_reader *r, void *buf, size_t n) {
  size_t have = r->end - r->at;
  size_t now = n < have ? n : have;
  if (now && buf)
    memcpy(buf, bytes(r) + r->at, now);
  r->at += now;
  return now;
}

async size_t fm_reader_read(fm_reader *r, void *buf, size_t n)
    throws(struct os_error) {
  if (r->at == r->end && n >= room(r))
    return read_some(r, buf, n); // past the buffer
  if (n)
    fill_to(r, 1);
  return copy_out(r, buf, n);
}

async size_t fm_reader_exactly(fm_reader *r, void *buf, size_t n)
    throws(struct os_error) {
  fill_to(r, n);
  return copy_out(r, buf, n);
}

async size_t fm_reader_skip(fm_reader *r, size_t n) throws(struct os_error) {
  if (n)
    fill_to(r, 1);
  return copy_out(r, NULL, n);
}

// ---- lines into the caller's memory ----
// The first n bytes, and one more if the end of the line stands there.
static ssize_t take_line(fm_reader *r, char *line, size_t n, bool ends) {
  memcpy(line, bytes(r) + r->at, n);
  line[n] = '\0';
  r->at += n + ends;
  return (ssize_t)n;
}

async ssize_t fm_readline(fm_lines *l, char *line, size_t n)
    throws(struct os_error) {
  size_t most = n - 1 < room(l) ? n - 1 : room(l);
  for (;;) {
    size_t have = l->end - l->at;
    const char *from = bytes(l) + l->at;
    const char *end = memchr(from, '\n', have);
    size_t length = end ? (size_t)(end - from) : have;
    if (length > most || (length == most && !end))
      return take_line(l, line, most, false);
    if (end)
      return take_line(l, line, length, true);
    if (!fill(l, false))
      return have ? take_line(l, line, have, false) : -1;
  }
}
