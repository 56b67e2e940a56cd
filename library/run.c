// run.c: commands: child processes that are fed, read, waited for and, if need be, ended.
//
//     start_all      the processes, in one group; each writes into the next one
//     communicate    feeds, collects, waits for the end of all, in activities of their own
//     finish         in any case, also during a cancel: ends what still runs, reaps all
//
// A process is reaped last. Until then its number, which is also that of the group, is not given to
// another process, so that no signal goes astray.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef struct Output { // what is collected of one descriptor
  int fd;               // our end; -1: none, or at its end
  char *text;
  size_t size, room;
  bool cut;
} Output;

typedef struct Run {
  const fm_run_options *o;
  pid_t *pids;   // of those that are started and not reaped; then 0
  int *statuses; // of those that are reaped
  size_t count, started;
  int feed;   // our end of the input; -1: none, or closed
  size_t fed; // bytes
  bool ended; // all have ended by themselves, and their output, too
  Output out, err;
  int theirs[3]; // what is open only for the processes; -1: none
} Run;

// ---- descriptors ----
static void close_one(int *fd) {
  if (*fd >= 0)
    fm_close(*fd);
  *fd = -1;
}

// A pipe that blocks, but not at our end, if one is ours.
static void open_pipe(int fds[2], int *ours) throws(struct os_error) {
  if (pipe2(fds, O_CLOEXEC) < 0)
    fm__fail_os(errno);
  if (ours && fcntl(*ours, F_SETFL, O_NONBLOCK) == 0) {
    fm__new_fd(*ours);
    return;
  }
  if (!ours)
    return;
  int err = errno;
  close(fds[0]);
  close(fds[1]);
  fm__fail_os(err);
}

// The end that the processes write to; our end is read from.
static int open_output(Output *to, int wanted, bool collects)
    throws(struct os_error) {
  int fds[2];
  if (wanted || !collects)
    return wanted ? wanted : FM_INHERIT;
  open_pipe(fds, &fds[0]);
  to->fd = fds[0];
  to->text = fm__alloc(1);
  if (!to->text) {
    close(fds[1]);
    fm__fail_os(ENOMEM);
  }
  *to->text = '\0';
  return fds[1];
}

static int open_input(Run *r) throws(struct os_error) {
  int fds[2];
  if (!r->o->input)
    return r->o->in ? r->o->in : FM_NULL;
  open_pipe(fds, &fds[1]);
  r->feed = fds[1];
  return fds[0];
}

// ---- the beginning ----
// One more process. `in` is its input, `out` its output.
static void start_one(Run *r, char *const argv[], int in, int out, int err)
    throws(struct os_error) {
  const fm_run_options *o = r->o;
  bool first = r->started == 0;
  fm_process_options how = {
    .directory = o->directory,
    .own_group = first && !o->no_group,
    .group = first || o->no_group ? 0 : r->pids[0],
  };
  int fds[3] = { in, out, err };
  r->pids[r->started] = fm_spawn_process_with(argv, o->environment, fds, &how);
  r->started++;
}

// theirs[0] is the input of the next process, theirs[1] the output of the last one.
static void start_all(Run *r, char *const *const argvs[], bool collects)
    throws(struct os_error) {
  const fm_run_options *o = r->o;
  int in = open_input(r);
  r->theirs[0] = r->feed >= 0 ? in : -1;
  int out = open_output(&r->out, o->out, collects);
  r->theirs[1] = r->out.fd >= 0 ? out : -1;
  int err = out;
  if (o->err != FM_WITH_OUT)
    err = open_output(&r->err, o->err, collects);
  else if (out == FM_INHERIT)
    err = STDOUT_FILENO;
  r->theirs[2] = r->err.fd >= 0 ? err : -1;
  for (size_t i = 0; i < r->count; i++) {
    int between[2] = { -1, out };
    if (i + 1 < r->count)
      open_pipe(between, NULL);
    try {
      start_one(r, argvs[i], in, between[1], err);
    } finally {
      close_one(&r->theirs[0]);
      if (i + 1 < r->count)
        close_one(&between[1]);
      in = r->theirs[0] = between[0];
    }
  }
  for (int i = 0; i < 3; i++)
    close_one(&r->theirs[i]);
}

// ---- while it runs ----
// Its end may come before it has read everything.
static async void feed(Run *r) throws(struct os_error) {
  const char *input = r->o->input;
  size_t n = r->o->input_size ? r->o->input_size : strlen(input);
  try {
    while (r->fed < n)
      r->fed += (size_t)fm_write(r->feed, input + r->fed, n - r->fed);
  } catch (struct os_error e) {
    if (e.code != EPIPE)
      throw e;
  }
  close_one(&r->feed);
}

static bool has_room(Output *to, size_t n) {
  if (to->room - to->size > n)
    return true;
  size_t room = (to->size + n) * 2;
  char *text = fm__realloc(to->text, room);
  if (!text)
    return false;
  to->text = text;
  to->room = room;
  return true;
}

