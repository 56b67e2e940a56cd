// Whichever allocation fails in a program that uses readers, writers, commands, walks and watchers:
// it gets ENOMEM, or ends with a message where the runtime itself has no memory. It never crashes,
// and where it goes on, no process and no descriptor is left.
// env: FERMATA_TICK=off
// flags: -pthread
#include <errno.h>
#include <fcntl.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../stress/descriptors.h"

// ---- the heap ----
static _Atomic int calls;
static _Atomic bool counts;
static int fail_at; // the number of the call that fails; 0: none

static void *counting(void *unused, void *p, size_t n) {
  (void)unused;
  if (n && counts && ++calls == fail_at)
    return NULL;
  if (n)
    return realloc(p, n);
  free(p);
  return NULL;
}

// ---- what allocates ----
enum { GOT_ERROR = 3, LEFT = 6 };

static async void lines(void) throws(struct os_error) {
  static char big[6000];
  fm_reader in;
  fm_writer out;
  int fd = fm_temp_file(NULL);
  defer fm_close(fd);
  memset(big, 'x', sizeof big - 1);
  fm_writer_init(&out, fd);
  defer fm_writer_free(&out);
  fm_writer_printf(&out, "%s\n", big);
  fm_writer_flush(&out);
  lseek(fd, 0, SEEK_SET);
  fm_reader_init(&in, fd);
  defer fm_reader_free(&in);
  if (strlen(fm_reader_line(&in)) != sizeof big - 1)
    abort();
}

static async void commands(void) throws(struct os_error) {
  static char *cat[] = { "cat", NULL };
  fm_run_result r = { 0 };
  defer fm_run_free(&r);
  fm_run_pipeline((char *const *const[]){ cat, cat, NULL },
                  &(fm_run_options){ .input = "text", .grace = 1 },
                  &r);
  if (strcmp(r.out, "text") != 0)
    abort();
}

static async void files(void) throws(struct os_error) {
  char directory[] = "fermata-memory-XXXXXX";
  fm_temp_directory(directory);
  defer fm_remove_tree(directory);
  fm_watcher *w = fm_watcher_new();
  defer fm_watcher_free(w);
  fm_watcher_add(w, directory, FM_CREATED);
  char name[60];
  snprintf(name, sizeof name, "%s/XXXXXX", directory);
  fm_close(fm_temp_named(name));
  if (!strstr(name, fm_watcher_next(w)->name))
    abort();
  fm_walk *walk = fm_walk_begin(directory, &(fm_walk_options){ .sorted = true });
  defer fm_walk_end(walk);
  while (fm_walk_next(walk)) {
  }
}

static async int everything(void) {
  int got = 0;
  for (int i = 0; i < 3; i++)
    try {
      if (i == 0)
        lines();
      else if (i == 1)
        commands();
      else
        files();
    } catch (struct os_error e) {
      got = e.code == ENOMEM ? GOT_ERROR : 4;
    }
  return got;
}

static async int all(void) {
  everything(); // what the runtime opens and keeps is there by now
  int before = descriptors();
  counts = true;
  int got = everything();
  counts = false;
  if (descriptors() != before || waitpid(-1, NULL, WNOHANG) != -1)
    return LEFT;
  return got;
}

// ---- one failure after the other, each in a process of its own ----
static int attempt(int at, int *made) {
  int status, numbers[2];
  if (pipe(numbers))
    abort();
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    fail_at = at;
    alarm(20);
    int got = run all();
    int c = calls;
    if (write(numbers[1], &c, sizeof c) < 0)
      abort();
    _exit(got);
  }
  close(numbers[1]);
  if (read(numbers[0], made, sizeof *made) != sizeof *made)
    *made = 0;
  waitpid(child, &status, 0);
  close(numbers[0]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int main(void) {
  int made = 0, now, wrong = 0, errors = 0;
  fm_set_allocator(counting, NULL);
  printf("%d ", attempt(0, &made));
  printf("%s\n", made > 15 ? "many" : "few"); // expect: 0 many
  for (int i = 1; i <= made; i++) {
    int status = attempt(i, &now);
    errors += status == GOT_ERROR;
    if (status == 0 || status == 1 || status == GOT_ERROR)
      continue;
    printf("%d: status %d\n", i, status);
    wrong++;
  }
  printf("wrong: %d, %s errors\n", wrong, errors > 5 ? "many" : "few"); // expect: wrong: 0, many errors
  return 0;
}
