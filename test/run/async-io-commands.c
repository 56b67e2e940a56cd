// fm_run and fm_run_pipeline: input and output of any size, statuses, errors, time limits, cancels;
// no process and no descriptor is left.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../stress/descriptors.h"

#define SHELL(text) \
  (char *[]) { "sh", "-c", text, NULL }

static fm_run_result result;

static const char *said(int status) {
  static char text[40];
  if (WIFEXITED(status))
    snprintf(text, sizeof text, "exit %d", WEXITSTATUS(status));
  else
    snprintf(text, sizeof text, "signal %d", WTERMSIG(status));
  return text;
}

static async void try_run(char **argv, const fm_run_options *o) {
  fm_run_free(&result);
  try {
    int status = fm_run(argv, o, &result);
    printf("%s%s", said(status), result.late ? " late" : "");
    printf(" [%s] [%s]\n", result.out ? result.out : "-", result.err ? result.err : "-");
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));
  }
}

static async void basics(void) throws(struct os_error) {
  try_run(SHELL("echo out; echo err >&2; exit 3"), NULL);
  // expect: exit 3 [out
  // expect: ] [err
  // expect: ]
  try_run(SHELL("cat; pwd; echo $X"),
          &(fm_run_options){ .input = "text ",
                             .directory = "/usr",
                             .environment = (char *[]){ "X=y", "PATH=/bin:/usr/bin", NULL } });
  // expect: exit 0 [text /usr
  // expect: y
  // expect: ] []
  try_run(SHELL("cat; kill -9 $$"), NULL);      // expect: signal 9 [] []
  try_run((char *[]){ "/no/such/program", NULL }, NULL); // expect: No such file or directory
  try_run((char *[]){ NULL }, NULL);            // expect: Invalid argument
  try_run((char *[]){ "pwd", NULL }, &(fm_run_options){ .directory = "/no/such" });
  // expect: No such file or directory
  try_run(SHELL("echo a; echo b >&2; echo c"), &(fm_run_options){ .err = FM_WITH_OUT });
  // expect: exit 0 [a
  // expect: b
  // expect: c
  // expect: ] [-]
  try_run(SHELL("echo a; echo b >&2"), &(fm_run_options){ .out = FM_NULL, .most = 1 });
  // expect: exit 0 [-] [b]
  printf("%d %d %zu\n", result.out_cut, result.err_cut, result.err_size); // expect: 0 1 1
  fflush(stdout);
  fm_run(SHELL("echo inherited"), NULL, NULL);  // expect: inherited
  fm_run(SHELL("echo also >&2"), &(fm_run_options){ .err = FM_WITH_OUT }, NULL); // expect: also
  try_run(SHELL("printf 'a\\000b'"), NULL);     // expect: exit 0 [a] []
  printf("%zu %d\n", result.out_size, result.out[2] == 'b'); // expect: 3 1
  // The input is longer than what it reads.
  static char much[1 << 20];
  memset(much, 'x', sizeof much);
  try_run(SHELL("head -c 3; exec true"), &(fm_run_options){ .input = much, .input_size = 1 << 20 });
  // expect: exit 0 [xxx] []
}

// Megabytes in both directions, and in the errors, at the same time.
static async void megabytes(void) throws(struct os_error) {
  enum { N = 3 << 20 };
  fm_run_free(&result);
  char *all = malloc(N);
  for (size_t i = 0; i < N; i++)
    all[i] = (char)(i * 7 + (i >> 9));
  fm_run_options o = { .input = all, .input_size = N };
  int status = fm_run(SHELL("tee /dev/stderr"), &o, &result);
  printf("%s %d %d", said(status), result.out_size == N, result.err_size == N);
  printf(" %d %d\n", memcmp(result.out, all, N), memcmp(result.err, all, N));
  // expect: exit 0 1 1 0 0
  fm_run_free(&result);
  free(all);
}

static async void pipelines(void) throws(struct os_error) {
  int status = fm_run_pipeline((char *const *const[]){ (char *[]){ "cat", NULL },
                                                       (char *[]){ "sort", "-r", NULL },
                                                       SHELL("cat; echo err >&2; exit 4"),
                                                       NULL },
                               &(fm_run_options){ .input = "a\nc\nb\n" },
                               &result);
  printf("%s %zu %d %d\n", said(status), result.count, result.statuses[0], result.statuses[1]);
  // expect: exit 4 3 0 0
  printf("%s%s", result.out, result.err);
  // expect: c
  // expect: b
  // expect: a
  // expect: err
  fm_run_free(&result);
  status = fm_run_pipeline((char *const *const[]){ (char *[]){ "yes", NULL },
                                                   (char *[]){ "head", "-n", "2", NULL },
                                                   NULL },
                           NULL,
                           &result);
  printf("%s %d\n", said(status), WTERMSIG(result.statuses[0]) == SIGPIPE); // expect: exit 0 1
  fm_run_free(&result);
  try {
    fm_run_pipeline((char *const *const[]){ (char *[]){ "sleep", "100", NULL },
                                            (char *[]){ "/no/such", NULL },
                                            NULL },
                    NULL,
                    &result);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));           // expect: No such file or directory
  }
  try {
    fm_run_pipeline((char *const *const[]){ NULL }, NULL, NULL);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));           // expect: Invalid argument
  }
}