// What has come is kept at once.
static void keep(Output *to, const char *buf, size_t n, size_t most)
    throws(struct os_error) {
  size_t left = most && most - to->size < n ? most - to->size : n;
  to->cut |= left < n;
  if (!left)
    return;
  if (!has_room(to, left))
    fm__fail_os(ENOMEM);
  memcpy(to->text + to->size, buf, left);
  to->size += left;
  to->text[to->size] = '\0';
}

static async void collect(Output *to, size_t most) throws(struct os_error) {
  enum { PART = 16384 };
  char *buf = fm__alloc(PART);
  if (!buf)
    fm__fail_os(ENOMEM);
  defer fm__free(buf);
  for (size_t n; (n = (size_t)fm_read(to->fd, buf, PART)) > 0;)
    keep(to, buf, n, most);
  close_one(&to->fd);
}

// Can be cancelled, and called again.
static async void communicate(Run *r) throws(struct os_error) {
  scope(all) {
    if (r->feed >= 0)
      spawn feed(r);
    if (r->out.fd >= 0)
      spawn collect(&r->out, r->o->most);
    if (r->err.fd >= 0)
      spawn collect(&r->err, r->o->most);
    for (size_t i = 0; i < r->started; i++)
      fm__wait_ended(r->pids[i]);
  }
  r->ended = true;
}

// ---- the end ----
static void signal_all(Run *r, int signo) {
  if (!r->started)
    return;
  if (!r->o->no_group)
    kill(-r->pids[0], signo);
  for (size_t i = 0; r->o->no_group && i < r->started; i++)
    kill(r->pids[i], signo);
}

static async void stop(Run *r) {
  enum { GRACE = 2000 };
  int signo = r->o->stop_signal ? r->o->stop_signal : SIGTERM;
  signal_all(r, signo);
  signal_all(r, SIGCONT);
  close_one(&r->feed);
  try {
    scope(s) {
      fm_cancel_after(s, r->o->grace ? r->o->grace : GRACE);
      communicate(r);
    }
  } catch (struct os_error) {
    // no memory for what it writes: it ends without a grace
  }
  signal_all(r, SIGKILL);
}

// A process that has been killed is gone soon. One that something else has reaped has no status.
static async int reap(pid_t pid) {
  try {
    return fm_wait_process(pid);
  } catch (struct os_error) {
    return -1;
  }
}

static async void finish(Run *r) {
  for (int i = 0; i < 3; i++)
    close_one(&r->theirs[i]);
  if (!r->ended && r->started)
    stop(r);
  for (size_t i = 0; i < r->started; i++)
    r->statuses[i] = reap(r->pids[i]);
  r->started = 0;
  close_one(&r->feed);
  close_one(&r->out.fd);
  close_one(&r->err.fd);
}

static void release(Run *r) {
  fm__free(r->pids);
  fm__free(r->statuses);
  fm__free(r->out.text);
  fm__free(r->err.text);
}

static void hand_over(Run *r, fm_run_result *to) {
  to->out = r->out.text;
  to->out_size = r->out.size;
  to->out_cut = r->out.cut;
  to->err = r->err.text;
  to->err_size = r->err.size;
  to->err_cut = r->err.cut;
  to->statuses = r->statuses;
  to->count = r->count;
  r->out.text = r->err.text = NULL;
  r->statuses = NULL;
}

void fm_run_free(fm_run_result *r) {
  fm__free(r->out);
  fm__free(r->err);
  fm__free(r->statuses);
  *r = (fm_run_result){ 0 };
}

// ---- all of it ----
static void prepare(Run *r, char *const *const argvs[])
    throws(struct os_error) {
  while (argvs[r->count])
    r->count++;
  if (!r->count)
    fm__fail_os(EINVAL);
  r->pids = fm__alloc(r->count * sizeof *r->pids);
  r->statuses = fm__alloc(r->count * sizeof *r->statuses);
  if (!r->pids || !r->statuses)
    fm__fail_os(ENOMEM);
}

// Starts the processes, and sees them to their end. Returns whether it took too long.
static async bool carry_out(Run *r, char *const *const argvs[], bool collects)
    throws(struct os_error) {
  bool late = false;
  defer finish(r);
  start_all(r, argvs, collects);
  scope(s) {
    if (r->o->time_limit)
      fm_cancel_after(s, r->o->time_limit);
    communicate(r);
  }
  else {
    late = true;
  }
  return late;
}

async int fm_run_pipeline(char *const *const argvs[],
                          const fm_run_options *o,
                          fm_run_result *to) throws(struct os_error) {
  static const fm_run_options none;
  Run r = { .o = o ? o : &none,
            .feed = -1,
            .out = { .fd = -1 },
            .err = { .fd = -1 },
            .theirs = { -1, -1, -1 } };
  if (to)
    *to = (fm_run_result){ 0 };
  defer release(&r);
  prepare(&r, argvs);
  bool late = carry_out(&r, argvs, to != NULL);
  int status = r.statuses[r.count - 1];
  if (to) {
    hand_over(&r, to);
    to->late = late;
  }
  return status;
}

async int fm_run(char *const argv[], const fm_run_options *o, fm_run_result *r)
    throws(struct os_error) {
  char *const *argvs[] = { argv, NULL };
  int status = fm_run_pipeline(argvs, o, r);
  return status;
}
