// writer.c: whole lines: fm_printf, and buffered writers.
//
// Both hold the output lock of the descriptor until their text has left, or is in the buffer. The
// lock holds in the whole process, first come, first served. Each activity that holds or awaits it
// has a structure in its frame, which is in a list; the first one of a descriptor holds the lock.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

// ---- output locks ----
typedef struct Hold {
  int fd;
  bool granted;            // under the lock of its row, as all of it
  fm_completion(void) * k; // NULL: nothing waits for it, or nothing any more
  fm_activity who;         // for reports
  struct Hold *next;
} Hold;

enum { ROWS = 16 };
typedef struct Row {
  pthread_mutex_t lock;
  Hold *first;
} Row;
static Row rows[ROWS] = { [0 ... ROWS - 1] = { PTHREAD_MUTEX_INITIALIZER,
                                               NULL } };

static Row *row_of(int fd) {
  return &rows[(unsigned)fd % ROWS];
}

// Joins the list. Returns whether the lock is free.
static bool enter(Hold *h) {
  Row *row = row_of(h->fd);
  bool first = true;
  h->who = fm_self();
  pthread_mutex_lock(&row->lock);
  Hold **at = &row->first;
  for (; *at; at = &(*at)->next)
    first = first && (*at)->fd != h->fd;
  *at = h;
  h->granted = first;
  pthread_mutex_unlock(&row->lock);
  return first;
}

static void grant(Hold *h) {
  h->granted = true;
  if (h->k)
    fm_complete(h->k);
}

// Also before the lock was granted.
static void leave(Hold *h) {
  Row *row = row_of(h->fd);
  pthread_mutex_lock(&row->lock);
  Hold **at = &row->first;
  while (*at != h)
    at = &(*at)->next;
  *at = h->next;
  Hold *next = row->first;
  while (next && next->fd != h->fd)
    next = next->next;
  if (next && h->granted)
    grant(next);
  pthread_mutex_unlock(&row->lock);
}

static void give_up(void *arg) {
  Hold *h = arg;
  Row *row = row_of(h->fd);
  pthread_mutex_lock(&row->lock);
  h->k = NULL;
  pthread_mutex_unlock(&row->lock);
}

static asyncdirect void await_lock(Hold *h, fm_completion(void) * k) {
  Row *row = row_of(h->fd);
  pthread_mutex_lock(&row->lock);
  h->k = k;
  if (h->granted)
    fm_complete(k);
  pthread_mutex_unlock(&row->lock);
  fm_on_cancel(k, give_up, h);
}

// Those before h in its list leave it before h has the lock.
static void check_those_before(const Hold *h) {
  Row *row = row_of(h->fd);
  pthread_mutex_lock(&row->lock);
  for (const Hold *at = row->first; at != h; at = at->next)
    if (at->fd == h->fd)
      fm__check_not_held_back(
          at->who,
          "a text waits for another one to the same descriptor, of an activity "
          "that goes on after the atomic");
  pthread_mutex_unlock(&row->lock);
}

static async void wait_turn(Hold *h) {
  check_those_before(h);
  await_lock(h);
}

// ---- text ----
typedef struct Text {
  char *at; // in `few`, or allocated
  size_t n;
  char few[200];
} Text;

// Reads all arguments: they do not live longer than a pause.
static void format(Text *t, const char *fmt, va_list ap)
    throws(struct os_error) {
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(t->few, sizeof t->few, fmt, ap);
  int err = n < 0 ? errno : 0;
  t->at = t->few;
  t->n = n < 0 ? 0 : (size_t)n;
  if (t->n >= sizeof t->few) {
    t->at = fm__alloc(t->n + 1);
    err = t->at ? 0 : ENOMEM;
    if (t->at)
      vsnprintf(t->at, t->n + 1, fmt, again);
  }
  va_end(again);
  if (err)
    fm__fail_os(err);
}

static void free_text(Text *t) {
  if (t->at != t->few)
    fm__free(t->at);
}

// ---- fm_printf ----
// A text that has begun is written to its end.
static async void write_whole(int fd, const Text *text)
    throws(struct os_error) {
  Hold h = { .fd = fd };
  size_t done;
  if (!text->n)
    return;
  bool at_once = enter(&h);
  defer leave(&h);
  if (!at_once)
    wait_turn(&h);
  done = (size_t)fm_write(fd, text->at, text->n);
  if (done < text->n)
    shield {
      fm_write_all(fd, text->at + done, text->n - done);
    }
}

