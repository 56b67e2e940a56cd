// watcher.c: changes of files and directories, as the kernel's inotify reports them. Its descriptor
// is read as any other: nothing is lost between two waits, because the kernel keeps the events, and
// reports when there were too many.
//
// A rename is two events of the kernel, one after the other. They become one if both are watched;
// the second one may come a moment later than the first.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum {
  SIZE = 16 * 1024,
  PATIENCE = 10, // ms: for the second half of a rename
  ALL = FM_CREATED | FM_CHANGED | FM_WRITTEN | FM_REMOVED | FM_RENAMED |
        FM_ATTRIBUTES,
};

typedef struct Watch {
  struct Watch *next;
  int wd;
  unsigned what; // the program wants these
  char path[];
} Watch;

struct fm_watcher {
  int fd;
  Watch *watches;
  bool busy;       // an activity waits in it
  unsigned adding; // so many calls of fm_watcher_add are under way
  fm_file_event event;
  char names[2][NAME_MAX + 1]; // of the event
  size_t at, end;              // the kernel's events that are not given yet
  _Alignas(struct inotify_event) char buf[SIZE];
};

static const struct {
  unsigned what;
  uint32_t mask;
} kinds[] = {
  { FM_CREATED, IN_CREATE | IN_MOVED_TO },
  { FM_CHANGED, IN_MODIFY },
  { FM_WRITTEN, IN_CLOSE_WRITE },
  { FM_REMOVED, IN_DELETE | IN_DELETE_SELF | IN_MOVED_FROM | IN_UNMOUNT },
  { FM_RENAMED, IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF },
  { FM_ATTRIBUTES, IN_ATTRIB },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

// ---- what is watched ----
fm_watcher *fm_watcher_new(void) throws(struct os_error) {
  fm_watcher *w = fm__alloc(sizeof *w);
  if (!w)
    throw(struct os_error){ ENOMEM };
  w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (w->fd < 0) {
    int err = errno;
    fm__free(w);
    throw(struct os_error){ err };
  }
  fm__new_fd(w->fd);
  w->watches = NULL;
  w->busy = false;
  w->adding = 0;
  w->at = w->end = 0;
  return w;
}

void fm_watcher_free(fm_watcher *w) {
  if (!w)
    return;
  fm_close(w->fd);
  for (Watch *next; w->watches; w->watches = next) {
    next = w->watches->next;
    fm__free(w->watches);
  }
  fm__free(w);
}

static Watch **find(fm_watcher *w, int wd) {
  Watch **at = &w->watches;
  while (*at && (*at)->wd != wd)
    at = &(*at)->next;
  return at;
}

static void drop(Watch **at) {
  Watch *gone = *at;
  if (!gone)
    return;
  *at = gone->next;
  fm__free(gone);
}

static uint32_t mask_of(unsigned what) {
  uint32_t mask = 0;
  for (size_t i = 0; i < KINDS; i++)
    if (what & kinds[i].what)
      mask |= kinds[i].mask;
  return mask;
}

typedef struct Addition { // for a thread
  int fd;
  const char *path;
  uint32_t mask;
} Addition;

static intptr_t add_watch(void *arg) {
  Addition *a = arg;
  int wd = inotify_add_watch(a->fd, a->path, a->mask);
  return wd < 0 ? -(intptr_t)errno : wd;
}

// A file that is watched already, by this name or another one, is watched by this one from now on.
async void fm_watcher_add(fm_watcher *w, const char *path, unsigned what)
    throws(struct os_error) {
  size_t n = strlen(path) + 1;
  if (what & ~(unsigned)ALL)
    fm__fail_os(EINVAL);
  Watch *new = fm__alloc(sizeof *new + n);
  if (!new)
    fm__fail_os(ENOMEM);
  Watch *unused = new;
  defer fm__free(unused);
  w->adding++;
  defer w->adding--;
  new->what = what ? what : ALL;
  memcpy(new->path, path, n);
  Addition a = { w->fd, path, mask_of(new->what) };
  intptr_t wd = fm__offload(FM__FILES, add_watch, &a);
  if (wd < 0)
    fm__fail_os((int)-wd);
  new->wd = (int)wd;
  drop(find(w, new->wd));
  new->next = w->watches;
  w->watches = new;
  unused = NULL;
}

void fm_watcher_remove(fm_watcher *w, const char *path) {
  Watch **at = &w->watches;
  while (*at && strcmp((*at)->path, path) != 0)
    at = &(*at)->next;
  if (*at)
    inotify_rm_watch(w->fd, (*at)->wd);
  drop(at);
}

// ---- the kernel's events ----
static async void read_more(fm_watcher *w) throws(struct os_error) {
  if (w->busy)
    fm__fail_os(EBUSY);
  w->busy = true;
  defer w->busy = false;
  memmove(w->buf, w->buf + w->at, w->end - w->at);
  w->end -= w->at;
  w->at = 0;
  w->end += (size_t)fm_read(w->fd, w->buf + w->end, SIZE - w->end);
}

static const struct inotify_event *event_at(const fm_watcher *w, size_t at) {
  return at < w->end ? (const void *)(w->buf + at) : NULL;
}

static size_t size_of(const struct inotify_event *e) {
  return sizeof *e + e->len;
}

// Waits a moment if the second half of a rename may still come.
static async void complete_rename(fm_watcher *w) throws(struct os_error) {
  const struct inotify_event *e = event_at(w, w->at);
  if (!(e->mask & IN_MOVED_FROM) || w->at + size_of(e) < w->end)
    return;
  if (!fm__ready_now(w->fd, FM_READABLE))
    race {
    case fm_wait_readable(w->fd):
      break;
    case fm_sleep(PATIENCE):
      break;
    }
  if (fm__ready_now(w->fd, FM_READABLE))
    read_more(w);
}

// ---- as the program sees them ----
static const char *keep_name(char *to, const struct inotify_event *e) {
  size_t n = e->len ? strnlen(e->name, e->len) : 0;
  n = n < NAME_MAX ? n : NAME_MAX;
  memcpy(to, e->name, n);
  to[n] = '\0';
  return to;
}

static unsigned kind_of(const struct inotify_event *e) {
  if (e->mask & IN_MOVE_SELF)
    return FM_RENAMED;
  for (size_t i = 0; i < KINDS; i++)
    if (e->mask & kinds[i].mask)
      return kinds[i].what;
  return 0;
}

static bool is_pair(const struct inotify_event *from,
                    const struct inotify_event *to) {
  return to && from->mask & IN_MOVED_FROM && to->mask & IN_MOVED_TO &&
         from->cookie == to->cookie;
}

// Takes the second half of a rename, if it is there and both are watched.
static void take_pair(fm_watcher *w, const struct inotify_event *from) {
  const struct inotify_event *to = event_at(w, w->at);
  Watch *there = is_pair(from, to) ? *find(w, to->wd) : NULL;
  if (!there)
    return;
  w->event.what = FM_RENAMED;
  w->event.new_path = there->path;
  w->event.new_name = keep_name(w->names[1], to);
  w->at += size_of(to);
}

// Takes the next event of the kernel; false: it is nothing that the program wants.
static bool take(fm_watcher *w) {
  const struct inotify_event *e = event_at(w, w->at);
  Watch **watch = find(w, e->wd);
  w->at += size_of(e);
  w->event = (fm_file_event){ .path = "", .name = "" };
  w->event.what = FM_OVERFLOW;
  if (e->mask & IN_Q_OVERFLOW)
    return true;
  if (!*watch)
    return false;
  if (e->mask & IN_IGNORED) {
    drop(watch);
    return false;
  }
  w->event.what = kind_of(e);
  w->event.directory = e->mask & IN_ISDIR;
  w->event.path = (*watch)->path;
  w->event.name = keep_name(w->names[0], e);
  if ((*watch)->what & FM_RENAMED)
    take_pair(w, e);
  return w->event.what & (*watch)->what;
}

async const fm_file_event *fm_watcher_next(fm_watcher *w)
    throws(struct os_error) {
  for (;;) {
    if (w->at == w->end)
      read_more(w);
    complete_rename(w);
    while (w->adding && !*find(w, event_at(w, w->at)->wd))
      fm_sleep(1); // it may be an event of what is being added
    if (take(w))
      return &w->event;
  }
}
