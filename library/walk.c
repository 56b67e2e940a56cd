// walk.c: the entries of a directory and of all directories below it, one after the other.
//
// Threads for files open directories and read their entries, many at a time. What they find is in
// the walk, so that a call that is cancelled meanwhile loses nothing. A directory that has been
// read to its end is closed before those below it are opened: only directories with very many
// entries hold a descriptor.
//
//     next entry of the innermost directory → if it is a directory: enter it at the next call
//     none left, not at its end             → read more of it
//     at its end                            → leave it, go on with the directory around it
#define _GNU_SOURCE
#include "library.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BATCH = 1000 };

typedef struct Item {
  mode_t type;
  char name[];
} Item;

typedef struct Dir {
  struct Dir *outer;
  DIR *handle; // NULL: it is read to its end
  dev_t device;
  ino_t inode;
  size_t path_length; // of its path in the walk's
  unsigned depth;     // of its entries
  Item **items;
  size_t at, count, room;
} Dir;

struct fm_walk {
  fm_walk_options o;
  Dir *top;   // the innermost directory; NULL: before the first, and at the end
  char *path; // of the entry
  size_t room;  // of the path
  bool enters;  // the entry is a directory, and is entered next
  bool begun;   // the root has been given
  bool busy;    // an activity waits in it
  dev_t device; // of the root
  fm_entry entry;
};

// ---- memory ----
static void free_dir(Dir *d) {
  if (d->handle)
    closedir(d->handle);
  for (size_t i = d->at; i < d->count; i++)
    fm__free(d->items[i]);
  fm__free(d->items);
  fm__free(d);
}

static Dir *pop(fm_walk *w) {
  Dir *d = w->top;
  w->top = d->outer;
  return d;
}

// The path: its first n bytes, then the name.
static bool set_path(fm_walk *w, size_t n, const char *name) {
  size_t more = strlen(name);
  bool slash = n && w->path[n - 1] != '/';
  size_t room = n + slash + more + 1;
  if (room > w->room) {
    char *path = fm__realloc(w->path, room * 2);
    if (!path)
      return false;
    w->path = path;
    w->room = room * 2;
  }
  if (slash)
    w->path[n] = '/';
  memcpy(w->path + n + slash, name, more + 1);
  w->entry.path = w->path;
  w->entry.name = w->path + n + slash;
  return true;
}

// ---- in a thread: each returns 0, or an errno ----
static mode_t type_of(int type) {
  return DTTOIF(type);
}

// The type is asked for if the directory does not have it, or a link is to be followed.
static mode_t look_at(const fm_walk *w, int dir, const struct dirent *e) {
  struct stat s;
  bool follows = w->o.links == FM_WALK_ALL_LINKS;
  bool unknown = e->d_type == DT_UNKNOWN;
  if (!unknown && !(follows && e->d_type == DT_LNK))
    return type_of(e->d_type);
  if (follows && fstatat(dir, e->d_name, &s, 0) == 0)
    return s.st_mode & S_IFMT;
  if (fstatat(dir, e->d_name, &s, AT_SYMLINK_NOFOLLOW) == 0)
    return s.st_mode & S_IFMT;
  return 0;
}

static int add_item(const fm_walk *w, Dir *d, const struct dirent *e) {
  size_t n = strlen(e->d_name) + 1;
  if (d->count == d->room) {
    size_t room = d->room ? d->room * 2 : 32;
    Item **items = fm__realloc(d->items, room * sizeof(Item *));
    if (!items)
      return ENOMEM;
    d->items = items;
    d->room = room;
  }
  Item *i = fm__alloc(sizeof *i + n);
  if (!i)
    return ENOMEM;
  i->type = look_at(w, dirfd(d->handle), e);
  memcpy(i->name, e->d_name, n);
  d->items[d->count++] = i;
  return 0;
}

static bool is_dots(const char *name) {
  return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp((*(Item *const *)a)->name, (*(Item *const *)b)->name);
}

static int read_batch(fm_walk *w) {
  Dir *d = w->top;
  d->at = d->count = 0;
  for (;;) {
    if (d->count >= BATCH && !w->o.sorted)
      return 0;
    long before = telldir(d->handle);
    errno = 0;
    struct dirent *e = readdir(d->handle);
    int err = errno;
    if (e && is_dots(e->d_name))
      continue;
    if (e && (err = add_item(w, d, e)))
      seekdir(d->handle, before); // the next attempt finds it again
    if (e && !err)
      continue;
    if (err == ENOMEM)
      return ENOMEM;
    closedir(d->handle);
    d->handle = NULL;
    if (w->o.sorted && d->count)
      qsort(d->items, d->count, sizeof(Item *), by_name);
    return err;
  }
}

static bool is_within_itself(const fm_walk *w, const struct stat *s) {
  for (const Dir *d = w->top; d; d = d->outer)
    if (d->device == s->st_dev && d->inode == s->st_ino)
      return true;
  return false;
}

