// process.c: child processes, and terminals. The end of a child is waited for through a descriptor
// of the process (pidfd); where the kernel has none, it is asked for from time to time.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;

// ---- its end ----
// Whether it has ended; it is not reaped.
static bool has_ended(pid_t pid) throws(struct os_error) {
  siginfo_t info;
  int got;
  info.si_pid = 0;
  do
    got = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    throw(struct os_error){ errno };
  return info.si_pid == pid;
}

static int open_process(pid_t pid) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, pid, 0); // close-on-exec by itself
#else
  (void)pid;
  errno = ENOSYS;
  return -1;
#endif
}

static async void wait_by_asking(pid_t pid) throws(struct os_error) {
  enum { LONGEST = 64 };
  for (uint64_t delay = 1; !has_ended(pid);
       delay = delay < LONGEST ? delay * 2 : delay) {
    fm_sleep(delay);
    fm_checkpoint();
  }
}

async void fm__wait_ended(pid_t pid) throws(struct os_error) {
  if (has_ended(pid))
    return;
  int fd = open_process(pid);
  if (fd < 0) {
    wait_by_asking(pid);
    return;
  }
  fm__new_fd(fd);
  defer fm_close(fd);
  while (!has_ended(pid))
    fm__wait_fd(fd, FM_READABLE);
}

int fm__reap(pid_t pid) throws(struct os_error) {
  int status = 0;
  pid_t got;
  do
    got = waitpid(pid, &status, 0);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    throw(struct os_error){ errno };
  return status;
}

async int fm_wait_process(pid_t pid) throws(struct os_error) {
  if (pid <= 0)
    throw(struct os_error){ EINVAL };
  fm__wait_ended(pid);
  return fm__reap(pid);
}

// ---- its beginning ----
typedef struct Ends { // of one of its three descriptors
  int theirs;         // -1: it inherits ours
  int ours;           // of a pipe; -1: none
  bool to_close;      // closes `theirs` when the child has begun
} Ends;

// Returns 0, or an errno.
static int open_pipe(Ends *e, bool they_read) {
  int fds[2];
  int err;
  if (pipe2(fds, O_CLOEXEC) < 0)
    return errno;
  *e = (Ends){ fds[!they_read], fds[they_read], true };
  // Ours alone: each end has its own mode.
  if (fcntl(e->ours, F_SETFL, O_NONBLOCK) == 0)
    return 0;
  err = errno;
  close(fds[0]);
  close(fds[1]);
  *e = (Ends){ -1, -1, false };
  return err;
}

static int open_ends(Ends *e, int wanted, int which) {
  *e = (Ends){ wanted, -1, false };
  if (wanted == FM_PIPE)
    return open_pipe(e, which == 0);
  if (wanted == FM_NULL) {
    *e = (Ends){ open("/dev/null",
                      (which == 0 ? O_RDONLY : O_WRONLY) | O_CLOEXEC),
                 -1,
                 true };
    return e->theirs < 0 ? errno : 0;
  }
  return wanted < FM_INHERIT ? EINVAL : 0;
}

static void close_ends(const Ends *e, bool failed) {
  if (e->to_close && e->theirs >= 0)
    close(e->theirs);
  if (failed && e->ours >= 0)
    close(e->ours);
}

// A descriptor that is to be 0, 1 or 2 may be one of these now, and be needed for another: so all
// are moved up first.
static int add_actions(posix_spawn_file_actions_t *actions, Ends ends[3]) {
  for (int i = 0; i < 3; i++) {
    if (ends[i].theirs < 0 || ends[i].theirs > 2)
      continue;
    int moved = fcntl(ends[i].theirs, F_DUPFD_CLOEXEC, 3);
    if (moved < 0)
      return errno;
    if (ends[i].to_close)
      close(ends[i].theirs);
    ends[i].theirs = moved;
    ends[i].to_close = true;
  }
  for (int i = 0; i < 3; i++) {
    int err =
        ends[i].theirs < 0
            ? 0
            : posix_spawn_file_actions_adddup2(actions, ends[i].theirs, i);
    if (err)
      return err;
  }
  return 0;
}

// The child gets the signals in their initial state, whatever this process has done to its own.
static void set_attributes(posix_spawnattr_t *attr,
                           const fm_process_options *o) {
  bool in_group = o->own_group || o->group;
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(attr, &none);
  posix_spawnattr_setsigdefault(attr, &all);
  posix_spawnattr_setpgroup(attr, o->group);
  posix_spawnattr_setflags(
      attr,
      (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
              (o->own_session ? POSIX_SPAWN_SETSID : 0) |
              (in_group && !o->own_session ? POSIX_SPAWN_SETPGROUP : 0)));
}

static int start(pid_t *pid,
                 char *const argv[],
                 char *const envp[],
                 Ends ends[3],
                 const fm_process_options *o) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attr;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attr);
  set_attributes(&attr, o);
  int err = add_actions(&actions, ends);
  if (!err && o->directory)
    err = posix_spawn_file_actions_addchdir_np(&actions, o->directory);
  if (!err)
    err = posix_spawnp(
        pid, argv[0], &actions, &attr, argv, envp ? envp : environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attr);
  return err;
}

pid_t fm_spawn_process_with(char *const argv[],
                            char *const envp[],
                            int fds[3],
                            const fm_process_options *o)
    throws(struct os_error) {
  Ends ends[3] = { { -1, -1, false }, { -1, -1, false }, { -1, -1, false } };
  pid_t pid = -1;
  int err = argv[0] ? 0 : EINVAL;
  for (int i = 0; i < 3 && fds && !err; i++)
    err = open_ends(&ends[i], fds[i], i);
  if (!err)
    err = start(&pid, argv, envp, ends, o);
  for (int i = 0; i < 3; i++)
    close_ends(&ends[i], err != 0);
  if (err)
    throw(struct os_error){ err };
  for (int i = 0; i < 3; i++)
    if (ends[i].ours >= 0)
      fds[i] = fm__new_fd(ends[i].ours);
  return pid;
}

pid_t fm_spawn_process(char *const argv[], char *const envp[], int fds[3])
    throws(struct os_error) {
  return fm_spawn_process_with(argv, envp, fds, &(fm_process_options){ 0 });
}

// ---- terminals ----
struct fm_tty {
  int fd;
  struct termios was;
};

fm_tty *fm_tty_raw(int fd) throws(struct os_error) {
  fm_tty *t = malloc(sizeof *t);
  if (!t)
    throw(struct os_error){ ENOMEM };
  t->fd = fd;
  if (tcgetattr(fd, &t->was) == 0) {
    struct termios raw = t->was;
    cfmakeraw(&raw);
    if (tcsetattr(fd, TCSADRAIN, &raw) == 0)
      return t;
  }
  int err = errno;
  free(t);
  throw(struct os_error){ err };
}

void fm_tty_restore(fm_tty *t) {
  if (t)
    tcsetattr(t->fd, TCSADRAIN, &t->was);
  free(t);
}
