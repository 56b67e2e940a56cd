// file.c: reading, writing and opening files.
//
// No event reports that a file is ready. So the kernel is first asked for what it can do without
// waiting (RWF_NOWAIT: usually everything that is in its cache); a thread for files does the rest.
// Which file systems refuse such a question (EOPNOTSUPP) is remembered, and so is one that keeps
// its files in memory: there the call never waits for a device, and is made in place. fstat(2),
// which does not wait, reports the file system each time, so that knowledge about a descriptor's
// number that is out of date does no harm.
//
// A call takes effect at once, or in the thread, or in both. Only a call that has had no effect yet
// can be cancelled; the rest of one that has begun is shielded.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

// ---- file systems ----
// The last one that was found to be so, as its number plus 1.
static _Atomic uint64_t
    refusing[2]; // RWF_NOWAIT, when reading and when writing
static _Atomic uint64_t in_memory;
static _Atomic uint64_t on_device; // known not to be in memory

static uint64_t file_system(const struct stat *s) {
  return (uint64_t)s->st_dev + 1;
}

// For a thread: fstatfs may wait.
static void learn_file_system(int fd) {
  struct stat s;
  struct statfs f;
  if (fstat(fd, &s) < 0 || !S_ISREG(s.st_mode) || fstatfs(fd, &f) < 0)
    return;
  bool memory = f.f_type == TMPFS_MAGIC || f.f_type == RAMFS_MAGIC;
  atomic_store(memory ? &in_memory : &on_device, file_system(&s));
}

// ---- in place ----
static void advance(fm__transfer *t, size_t n) {
  t->buf = (char *)t->buf + n;
  t->n -= n;
  t->done += n;
  if (t->placed)
    t->at += (off_t)n;
}

// A write beyond the limit would raise SIGXFSZ. In a thread it does not: signals are blocked there.
static bool may_signal(const fm__transfer *t) {
  struct rlimit limit;
  return t->out && (getrlimit(RLIMIT_FSIZE, &limit) < 0 ||
                    limit.rlim_cur != RLIM_INFINITY);
}

static ssize_t do_now(const fm__transfer *t) {
  off_t at = t->placed ? t->at : -1;
  return t->out ? fm__write_now(t->fd, t->buf, t->n, at)
                : fm__read_now(t->fd, t->buf, t->n, at);
}

static ssize_t do_waiting(const fm__transfer *t) {
  if (t->placed)
    return t->out ? pwrite(t->fd, t->buf, t->n, t->at)
                  : pread(t->fd, t->buf, t->n, t->at);
  return t->out ? write(t->fd, t->buf, t->n) : read(t->fd, t->buf, t->n);
}

// Whether a call that gave less than it could may give the rest. What is no file, although it was
// believed to be one, has perhaps given a message.
static bool goes_on(const fm__transfer *t) {
  struct stat s;
  return t->placed || t->out ||
         (fstat(t->fd, &s) == 0 && (S_ISREG(s.st_mode) || S_ISBLK(s.st_mode)));
}

// 0: it is done, as far as it ever will be; otherwise an errno. A call that has had an effect
// reports no error: the next one will.
static int proceed(fm__transfer *t, ssize_t (*way)(const fm__transfer *)) {
  do {
    ssize_t r = way(t);
    if (r < 0 && errno == EINTR)
      continue;
    if (r < 0)
      return t->done && errno != EAGAIN ? 0 : errno;
    if (r == 0) // other kinds than files may go on after 0 bytes
      return t->done || goes_on(t) ? 0 : EAGAIN;
    advance(t, (size_t)r);
  } while (t->n && goes_on(t));
  return 0;
}

static bool goes_in_place(const fm__transfer *t) {
  return t->placed ? t->n <= FM__IN_PLACE && t->at >= 0
                   : fm__goes_in_place(t->fd, t->n);
}

int fm__transfer_now(fm__transfer *t) {
  if (t->done && !goes_on(t))
    return 0;
  if (!goes_in_place(t) || may_signal(t))
    return EAGAIN;
  return proceed(t, do_now);
}

// A file. s: the result of fstat; err: the result of fm__transfer_now; 0: it was not called.
// Returns 0, or an errno; EAGAIN: it is for a thread.
static int transfer_known(fm__transfer *t, const struct stat *s, int err) {
  _Atomic uint64_t *refuses = &refusing[t->out];
  uint64_t system = file_system(s);
  bool regular = S_ISREG(s->st_mode);
  bool memory = regular && system == atomic_load(&in_memory);
  t->known = !regular || system == atomic_load(&on_device);
  if (!err && !memory && system == atomic_load(refuses))
    return EAGAIN;
  if (!goes_in_place(t) || may_signal(t))
    return EAGAIN;
  if (memory)
    return proceed(t, do_waiting);
  if (!err)
    err = proceed(t, do_now);
  bool refused = err == EOPNOTSUPP;
  fm__set_kind(t->fd, fm__way_of(t), refused ? FM__BY_ASKING : FM__BY_CACHE);
  if (refused && regular)
    atomic_store(refuses, system);
  return refused ? EAGAIN : err;
}

// ---- in a thread; returns what is done, or minus an errno ----
static intptr_t in_thread(void *arg) {
  fm__transfer *t = arg;
  ssize_t r;
  do
    r = do_waiting(t);
  while (r < 0 && errno == EINTR);
  int err = errno;
  if (!t->known)
    learn_file_system(t->fd);
  return r < 0 ? -(intptr_t)err : r;
}

