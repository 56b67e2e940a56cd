// trace-file.c: the file of a trace, and how domains write into it.
//
//     FERMATA_TRACE=FILE, or fm_trace_start(FILE); %p in it becomes the number of the process
//
// Each domain maps a piece of the file, and puts whole records there. When a piece is full, the
// domain takes the next one from the end of the file. So domains share nothing but the end of the
// file, no record is torn, and memory is bounded. However the process ends, by abort or by kill,
// the records are in the file: nothing has to be flushed.
//
// FILE.json is an array in JSON. Pieces are filled with spaces, each record is followed by a comma.
// Viewers of traces do not insist on the closing bracket. fm_trace_stop and exit write it, after a
// last record without a comma: then any reader of JSON takes the file. Any other name gets the
// compact form (trace-format.h): the file has a head, pieces are filled with zeros.
//
// FERMATA_TRACE_KEEP=64M, 10s or both: a ring. The domain that needs a piece takes the oldest one
// that no domain writes, if the file has that size already, or if the piece is that old.
//
// A piece is written before it is mapped, so a full disk is an error here and no signal. The file
// is locked, because a program that this one starts may have the same FERMATA_TRACE. After fork,
// the child does not write into a piece of its parent's: it goes on in a file of its own, if that
// has another name, once it has something to record.
#define _GNU_SOURCE
#include "report/trace.h"
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
#include <time.h>
#include <unistd.h>

enum { PIECE = FM__TRACE_PIECE, MOST_KEPT = 256 << 20 };

_Atomic unsigned fm__trace_now;

struct slot { // a piece of the file
  bool used;  // a domain writes it
  uint64_t sequence;
  uint64_t full; // when it was full
};

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
  bool json;
  uint64_t sequence; // of the last piece
  // ---- a ring; 0 and 0: none ----
  uint64_t keep_bytes, keep_time; // at least so many nanoseconds of events
  struct slot *slots;             // by piece of the file
  size_t room;                    // how many are allocated
  uint64_t lost;
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

// ---- the head of the compact form ----
static size_t read_words(char *to, size_t room) {
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read(fd, to, room);
  if (fd >= 0)
    close(fd);
  return n > 0 ? (size_t)n : 0;
}

static bool write_head(void) {
  struct {
    fm__trace_head h;
    char words[4096 - sizeof(fm__trace_head)];
  } all = { .h = {
                .magic = FM__TRACE_MAGIC,
                .order = FM__TRACE_ORDER,
                .version = FM__TRACE_VERSION,
                .head = FM__TRACE_HEAD,
                .piece = PIECE,
                .process = (uint64_t)getpid(),
                .begun = fm__clock(),
            } };
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  all.h.calendar = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  all.h.words_size = (uint32_t)read_words(all.words, sizeof all.words);
  all.h.flags = fm__trace_is_ring() ? FM__TRACE_RING : 0;
#ifdef FM_ATOMICITY
  all.h.flags |= FM__TRACE_ATOMICITY;
#endif
  file.end = FM__TRACE_HEAD;
  errno = ENOSPC;
  return pwrite(file.fd, &all, sizeof all, 0) == (ssize_t)sizeof all &&
         ftruncate(file.fd, file.end) == 0;
}

static void change_head(size_t at, const void *value, size_t n) {
  if (pwrite(file.fd, value, n, (off_t)at) != (ssize_t)n)
    return; // the disk is full, which the next piece will find
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
  file.sequence = file.lost = 0;
  if (file.room)
    memset(file.slots, 0, file.room * sizeof *file.slots);
  if (!file.json && !write_head())
    return close_with(errno);
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
static bool add_space(void) {
  char spaces[4096];
  memset(spaces, file.json ? ' ' : 0, sizeof spaces);
  errno = ENOSPC;
  for (off_t at = 0; at < PIECE; at += (off_t)sizeof spaces)
    if (pwrite(file.fd, spaces, sizeof spaces, file.end + at) !=
        (ssize_t)sizeof spaces)
      return false;
  return true;
}

static char *map_at(off_t at) {
  char *p = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, at);
  return p == MAP_FAILED ? NULL : p;
}

static char *add_piece(void) {
  char *p = add_space() ? map_at(file.end) : NULL;
  if (!p)
    return NULL;
  if (file.end == 0)
    memcpy(p, "[\n", 2);
  file.end += PIECE;
  file.newest = p;
  return p;
}