async int fm_printf(int fd, const char *fmt, ...) throws(struct os_error) {
  Text text;
  va_list ap;
  va_start(ap, fmt);
  defer free_text(&text);
  text.at = text.few;
  format(&text, fmt, ap);
  va_end(ap);
  write_whole(fd, &text);
  return (int)text.n;
}

async int fm_vprintf(int fd, const char *fmt, va_list ap)
    throws(struct os_error) {
  Text text;
  defer free_text(&text);
  text.at = text.few;
  format(&text, fmt, ap);
  write_whole(fd, &text);
  return (int)text.n;
}

// ---- writers ----
enum {
  FIRST = sizeof((fm_writer *)0)->first,
  LARGE = 64 * 1024, // the buffer of a writer that has filled the first one
};

static char *bytes(fm_writer *w) {
  return w->heap ? w->heap : w->first;
}

static size_t room(const fm_writer *w) {
  return w->heap ? w->heap_size : FIRST;
}

void fm_writer_init(fm_writer *w, int fd) {
  w->fd = fd;
  w->at = w->end = w->heap_size = 0;
  w->heap = NULL;
  w->failed = 0;
}

size_t fm_writer_buffered(const fm_writer *w) {
  return w->end - w->at;
}

// Writes what is in the buffer; what is written leaves it at once.
static async void drain(fm_writer *w) throws(struct os_error) {
  try {
    while (w->at < w->end)
      w->at += (size_t)fm_write(w->fd, bytes(w) + w->at, w->end - w->at);
  } catch (struct os_error e) {
    w->failed = e.code;
    throw e;
  }
  w->at = w->end = 0;
  w->failed = 0;
}

// false: there is no memory, and nothing has changed.
static bool grow(fm_writer *w, size_t size) {
  size_t have = w->end - w->at;
  char *heap = fm__alloc(size);
  if (!heap)
    return false;
  memcpy(heap, bytes(w) + w->at, have);
  fm__free(w->heap);
  w->heap = heap;
  w->heap_size = size;
  w->at = 0;
  w->end = have;
  return true;
}

// The buffer is drained first if it has no room: until then nothing of the text is in it.
static async void append(fm_writer *w, const void *buf, size_t n)
    throws(struct os_error) {
  Hold h = { .fd = w->fd };
  bool at_once = enter(&h);
  defer leave(&h);
  if (!at_once)
    wait_turn(&h);
  if (n > room(w) - w->end) {
    drain(w);
    if (room(w) < LARGE)
      grow(w, LARGE); // or it stays as it is
    if (n > room(w) && !grow(w, n))
      fm__fail_os(ENOMEM);
  }
  memcpy(bytes(w) + w->end, buf, n);
  w->end += n;
}

async void fm_writer_write(fm_writer *w, const void *buf, size_t n)
    throws(struct os_error) {
  if (n)
    append(w, buf, n);
}

async int fm_writer_printf(fm_writer *w, const char *fmt, ...)
    throws(struct os_error) {
  Text text;
  va_list ap;
  va_start(ap, fmt);
  defer free_text(&text);
  text.at = text.few;
  format(&text, fmt, ap);
  va_end(ap);
  fm_writer_write(w, text.at, text.n);
  return (int)text.n;
}

async void fm_writer_flush(fm_writer *w) throws(struct os_error) {
  Hold h = { .fd = w->fd };
  bool at_once = enter(&h);
  defer leave(&h);
  if (!at_once)
    wait_turn(&h);
  drain(w);
}

static bool is_file(int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && S_ISREG(s.st_mode);
}

static void release(fm_writer *w) {
  fm__free(w->heap);
  w->heap = NULL;
  w->heap_size = w->at = w->end = 0;
}

async size_t fm_writer_free(fm_writer *w) throws(struct os_error) {
  defer release(w);
  if (w->at == w->end || w->failed)
    return w->end - w->at;
  if (!fm__cancel_pends() || is_file(w->fd)) {
    fm_writer_flush(w);
    return 0;
  }
  scope(without_waiting) {
    fm_cancel(without_waiting);
    fm_writer_flush(w);
  }
  return w->end - w->at;
}
