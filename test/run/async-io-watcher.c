// Watchers: each kind of change, renames as one event, nothing lost between waits or by cancels.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "parts/warm-up.h"

static fm_watcher *w;

static const char *kind(unsigned what) {
  switch (what) {
  case FM_CREATED: return "created";
  case FM_CHANGED: return "changed";
  case FM_WRITTEN: return "written";
  case FM_REMOVED: return "removed";
  case FM_RENAMED: return "renamed";
  case FM_ATTRIBUTES: return "attributes";
  case FM_OVERFLOW: return "overflow";
  }
  return "?";
}

static async void show(int n) throws(struct os_error) {
  for (int i = 0; i < n; i++) {
    const fm_file_event *e = fm_watcher_next(w);
    printf("%s%s:%s:%s", i ? " " : "", kind(e->what), e->path, e->name);
    if (e->new_path)
      printf(">%s:%s", e->new_path, e->new_name);
    if (e->directory)
      printf("/");
  }
  printf("\n");
}

static void add_text(const char *path, const char *text) {
  int fd = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, text, strlen(text)) < 0 || close(fd) < 0)
    abort();
}

static async bool nothing(void) throws(struct os_error) {
  bool none = false;
  race {
    case fm_watcher_next(w): break;
    case fm_sleep(1): none = true; break;
  }
  return none;
}

static async void changes(void) throws(struct os_error) {
  mkdir("a", 0700), mkdir("b", 0700), mkdir("c", 0700);
  fm_watcher_add(w, "a", 0);
  add_text("a/x", "text"); // before anything waits
  show(3);                 // expect: created:a:x changed:a:x written:a:x
  chmod("a/x", 0400);
  show(1);                 // expect: attributes:a:x
  rename("a/x", "a/y");
  show(1);                 // expect: renamed:a:x>a:y
  rename("a/y", "c/y");
  show(1);                 // expect: removed:a:y
  rename("c/y", "a/z");
  show(1);                 // expect: created:a:z
  fm_watcher_add(w, "b", FM_CREATED | FM_RENAMED | FM_REMOVED);
  rename("a/z", "b/z");
  show(1);                 // expect: renamed:a:z>b:z
  mkdir("b/d", 0700);
  show(1);                 // expect: created:b:d/
  rmdir("b/d");
  show(1);                 // expect: removed:b:d/
  add_text("b/new", "text");
  unlink("b/new");
  show(2);                 // expect: created:b:new removed:b:new
  printf("%d\n", nothing()); // expect: 1
}

static async void ends(void) throws(struct os_error) {
  fm_watcher_add(w, "b/z", FM_ATTRIBUTES | FM_REMOVED);
  unlink("b/z");
  show(3);                 // expect: attributes:b/z: removed:b/z: removed:b:z
  rename("b", "b2");
  rmdir("b2");
  fm_watcher_add(w, "a", FM_CREATED); // instead of all
  add_text("a/q", "");
  unlink("a/q");
  show(3);                 // expect: renamed:b: removed:b: created:a:q
  add_text("a/kept", "");
  fm_watcher_remove(w, "a");
  fm_watcher_remove(w, "no such thing");
  add_text("a/r", "");
  printf("%d\n", nothing()); // expect: 1
  try {
    fm_watcher_add(w, "nowhere", 0);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code)); // expect: No such file or directory
  }
  auto t = spawn now fm_watcher_next(w);
  try {
    fm_watcher_next(w);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code)); // expect: Device or resource busy
  }
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  fm_detach(t);
}

// An activity makes files while another one waits for them, and is cancelled all the time.
static async void makes(int n) {
  char name[40];
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "c/%d", i);
    add_text(name, "");
    if (i % 7 == 0)
      fm_sleep(1);
  }
}

static async void none_is_lost(void) throws(struct os_error) {
  enum { N = 300 };
  int next = 0;
  fm_watcher_add(w, "c", FM_CREATED);
  auto t = spawn makes(N);
  for (int tries = 0; next < N && tries < 100000; tries++) {
    scope (s) {
      fm_cancel_after(s, (uint64_t)tries % 2);
      const fm_file_event *e = fm_watcher_next(w);
      if (atoi(e->name) != next)
        printf("%s, expected %d\n", e->name, next);
      next++;
    }
  }
  await t;
  printf("%d\n", next);    // expect: 300
}

static async bool overflows(void) throws(struct os_error) {
  long most = 0;
  fm_reader in;
  int fd = fm_open("/proc/sys/fs/inotify/max_queued_events", O_RDONLY | O_CLOEXEC, 0);
  fm_reader_init(&in, fd);
  most = atol(fm_reader_line(&in));
  fm_close(fd);
  for (long i = 0; i <= most; i++)
    chmod("c/1", i % 2 ? 0400 : 0600), chmod("c/2", 0600);
  for (long i = 0; i <= 2 * most; i++)
    if (fm_watcher_next(w)->what == FM_OVERFLOW)
      return true;
  return false;
}

async int main(void) {
  char directory[] = "/tmp/fermata-watch-XXXXXX";
  try {
    fm_temp_directory(directory);
    defer fm_remove_tree(directory);
    if (chdir(directory))
      abort();
    warm_up();
    w = fm_watcher_new();
    int before = descriptors();
    changes();
    ends();
    none_is_lost();
    fm_watcher_add(w, "c", FM_ATTRIBUTES);
    printf("%d\n", overflows());            // expect: 1
    printf("%d\n", descriptors() - before); // expect: 0
    fm_watcher_free(w);
    fm_watcher_free(NULL);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