// A directory of another device than the root's is left alone, if so wanted.
static int push(fm_walk *w, int fd) {
  struct stat s;
  if (fstat(fd, &s) < 0)
    return errno;
  if (!w->top)
    w->device = s.st_dev;
  if (w->o.one_device && s.st_dev != w->device)
    return EXDEV;
  if (is_within_itself(w, &s))
    return ELOOP;
  Dir *d = fm__alloc(sizeof *d);
  if (!d)
    return ENOMEM;
  *d = (Dir){ .outer = w->top,
              .handle = fdopendir(fd),
              .device = s.st_dev,
              .inode = s.st_ino,
              .path_length = strlen(w->path),
              .depth = w->entry.depth + 1 };
  if (d->handle) {
    w->top = d;
    return 0;
  }
  int err = errno;
  fm__free(d);
  return err;
}

static intptr_t enter(void *arg) {
  fm_walk *w = arg;
  bool follows = w->o.links == FM_WALK_ALL_LINKS ||
                 (!w->top && w->o.links != FM_WALK_NO_LINKS);
  int fd = open(w->path,
                O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK |
                    (follows ? 0 : O_NOFOLLOW));
  int err = fd < 0 ? errno : push(w, fd);
  if (err && fd >= 0)
    close(fd);
  if (err != ENOMEM)
    w->enters = false;
  return err ? -err : -read_batch(w);
}

static intptr_t read_more(void *arg) {
  return -read_batch(arg);
}

static intptr_t look_at_root(void *arg) {
  fm_walk *w = arg;
  struct stat s;
  bool follows = w->o.links != FM_WALK_NO_LINKS;
  if (fstatat(AT_FDCWD, w->path, &s, follows ? 0 : AT_SYMLINK_NOFOLLOW) < 0)
    return -errno;
  w->entry.type = s.st_mode & S_IFMT;
  return 0;
}

// ---- the walk ----
static void no_longer_busy(fm_walk *w) {
  w->busy = false;
}

static async int in_thread(fm_walk *w, intptr_t (*fn)(void *))
    throws(struct os_error) {
  if (w->busy)
    fm__fail_os(EBUSY);
  w->busy = true;
  defer no_longer_busy(w);
  int err = (int)-fm__offload(FM__FILES, fn, w);
  if (err == ENOMEM || err == EAGAIN)
    fm__fail_os(err); // a lack of memory or threads: the next call tries again
  return err;
}

void fm_walk_end(fm_walk *w) {
  if (!w)
    return;
  while (w->top)
    free_dir(pop(w));
  fm__free(w->path);
  fm__free(w);
}

async fm_walk *fm_walk_begin(const char *root, const fm_walk_options *o)
    throws(struct os_error) {
  fm_walk *w = fm__alloc(sizeof *w);
  if (!w)
    fm__fail_os(ENOMEM);
  *w = (fm_walk){ 0 };
  bool ready = false;
  defer fm_walk_end(ready ? NULL : w);
  if (o)
    w->o = *o;
  if (!set_path(w, 0, root))
    fm__fail_os(ENOMEM);
  int err = in_thread(w, look_at_root);
  if (err)
    fm__fail_os(err);
  ready = true;
  return w;
}

void fm_walk_skip(fm_walk *w) {
  w->enters = false;
}

// The entry is complete but for its path.
static const fm_entry *give(fm_walk *w) {
  bool deeper = !w->o.depth || w->entry.depth < w->o.depth;
  w->enters =
      S_ISDIR(w->entry.type) && !w->entry.leaving && !w->entry.error && deeper;
  return &w->entry;
}

static const fm_entry *give_error(fm_walk *w, int err) {
  w->entry.error = err;
  return give(w);
}

static const fm_entry *give_item(fm_walk *w) throws(struct os_error) {
  Dir *d = w->top;
  Item *i = d->items[d->at];
  if (!set_path(w, d->path_length, i->name))
    fm__fail_os(ENOMEM);
  w->entry.type = i->type;
  w->entry.depth = d->depth;
  w->entry.error = 0;
  w->entry.leaving = false;
  d->at++;
  fm__free(i);
  return give(w);
}

// The path of a directory that has ended; its name is the last part, or all of it.
static const fm_entry *give_left(fm_walk *w, const Dir *d) {
  size_t n = d->path_length;
  w->path[n] = '\0';
  w->entry.name = w->path;
  if (d->depth > 1)
    w->entry.name = strrchr(w->path, '/') + 1;
  w->entry.type = S_IFDIR;
  w->entry.depth = d->depth - 1;
  w->entry.error = 0;
  w->entry.leaving = true;
  return give(w);
}

// The directory, with an error that came when it was entered or read.
static const fm_entry *give_failed(fm_walk *w, const Dir *d, int err) {
  if (d)
    give_left(w, d);
  w->entry.leaving = false;
  return give_error(w, err);
}

async const fm_entry *fm_walk_next(fm_walk *w) throws(struct os_error) {
  if (!w->begun) {
    w->begun = true;
    return give(w);
  }
  if (w->enters) {
    Dir *outer = w->top;
    int err = in_thread(w, enter);
    if (err && err != EXDEV)
      return give_failed(w, w->top == outer ? NULL : w->top, err);
  }
  while (w->top) {
    Dir *d = w->top;
    if (d->at < d->count)
      return give_item(w);
    if (d->handle) {
      int err = in_thread(w, read_more);
      if (err)
        return give_failed(w, d, err);
      continue;
    }
    const fm_entry *left = w->o.after ? give_left(w, d) : NULL;
    free_dir(pop(w));
    if (left)
      return left;
  }
  return NULL;
}