static async intptr_t by_thread(fm__transfer *t) {
  _Atomic uint16_t *movers = fm__movers_of(t->fd);
  uint16_t one = !t->placed;
  atomic_fetch_add(movers, one);
  defer atomic_fetch_sub(movers, one);
  return fm__offload(FM__FILES, in_thread, t);
}

async ssize_t fm__transfer_file(fm__transfer *t, const struct stat *s, int err)
    throws(struct os_error) {
  intptr_t more = 0;
  if (s)
    err = transfer_known(t, s, err);
  if (err && err != EAGAIN)
    fm__fail_os(err);
  if (err && t->done) {
    shield {
      more = by_thread(t);
    }
    more = more < 0 ? 0 : more;
  } else if (err) {
    more = by_thread(t);
  }
  if (more < 0)
    fm__fail_os((int)-more);
  return (ssize_t)t->done + more;
}

// ---- at a place ----
static async ssize_t transfer_placed(fm__transfer t) throws(struct os_error) {
  LEAVE_LOST_RACE();
  bool ask = fm__kind_of(t.fd, fm__way_of(&t)) != FM__BY_ASKING;
  int err = ask ? fm__transfer_now(&t) : 0;
  struct stat s;
  if (ask && !err) {
    fm__set_kind(t.fd, fm__way_of(&t), FM__BY_CACHE);
    return (ssize_t)t.done;
  }
  if (err && err != EAGAIN && err != EOPNOTSUPP)
    fm__fail_os(err);
  if (fstat(t.fd, &s) < 0)
    fm__fail_os(errno);
  return fm__transfer_file(&t, &s, err);
}

async ssize_t fm_pread(int fd, void *buf, size_t n, off_t at)
    throws(struct os_error) {
  return transfer_placed((fm__transfer){
      .fd = fd,
      .placed = true,
      .buf = buf,
      .n = n,
      .at = at,
  });
}

async ssize_t fm_pwrite(int fd, const void *buf, size_t n, off_t at)
    throws(struct os_error) {
  return transfer_placed((fm__transfer){
      .fd = fd,
      .out = true,
      .placed = true,
      .buf = (void *)buf,
      .n = n,
      .at = at,
  });
}

// ---- opening ----
typedef struct Opening { // for a thread
  const char *path;
  int flags;
  mode_t mode;
  // it would hold the thread until its other end is opened: it is opened without waiting
  bool fifo;
} Opening;

static bool waits_for_other_end(const Opening *o) {
  struct stat s;
  return !(o->flags & O_NONBLOCK) && (o->flags & O_ACCMODE) != O_RDWR &&
         stat(o->path, &s) == 0 && S_ISFIFO(s.st_mode);
}

static intptr_t open_file(void *arg) {
  Opening *o = arg;
  o->fifo = waits_for_other_end(o);
  int fd = open(o->path, o->flags | (o->fifo ? O_NONBLOCK : 0), o->mode);
  if (fd >= 0 && o->fifo)
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return fd < 0 ? -(intptr_t)errno : fd;
}

// Devices are left to a thread: O_NONBLOCK may mean something to them when they are opened.
static bool is_no_device(int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && !S_ISCHR(s.st_mode) && !S_ISBLK(s.st_mode);
}

// Opens a file whose name the kernel has in its cache, so that no device is waited for. Returns the
// descriptor, or minus an errno; -EAGAIN: it is for a thread.
static int open_cached(const char *path, int flags) {
  struct open_how how = { .flags = (uint64_t)flags | O_NONBLOCK,
                          .resolve = RESOLVE_CACHED };
  if (flags & (O_CREAT | O_TRUNC) || (flags & O_TMPFILE) == O_TMPFILE ||
      strncmp(path, "/dev/", 5) == 0)
    return -EAGAIN;
  int fd = (int)fm__kernel(
      SYS_openat2, AT_FDCWD, (long)path, (long)&how, sizeof how, 0, 0);
  if (fd < 0)
    return errno == ENOENT ? -ENOENT : -EAGAIN;
  if (is_no_device(fd) &&
      (flags & (O_NONBLOCK | O_PATH) || fcntl(fd, F_SETFL, flags) == 0))
    return fd;
  close(fd);
  return -EAGAIN;
}

async int fm_open(const char *path, int flags, mode_t mode)
    throws(struct os_error) {
  enum { LONGEST = 32 };
  Opening o = { path, flags, mode, false };
  intptr_t fd = open_cached(path, flags);
  if (fd == -EAGAIN)
    fd = fm__offload(FM__FILES, open_file, &o);
  for (uint64_t delay = 1; fd == -ENXIO && o.fifo;
       delay = delay < LONGEST ? delay * 2 : delay) {
    fm_sleep(delay); // nothing reads it yet
    fm_checkpoint();
    fd = fm__offload(FM__FILES, open_file, &o);
  }
  if (fd < 0)
    fm__fail_os((int)-fd);
  fm__new_fd((int)fd);
  fm__set_kind((int)fd, FM__TO_READ, FM__BY_CACHE); // probably
  fm__set_kind((int)fd, FM__TO_WRITE, FM__BY_CACHE);
  return (int)fd;
}
