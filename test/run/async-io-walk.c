// Temporary files and directories, walks over them in every way, and the removal of trees.
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

static void make(const char *path) {
  int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0 || close(fd) < 0)
    abort();
}

static char type_of(const fm_entry *e) {
  return S_ISDIR(e->type) ? 'd' : S_ISLNK(e->type) ? 'l' : S_ISREG(e->type) ? 'f' : '?';
}

static async void show(const char *root, fm_walk_options o, const char *skipped) throws(struct os_error) {
  fm_walk *w = fm_walk_begin(root, &o);
  defer fm_walk_end(w);
  for (const fm_entry *e; (e = fm_walk_next(w));) {
    printf(" %s%c%u", e->path, type_of(e), e->depth);
    if (e->leaving)
      printf("<");
    if (e->error)
      printf("(%s)", strerrorname_np(e->error));
    if (skipped && strcmp(e->name, skipped) == 0)
      fm_walk_skip(w);
  }
  printf("\n");
}

static async void ways(void) throws(struct os_error) {
  mkdir("t", 0700), mkdir("t/b", 0700), mkdir("t/b/c", 0700), mkdir("t/e", 0700);
  make("t/a"), make("t/b/c/f"), make("t/b/g"), make("t/z");
  if (symlink("..", "t/b/up") || symlink("nowhere", "t/dangling") || symlink("t", "link"))
    abort();
  show("t", (fm_walk_options){ .sorted = true }, NULL);
  // expect:  td0 t/af1 t/bd1 t/b/cd2 t/b/c/ff3 t/b/gf2 t/b/upl2 t/danglingl1 t/ed1 t/zf1
  show("t/", (fm_walk_options){ .sorted = true, .depth = 1 }, NULL);
  // expect:  t/d0 t/af1 t/bd1 t/danglingl1 t/ed1 t/zf1
  show("t", (fm_walk_options){ .sorted = true, .after = true, .one_device = true }, "c");
  // expect:  td0 t/af1 t/bd1 t/b/cd2 t/b/gf2 t/b/upl2 t/bd1< t/danglingl1 t/ed1 t/ed1< t/zf1 td0<
  show("t", (fm_walk_options){ .sorted = true, .links = FM_WALK_ALL_LINKS }, "c");
  // expect:  td0 t/af1 t/bd1 t/b/cd2 t/b/gf2 t/b/upd2 t/b/upd2(ELOOP) t/danglingl1 t/ed1 t/zf1
  show("link", (fm_walk_options){ .sorted = true, .depth = 1 }, NULL);
  // expect:  linkd0 link/af1 link/bd1 link/danglingl1 link/ed1 link/zf1
  show("link", (fm_walk_options){ .links = FM_WALK_NO_LINKS }, NULL); // expect:  linkl0
  show("t/a", (fm_walk_options){ 0 }, NULL);    // expect:  t/af0
  show("t", (fm_walk_options){ 0 }, "t");       // expect:  td0
  try {
    show("nowhere", (fm_walk_options){ 0 }, NULL);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));           // expect: No such file or directory
  }
  // A directory that is gone when it is to be entered.
  fm_walk *w = fm_walk_begin("t", &(fm_walk_options){ .sorted = true });
  for (const fm_entry *e; (e = fm_walk_next(w));) {
    if (strcmp(e->name, "e") == 0 && !e->error)
      rmdir("t/e");
    if (e->error)
      printf("%s %s\n", e->path, strerror(e->error)); // expect: t/e No such file or directory
  }
  fm_walk_end(w);
  fm_walk_end(NULL);
}

// More entries than are read at a time; a cancel at each pause.
static async void many(void) throws(struct os_error) {
  enum { N = 2500 };
  static char seen[N];
  char name[40];
  mkdir("many", 0700);
  for (int i = 0; i < N; i++) {
    snprintf(name, sizeof name, "many/%d", i);
    make(name);
  }
  fm_walk *w = fm_walk_begin("many", NULL);
  const fm_entry *e = NULL;
  int tries = 0, entries = 0;
  do {
    bool got = false;
    scope (s) {
      if (tries++ % 2)
        fm_cancel(s);
      e = fm_walk_next(w);
      got = true;
    }
    if (got && e && e->depth) {
      seen[atoi(e->name)]++;
      entries++;
    }
    if (!got)
      e = &(fm_entry){ 0 };
  } while (e);
  fm_walk_end(w);
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += seen[i] != 1;
  printf("%d %d\n", entries, wrong);           // expect: 2500 0
  fm_remove_tree("many");
  printf("%d\n", access("many", F_OK));         // expect: -1
}

static async void temporary(void) throws(struct os_error) {
  char buf[8] = "";
  struct stat s;
  int fd = fm_temp_file(NULL);
  fm_write_all(fd, "text", 4);
  fm_pread(fd, buf, 4, 0);
  fstat(fd, &s);
  printf("%s %d %o\n", buf, (int)s.st_nlink, s.st_mode & 0777); // expect: text 0 600
  printf("%d\n", fcntl(fd, F_GETFD));           // expect: 1
  fm_close(fd);
  char named[] = "XXXXXX-XXXXXX.txt", directory[] = "dir-XXXXXX", wrong[] = "XXXXX";
  fd = fm_temp_named(named);
  printf("%.7s %s %d\n", named, named + 13, access(named, R_OK | W_OK)); // expect: XXXXXX- .txt 0
  fm_close(fd);
  fm_remove_tree(named);
  fm_temp_directory(directory);
  stat(directory, &s);
  printf("%.4s %d %o\n", directory, S_ISDIR(s.st_mode), s.st_mode & 0777); // expect: dir- 1 700
  fm_remove_tree(directory);
  fm_remove_tree(directory); // it is no error that nothing is there
  for (int i = 0; i < 4; i++)
    try {
      switch (i) {
      case 0: fm_temp_named(wrong); break;
      case 1: fm_temp_directory(wrong); break;
      case 2: fm_temp_file("/no/such"); break;
      case 3: fm_remove_tree("/proc/self/status"); break;
      }
    } catch (struct os_error e) {
      printf("%s\n", strerrorname_np(e.code));
    }
  // expect: EINVAL
  // expect: EINVAL
  // expect: ENOENT
  // expect: EPERM
}

async int main(void) {
  char directory[] = "/tmp/fermata-walk-XXXXXX";
  try {
    fm_temp_directory(directory);
    defer fm_remove_tree(directory);
    if (chdir(directory))
      abort();
    warm_up();
    int before = descriptors();
    ways();
    many();
    temporary();
    fm_remove_tree("link");
    printf("%d %d\n", access("t/a", F_OK), access("link", F_OK)); // expect: 0 -1
    fm_remove_tree("t");
    printf("%d\n", access("t", F_OK));          // expect: -1
    printf("%d\n", descriptors() - before);     // expect: 0
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  printf("%d\n", access(directory, F_OK));      // expect: -1
  return 0;
}
