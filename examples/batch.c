// batch.c: runs the commands of its standard input, one a line, a few at a time, and prints their
// lines as they come, each with the number of its command.
//
//   batch [N [SECONDS]] < commands      N at a time; each may take so many seconds
//
// A command that takes too long is ended, with all processes that it has started. So are all of them
// on SIGTERM or Ctrl-C. The exit status is 1 if a command has failed.
//   fmcc -O2 -o batch batch.c && printf 'date\nls -l\n' | ./batch 4
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/sync.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static fm_sem places;
static uint64_t limit; // in ms; 0: none
static bool all_well = true;

// ---- one command ----
// Its lines, until all processes that could write some have ended.
static async void relay(int fd, int number) throws(struct os_error) {
  fm_reader in;
  defer fm_close(fd);
  fm_reader_init(&in, fd);
  defer fm_reader_free(&in);
  for (char *line; (line = fm_reader_line(&in));)
    fm_printf(1, "%d| %s\n", number, line);
}

static async int run_into(int fd, char *command, fm_run_result *result) throws(struct os_error) {
  char *argv[] = { "sh", "-c", command, NULL };
  fm_run_options o = { .out = fd, .err = FM_WITH_OUT, .time_limit = limit };
  defer fm_close(fd);
  return fm_run(argv, &o, result);
}

static async void report(int number, int status, bool late) throws(struct os_error) {
  if (late)
    fm_printf(1, "%d: took too long\n", number);
  else if (WIFSIGNALED(status))
    fm_printf(1, "%d: %s\n", number, strsignal(WTERMSIG(status)));
  else if (WEXITSTATUS(status))
    fm_printf(1, "%d: failed with status %d\n", number, WEXITSTATUS(status));
  else
    return;
  all_well = false;
}

static async void carry_out(char *command, int number) {
  int fds[2];
  int status = 0;
  fm_run_result result = { 0 };
  defer free(command);
  defer fm_sem_post(&places);
  try {
    if (pipe2(fds, O_CLOEXEC) < 0)
      throw (struct os_error){ errno };
    scope (s) {
      spawn relay(fds[0], number);
      status = run_into(fds[1], command, &result);
    }
    report(number, status, result.late);
    fm_run_free(&result);
  } catch (struct os_error e) {
    fprintf(stderr, "%d: %s\n", number, strerror(e.code));
    all_well = false;
  }
}

// ---- all commands ----
static async void run_all(void) throws(struct os_error) {
  int number = 0;
  fm_reader in;
  fm_reader_init(&in, 0);
  defer fm_reader_free(&in);
  scope (s) {
    for (char *line; (line = fm_reader_line(&in));) {
      char *command = strdup(line);
      if (!command)
        throw (struct os_error){ ENOMEM };
      fm_sem_wait(&places);
      spawn carry_out(command, ++number);
    }
  }
}

async int main(int argc, char **argv) {
  int at_once = argc > 1 ? atoi(argv[1]) : 2;
  limit = argc > 2 ? (uint64_t)(atof(argv[2]) * 1000) : 0;
  if (at_once < 1) {
    fprintf(stderr, "usage: %s [N [SECONDS]] < commands\n", argv[0]);
    return 2;
  }
  fm_sem_init(&places, (unsigned)at_once);
  try {
    race {
      case run_all(): break;
      case fm_wait_signal(SIGTERM): return 3;
      case fm_wait_signal(SIGINT): return 3;
    }
  } catch (struct os_error e) {
    fprintf(stderr, "%s: %s\n", argv[0], strerror(e.code));
    return 1;
  }
  return all_well ? 0 : 1;
}

// The first command waits for the second one, so the two run at the same time.
// args: 2 60
// stdin: until [ -e second ]; do sleep 0.01; done; echo first; touch first
// stdin: echo one; echo two >&2; touch second; until [ -e first ]; do sleep 0.01; done
// stdin: until [ -e first ]; do sleep 0.01; done; sleep 0.2; printf 'no newline'
// output: 2| one
// output: 2| two
// output: 1| first
// output: 3| no newline
