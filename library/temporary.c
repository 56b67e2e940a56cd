// temporary.c: temporary files and directories, and the removal of whole trees. Threads for files
// do all of it.
#define _GNU_SOURCE
#include "library.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The result of fn, which returns minus an errno; a new descriptor if it makes one.
static async intptr_t in_thread(intptr_t (*fn)(void *), void *arg)
    throws(struct os_error) {
  intptr_t got = fm__offload(FM__FILES, fn, arg);
  if (got < 0)
    fm__fail_os((int)-got);
  return got;
}

// ---- files without a name ----
static const char *usual_directory(void) {
  const char *d = secure_getenv("TMPDIR");
  return d && *d ? d : "/tmp";
}

// Where the file system knows no O_TMPFILE, the file has a name for a moment.
static intptr_t make_named(const char *directory) {
  static const char name[] = "/fermata-XXXXXX";
  size_t n = strlen(directory);
  char *path = fm__alloc(n + sizeof name);
  if (!path)
    return -ENOMEM;
  memcpy(path, directory, n);
  memcpy(path + n, name, sizeof name);
  int fd = mkostemp(path, O_CLOEXEC);
  intptr_t result = fd < 0 ? -errno : fd;
  if (fd >= 0)
    unlink(path);
  fm__free(path);
  return result;
}

static intptr_t make_unnamed(void *arg) {
  const char *directory = arg;
  int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (fd >= 0)
    return fd;
  if (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)
    return make_named(directory);
  return -errno;
}

async int fm_temp_file(const char *directory) throws(struct os_error) {
  const char *where = directory ? directory : usual_directory();
  return fm__new_fd((int)in_thread(make_unnamed, (void *)where));
}

// ---- files and directories with a name ----
// The number of characters after the last XXXXXX; -1: there is none.
static int suffix_of(const char *pattern) {
  for (size_t n = strlen(pattern), i = n; i >= 6; i--)
    if (memcmp(pattern + i - 6, "XXXXXX", 6) == 0)
      return (int)(n - i);
  return -1;
}

static intptr_t make_file(void *arg) {
  char *pattern = arg;
  int suffix = suffix_of(pattern);
  int fd = suffix < 0 ? -1 : mkostemps(pattern, suffix, O_CLOEXEC);
  if (suffix < 0)
    return -EINVAL;
  return fd < 0 ? -(intptr_t)errno : fd;
}

static intptr_t make_directory(void *arg) {
  return mkdtemp(arg) ? 0 : -(intptr_t)errno;
}

async int fm_temp_named(char *pattern) throws(struct os_error) {
  return fm__new_fd((int)in_thread(make_file, pattern));
}

async void fm_temp_directory(char *pattern) throws(struct os_error) {
  in_thread(make_directory, pattern);
}

// ---- removal ----
// A directory that is being emptied.
typedef struct Level {
  DIR *entries;
  struct Level *outer; // the directory around it
  char name[];         // in that one
} Level;

typedef struct Removal {
  Level *top;
  int err; // the first one; the rest is removed nevertheless
} Removal;

static void note(Removal *r, int err) {
  if (!r->err && err != ENOENT)
    r->err = err;
}

static int inside(const Removal *r) {
  return r->top ? dirfd(r->top->entries) : AT_FDCWD;
}

// A link is never followed.
static int open_level(Removal *r, const char *name, Level *level) {
  int fd = openat(inside(r),
                  name,
                  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return errno;
  level->entries = fdopendir(fd);
  if (level->entries)
    return 0;
  int err = errno;
  close(fd);
  return err;
}

static void enter(Removal *r, const char *name) {
  size_t n = strlen(name) + 1;
  Level *level = fm__alloc(sizeof *level + n);
  int err = level ? open_level(r, name, level) : ENOMEM;
  if (err) {
    fm__free(level);
    note(r, err);
    return;
  }
  memcpy(level->name, name, n);
  level->outer = r->top;
  r->top = level;
}

static void remove_one(Removal *r, const char *name) {
  if (unlinkat(inside(r), name, 0) == 0)
    return;
  if (errno == EISDIR)
    enter(r, name);
  else
    note(r, errno);
}

static void leave(Removal *r) {
  Level *level = r->top;
  closedir(level->entries);
  r->top = level->outer;
  if (unlinkat(inside(r), level->name, AT_REMOVEDIR) < 0)
    note(r, errno);
  fm__free(level);
}

static bool is_dots(const char *name) {
  return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static intptr_t remove_tree(void *arg) {
  Removal r = { NULL, 0 };
  remove_one(&r, arg);
  while (r.top) {
    struct dirent *e = readdir(r.top->entries);
    if (!e)
      leave(&r);
    else if (!is_dots(e->d_name))
      remove_one(&r, e->d_name);
  }
  return -r.err;
}

async void fm_remove_tree(const char *path) throws(struct os_error) {
  in_thread(remove_tree, (void *)path);
}