// ---- a ring ----
static size_t pieces(void) {
  return (size_t)(file.end - FM__TRACE_HEAD) / PIECE;
}

static struct slot *oldest(void) {
  struct slot *old = NULL;
  for (size_t i = 0; i < pieces(); i++)
    if (!file.slots[i].used && (!old || file.slots[i].sequence < old->sequence))
      old = &file.slots[i];
  return old;
}

static bool is_over(const struct slot *old) {
  uint64_t bytes = (uint64_t)file.end + PIECE;
  return (file.keep_bytes && bytes > file.keep_bytes) ||
         (file.keep_time && fm__clock() - old->full > file.keep_time);
}

static uint64_t cells_in(const char *p) {
  const fm__trace_cell *c = (const void *)p;
  const uint64_t most = PIECE / sizeof *c;
  uint64_t n = sizeof(fm__piece_head) / sizeof *c;
  const uint64_t first = n;
  while (n < most && (c[n].head || c[n].body))
    n++;
  return n - first;
}

static bool more_slots(void) {
  size_t room = file.room ? 2 * file.room : 64;
  struct slot *s = fm__realloc(file.slots, room * sizeof *s);
  if (!s)
    return false;
  memset(s + file.room, 0, (room - file.room) * sizeof *s);
  file.slots = s;
  file.room = room;
  return true;
}

// Readers may look at any time: the head of a piece is void until its cells are.
static char *piece_again(struct slot *old) {
  size_t i = (size_t)(old - file.slots);
  char *p = map_at((off_t)(FM__TRACE_HEAD + i * PIECE));
  if (!p)
    return NULL;
  __atomic_store_n((uint32_t *)(void *)p, 0, __ATOMIC_SEQ_CST);
  file.lost += cells_in(p);
  memset(p, 0, PIECE);
  file.newest = NULL; // which is not at the end of the file
  change_head(offsetof(fm__trace_head, lost), &file.lost, sizeof file.lost);
  return p;
}

static char *ring_piece(fm__trace_piece *c) {
  struct slot *old = oldest();
  char *p;
  if (old && is_over(old)) {
    p = piece_again(old);
  } else {
    if (pieces() >= file.room && !more_slots())
      return NULL;
    old = &file.slots[pieces()];
    p = add_piece();
  }
  if (!p)
    return NULL;
  *old = (struct slot){ .used = true, .sequence = file.sequence + 1 };
  c->slot = (size_t)(old - file.slots) + 1;
  return p;
}

bool fm__trace_is_ring(void) {
  return !file.json && (file.keep_bytes || file.keep_time);
}

bool fm__trace_is_json(void) {
  return file.json;
}

