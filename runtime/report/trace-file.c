// trace-file.c: the file of a trace, and how domains write into it.
//
//     FERMATA_TRACE=FILE, or fm_trace_start(FILE); %p in it becomes the number of the process
//
// The file is an array in JSON. Each domain maps a piece of it, filled with spaces, and puts whole
// records there, each followed by a comma. When a piece is full, the domain takes the next one from
// the end of the file. So domains share nothing but the end of the file, no record is torn, and
// memory is bounded. However the process ends, by abort or by kill, the records are in the file:
// nothing has to be flushed. Viewers of traces do not insist on the closing bracket. fm_trace_stop
// and exit write it, after a last record without a comma: then any reader of JSON takes the file.
//
// A piece is written before it is mapped, so a full disk is an error here and no signal. The file
// is locked, because a program that this one starts may have the same FERMATA_TRACE. After fork,
// the child does not write into a piece of its parent's: it goes on in a file of its own, if that
// has another name, once it has something to record.
#define _GNU_SOURCE
#include "fm.h"
#include <fermata/trace.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 256 << 10 };

_Atomic unsigned fm__trace_now;

static struct {
  pthread_mutex_t lock;
  fm__runtime *domains; // all of them
  unsigned last;        // number of the last trace
  int fd;               // -1: it is still to be opened
  dev_t device;         // which file it is
  ino_t inode;
  off_t end;           // of the pieces
  const char *newest;  // the last piece, where its domain has mapped it
  bool asked;          // FERMATA_TRACE has been read
  bool prepared;       // handlers of exit and fork are set
  char path[PATH_MAX]; // as it was given
} file = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

// ---- the file; the lock is held ----
// Replaces %p. false: the path is too long.
static bool expand(char *to, size_t room, const char *path) {
  char *end = to + room;
  for (; *path && to < end; path++)
    if (path[0] == '%' && path[1] == 'p') {
      to += snprintf(to, (size_t)(end - to), "%ld", (long)getpid());
      path++;
    } else {
      *to++ = *path;
    }
  if (to >= end)
    return false;
  *to = '\0';
  return true;
}

static bool close_with(int err) {
  close(file.fd);
  file.fd = -1;
  errno = err;
  return false;
}

static bool open_file(void) {
  char path[PATH_MAX];
  struct stat s;
  errno = ENAMETOOLONG;
  if (!expand(path, sizeof path, file.path) ||
      (file.fd = fm__above_standard(
           open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666))) < 0)
    return false;
  // ftruncate fails for a file that is not regular.
  if (fstat(file.fd, &s) != 0 || flock(file.fd, LOCK_EX | LOCK_NB) != 0 ||
      ftruncate(file.fd, 0) != 0)
    return close_with(errno);
  file.device = s.st_dev;
  file.inode = s.st_ino;
  file.end = 0;
  file.newest = NULL;
  return true;
}

// The program may have closed the descriptor together with all that it does not know, and opened
// another one.
static bool is_ours(void) {
  struct stat s;
  errno = EBADF;
  return fstat(file.fd, &s) == 0 && s.st_dev == file.device &&
         s.st_ino == file.inode;
}

// Written, not only reserved: pages that are in the kernel's memory already are mapped in a quarter
// of the time.
static bool add_spaces(void) {
  char spaces[4096];
  memset(spaces, ' ', sizeof spaces);
  errno = ENOSPC;
  for (off_t at = 0; at < PIECE; at += (off_t)sizeof spaces)
    if (pwrite(file.fd, spaces, sizeof spaces, file.end + at) !=
        (ssize_t)sizeof spaces)
      return false;
  return true;
}

static char *map_piece(void) {
  if ((file.fd < 0 && !open_file()) || !is_ours())
    return NULL;
  if (!add_spaces())
    return NULL;
  char *p =
      mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, file.end);
  if (p == MAP_FAILED)
    return NULL;
  if (file.end == 0)
    memcpy(p, "[\n", 2);
  file.end += PIECE;
  file.newest = p;
  return p;
}

// ---- on and off; the lock is held ----
static void set_bits(fm__runtime *d) {
  atomic_fetch_or(&d->attention, FM__TRACE);
  atomic_fetch_or(&d->asleep, FM__TRACED);
}

static void turn_on(void) {
  atomic_store(&fm__trace_now, ++file.last);
  for (fm__runtime *d = file.domains; d; d = d->next_traced)
    set_bits(d);
}

static void turn_off(void) {
  atomic_store(&fm__trace_now, 0);
  for (fm__runtime *d = file.domains; d; d = d->next_traced) {
    atomic_fetch_and(&d->attention, ~(unsigned)FM__TRACE);
    atomic_fetch_and(&d->asleep, ~FM__TRACED);
  }
}

// After the last record, if its place is known: the domain that ends the trace may have the newest
// piece.
static off_t cut(const fm__trace_piece *mine) {
  if (!mine || !mine->at || mine->start != file.newest)
    return file.end;
  file.end -= mine->end - mine->at;
  return ftruncate(file.fd, file.end) == 0 ? file.end
                                           : file.end + (mine->end - mine->at);
}