static async void late(void) throws(struct os_error) {
  fm_run_options o = { .time_limit = 10, .grace = 60000 };
  try_run((char *[]){ "sleep", "100", NULL }, &o); // expect: signal 15 late [] []
  o.no_group = true;
  o.stop_signal = SIGINT;
  try_run((char *[]){ "sleep", "100", NULL }, &o); // expect: signal 2 late [] []
}

// ---- cancels ----
// Whether processes of the group stay alive. A process that was killed takes a moment to die; the
// process that has inherited it reaps it.
static async bool lives(int group) throws(struct os_error) {
  char text[80];
  bool some = true;
  snprintf(text, sizeof text, "cat /proc/[0-9]*/stat | grep -q ' [RSDT] [0-9]* %d '", group);
  for (int i = 0; i < 500 && some; i++) {
    some = fm_run(SHELL(text), &(fm_run_options){ .err = FM_NULL }, NULL) == 0;
    if (some)
      fm_sleep(10);
  }
  return some;
}

// The command prints its number when it is ready, and is cancelled then: nothing of it is left,
// neither it nor its children. What it has printed after that is printed.
static async void cancelled(char *text, uint64_t grace) throws(struct os_error) {
  int fds[2];
  fm_reader in;
  if (pipe2(fds, O_CLOEXEC))
    abort();
  fm_reader_init(&in, fds[0]);
  fm_run_options o = { .out = fds[1], .err = FM_NULL, .grace = grace };
  int group = 0;
  scope (s) {
    auto t = spawn fm_run(SHELL(text), &o, NULL);
    group = atoi(fm_reader_line(&in));
    fm_cancel(s);
    await t;
  } else {
    printf("cancelled ");
  }
  fm_close(fds[1]);
  printf("%d ", lives(group));
  printf("[%s]\n", fm_reader_rest(&in, 100));
  fm_reader_free(&in);
  fm_close(fds[0]);
}

static async void cancels(void) throws(struct os_error) {
  cancelled("sleep 100 & sleep 100 & echo $$; wait", 60000); // expect: cancelled 0 []
  cancelled("trap 'echo stopped; exit 5' TERM; echo $$; while :; do sleep 0.01; done", 60000);
  // expect: cancelled 0 [stopped
  // expect: ]
  cancelled("trap '' TERM; echo $$; while :; do sleep 0.01; done", 20); // expect: cancelled 0 []
  cancelled("echo $$; kill -STOP $$", 60000);   // expect: cancelled 0 []
  try {
    fm_within(20, fm_run((char *[]){ "sleep", "100", NULL }, NULL, NULL));
  } catch (struct fm_timeout t) {
    printf("%d\n", (int)t.ms);                  // expect: 20
  }
  race {
    case fm_run((char *[]){ "sleep", "100", NULL }, NULL, NULL): printf("?\n"); break;
    case fm_sleep(5): printf("lost\n"); break;  // expect: lost
  }
}

// Whatever number of descriptors is missing: an error, and nothing is left.
static async void without_descriptors(void) throws(struct os_error) {
  struct rlimit old, few;
  fm_run_free(&result);
  getrlimit(RLIMIT_NOFILE, &old);
  int failures = 0, successes = 0, others = 0;
  int lowest = dup(0);
  close(lowest);
  for (int more = 0; more < 14; more++) {
    few = (struct rlimit){ (rlim_t)(lowest + more), old.rlim_max };
    setrlimit(RLIMIT_NOFILE, &few);
    try {
      int status = fm_run_pipeline((char *const *const[]){ SHELL("cat"), SHELL("cat"), NULL },
                                   &(fm_run_options){ .input = "text" },
                                   &result);
      successes += status == 0 && strcmp(result.out, "text") == 0;
    } catch (struct os_error e) {
      failures += e.code == EMFILE;
      others += e.code != EMFILE;
    }
    fm_run_free(&result);
    setrlimit(RLIMIT_NOFILE, &old);
  }
  printf("%d %d %d\n", failures > 3, successes > 0, others); // expect: 1 1 0
}

async int main(void) {
  try {
    basics();
    int before = descriptors();
    megabytes();
    pipelines();
    late();
    cancels();
    without_descriptors();
    fm_run_free(&result);
    printf("%d\n", descriptors() - before);     // expect: 0
    printf("%d ", waitpid(-1, NULL, WNOHANG));
    printf("%s\n", strerror(errno));            // expect: -1 No child processes
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