static char *map_piece(fm__trace_piece *c) {
  if ((file.fd < 0 && !open_file()) || !is_ours())
    return NULL;
  char *p = fm__trace_is_ring() ? ring_piece(c) : add_piece();
  if (p)
    file.sequence++;
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

static void finish_json(const fm__trace_piece *mine) {
  char last[160];
  int n = snprintf(last,
                   sizeof last,
                   "%s{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"ts\":0.000,\"name\":"
                   "\"fermata\",\"args\":"
                   "{\"version\":\"%s\"}}\n]\n",
                   file.end ? "" : "[\n",
                   fm_version());
  off_t end = cut(mine);
  if (pwrite(file.fd, last, (size_t)n, end) != n)
    return; // viewers do not insist on it
}

static void finish_cells(const fm__trace_piece *mine) {
  uint32_t flags = FM__TRACE_CLOSED;
  off_t at = offsetof(fm__trace_head, flags);
  uint32_t were = 0;
  cut(mine);
  if (pread(file.fd, &were, sizeof were, at) == (ssize_t)sizeof were) {
    flags |= were;
    change_head((size_t)at, &flags, sizeof flags);
  }
}

static void finish(const fm__trace_piece *mine) {
  turn_off();
  if (file.fd < 0)
    return;
  if (is_ours()) {
    if (file.json)
      finish_json(mine);
    else
      finish_cells(mine);
    close(file.fd);
  }
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
static void unmap(fm__trace_piece *c) {
  if (c->start)
    munmap(c->start, PIECE);
  c->start = c->at = c->end = NULL;
}

// Others may take c's piece of the ring when it is old.
static void give_back(fm__trace_piece *c) {
  if (c->slot && c->slot <= file.room)
    file.slots[c->slot - 1] = (struct slot){
      .sequence = file.slots[c->slot - 1].sequence,
      .full = fm__clock(),
    };
  c->slot = 0;
}

void fm__trace_leave(fm__trace_piece *c) {
  unmap(c);
  if (!c->slot)
    return;
  pthread_mutex_lock(&file.lock);
  if (fm__trace_now == c->trace)
    give_back(c);
  pthread_mutex_unlock(&file.lock);
}

uint64_t fm__trace_next(fm__trace_piece *c) {
  int err = errno;
  unmap(c);
  pthread_mutex_lock(&file.lock);
  uint64_t sequence = 0;
  if (fm__trace_now == c->trace) {
    give_back(c);
    if ((c->start = map_piece(c))) {
      sequence = file.sequence;
      c->at =
          c->start + (file.json && sequence == 1 ? 2 : 0); // after the bracket
      c->end = c->start + PIECE;
    } else {
      give_up();
    }
  }
  pthread_mutex_unlock(&file.lock);
  errno = err;
  return sequence;
}

void fm__trace_write(fm__trace_piece *c, const char *text, size_t n) {
  if (fm__unlikely((size_t)(c->end - c->at) < n))
    fm__trace_next(c);
  if (!c->at)
    return;
  memcpy(c->at, text, n);
  c->at += n;
}

// ---- FERMATA_TRACE, FERMATA_TRACE_KEEP ----
static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text);
  size_t m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

// "10s", "64M", or both with a comma.
static bool read_keep(const char *text) {
  for (;; text++) {
    char *unit;
    if (*text < '0' || *text > '9')
      return false;
    uint64_t n = strtoull(text, &unit, 10);
    unsigned shift = *unit == 'G'   ? 30
                     : *unit == 'M' ? 20
                     : *unit == 'K' ? 10
                                    : 0;
    if (!n || n > UINT32_MAX || (!shift && *unit != 's'))
      return false;
    *(shift ? &file.keep_bytes : &file.keep_time) =
        shift ? n << shift : n * 1000000000u;
    text = unit + 1;
    if (*text != ',')
      return !*text;
  }
}

static void read_ring(const char *path) {
  const char *keep = fm__setting("FERMATA_TRACE_KEEP");
  if (!keep)
    return;
  if (!read_keep(keep))
    fm__bad_setting("FERMATA_TRACE_KEEP",
                    keep,
                    "seconds or bytes: 10s, 64M or 10s,64M");
  if (path && ends_with(path, ".json"))
    fm__bad_setting(
        "FERMATA_TRACE",
        path,
        "with FERMATA_TRACE_KEEP a name that does not end in .json");
  if (!file.keep_bytes)
    file.keep_bytes = MOST_KEPT;
}

static bool start(const char *path) {
  if (strlen(path) >= sizeof file.path) {
    errno = ENAMETOOLONG;
    return false;
  }
  strcpy(file.path, path);
  file.json = ends_with(path, ".json");
  if (!open_file())
    return false;
  prepare();
  turn_on();
  return true;
}

// A program that a traced one has started has its environment too, and goes on without a trace.
static const char *read_environment(void) {
  const char *path = fm__setting("FERMATA_TRACE");
  if (!file.asked)
    read_ring(path);
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

// The file is not locked meanwhile: a copy that is taken while domains write is a trace, too.
static bool copy(int from, int to) {
  char bytes[1 << 14];
  ssize_t n;
  for (off_t at = 0; (n = pread(from, bytes, sizeof bytes, at)) > 0; at += n)
    if (pwrite(to, bytes, (size_t)n, at) != n) {
      errno = ENOSPC;
      return false;
    }
  return n == 0;
}

bool fm_trace_save(const char *path) {
  char expanded[PATH_MAX];
  int from = -1;
  errno = ENAMETOOLONG;
  if (!expand(expanded, sizeof expanded, path))
    return false;
  pthread_mutex_lock(&file.lock);
  errno = ENOENT;
  if (fm__tracing() && file.fd >= 0 && is_ours())
    from = fcntl(file.fd, F_DUPFD_CLOEXEC, 3);
  pthread_mutex_unlock(&file.lock);
  if (from < 0)
    return false;
  int to = open(expanded, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool ok = to >= 0 && copy(from, to);
  int err = errno;
  close(from);
  if (to >= 0 && close(to) != 0 && ok)
    return false;
  errno = err;
  return ok;
}