static void finish(const fm__trace_piece *mine) {
  char last[160];
  int n = snprintf(last,
                   sizeof last,
                   "%s{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"ts\":0.000,\"name\":"
                   "\"fermata\",\"args\":"
                   "{\"version\":\"%s\"}}\n]\n",
                   file.end ? "" : "[\n",
                   fm_version());
  turn_off();
  if (file.fd < 0)
    return;
  off_t end = cut(mine);
  if (is_ours() && pwrite(file.fd, last, (size_t)n, end) == n)
    close(file.fd);
  file.fd = -1;
}

// The trace cannot go on. Reported once, because it is over then.
static void give_up(void) {
  fprintf(stderr,
          "fermata: the trace %s ends here: %s\n",
          file.path,
          strerror(errno));
  turn_off();
  if (file.fd >= 0 && is_ours())
    close(file.fd);
  file.fd = -1;
}

// ---- fork ----
static void before_fork(void) {
  pthread_mutex_lock(&file.lock);
}

static void in_parent(void) {
  pthread_mutex_unlock(&file.lock);
}

// Of all threads only this one is left.
static void in_child(void) {
  fm__runtime *d = fm__runtime_here();
  bool on = fm__tracing() && strstr(file.path, "%p");
  if (file.fd >= 0)
    close(file.fd);
  file.fd = -1;
  file.domains = d;
  if (d)
    d->next_traced = d->prev_traced = NULL;
  if (on)
    turn_on();
  else
    turn_off();
  pthread_mutex_unlock(&file.lock);
}

static void prepare(void) {
  if (file.prepared)
    return;
  file.prepared = true;
  atexit(fm_trace_stop);
  pthread_atfork(before_fork, in_parent, in_child);
}

// ---- what domains do ----
void fm__trace_close(fm__trace_piece *c) {
  if (c->start)
    munmap(c->start, PIECE);
  c->start = c->at = c->end = NULL;
}

static void next_piece(fm__trace_piece *c) {
  fm__trace_close(c);
  pthread_mutex_lock(&file.lock);
  if (fm__trace_now == c->trace) {
    if ((c->start = map_piece())) {
      c->at = c->start + (file.end == PIECE ? 2 : 0); // after the bracket
      c->end = c->start + PIECE;
    } else {
      give_up();
    }
  }
  pthread_mutex_unlock(&file.lock);
}

void fm__trace_write(fm__trace_piece *c, const char *text, size_t n) {
  if (fm__unlikely((size_t)(c->end - c->at) < n)) {
    int err = errno;
    next_piece(c);
    errno = err;
  }
  if (!c->at)
    return;
  memcpy(c->at, text, n);
  c->at += n;
}

// ---- FERMATA_TRACE ----
static bool start(const char *path) {
  if (strlen(path) >= sizeof file.path) {
    errno = ENAMETOOLONG;
    return false;
  }
  strcpy(file.path, path);
  if (!open_file())
    return false;
  prepare();
  turn_on();
  return true;
}

// A program that a traced one has started has its environment too, and goes on without a trace.
static const char *read_environment(void) {
  const char *path = fm__setting("FERMATA_TRACE");
  if (file.asked || fm__tracing() || !path)
    return NULL;
  file.asked = true;
  return start(path) ? NULL : path;
}

void fm__trace_domain(fm__runtime *d) {
  pthread_mutex_lock(&file.lock);
  const char *failed = read_environment();
  int err = errno;
  file.asked = true;
  if ((d->next_traced = file.domains))
    d->next_traced->prev_traced = d;
  file.domains = d;
  if (fm__tracing())
    set_bits(d);
  pthread_mutex_unlock(&file.lock);
  if (!failed)
    return;
  const char *why =
      err == EWOULDBLOCK
          ? "another process writes it (%p in the name is the process's number)"
          : strerror(err);
  fprintf(stderr, "fermata: FERMATA_TRACE=%s: %s\n", failed, why);
  if (err != EWOULDBLOCK)
    exit(1);
}

void fm__trace_domain_end(fm__runtime *d) {
  fm__tracer_free(d);
  pthread_mutex_lock(&file.lock);
  *(d->prev_traced ? &d->prev_traced->next_traced : &file.domains) =
      d->next_traced;
  if (d->next_traced)
    d->next_traced->prev_traced = d->prev_traced;
  pthread_mutex_unlock(&file.lock);
}

// ---- what programs call ----
bool fm_trace_start(const char *path) {
  pthread_mutex_lock(&file.lock);
  bool ok = false;
  errno = EBUSY;
  if (!fm__tracing())
    ok = start(path);
  pthread_mutex_unlock(&file.lock);
  return ok;
}

void fm_trace_stop(void) {
  fm__runtime *d = fm__runtime_here();
  fm__trace_piece *mine = fm__tracing() && d ? fm__trace_stops(d) : NULL;
  pthread_mutex_lock(&file.lock);
  if (fm__tracing())
    finish(mine);
  pthread_mutex_unlock(&file.lock);
}
