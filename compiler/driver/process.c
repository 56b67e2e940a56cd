// process.c: runs commands, and leaves no files when it ends. In: words of a command. Out: its exit
// status as a shell gives it. Temporary files live in one directory of mode 0700 and go when the
// process ends, also by SIGINT, SIGTERM and the like: the handler ends the child first, then
// removes the files, then lets the signal do what it does by default. It may run at any moment, so
// it uses only calls that are safe there, and the lists it reads change with the signals blocked.
#include "driver/driver.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// The hint of fmcc; tools/fermata.c defines its own.
__attribute__((weak)) const char run_hint[] =
    "; choose the C compiler underneath with --cc= or CC=";

// The state that the signal handler reads.
static struct {
  volatile sig_atomic_t child;   // running child, or 0
  volatile sig_atomic_t beside;  // a second child of run_both, or 0
  volatile sig_atomic_t forward; // the child decides what a signal means
  char dir[PATH_MAX];            // the temporary directory, or ""
  char **files;                  // to remove; an entry may be NULL
  size_t len;
  size_t cap;
  const char *output; // a file that is being written, or NULL
  // while standard error is kept: the file that replaces it, and the real one; 0: it is not kept
  int kept;
  int stderr_own;
  bool ready; // handlers are set
  int serial; // of response files
} state;

static const int fatal_signals[] = {
  SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE
};

static void say(const char *kind, const char *fmt, va_list ap) {
  fprintf(stderr, "%s: %s: ", program_name, kind);
  vfprintf(stderr, fmt, ap);
  fputc('\n', stderr);
}

void complain(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say("error", fmt, ap);
  va_end(ap);
}

void advise(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say("note", fmt, ap);
  va_end(ap);
}

// ---- signals ----
static void remove_listed(void) {
  for (size_t i = 0; i < state.len; i++)
    if (state.files[i])
      unlink(state.files[i]);
}

// Removes the output, as the compiler does after errors. /dev/null and other special files stay.
static void remove_output(void) {
  struct stat st;
  if (state.output && stat(state.output, &st) == 0 && S_ISREG(st.st_mode))
    unlink(state.output);
}

void output_at_risk(const char *path) {
  state.output = path;
}

static void on_signal(int sig, siginfo_t *info, void *context) {
  (void)context;
  int keep = errno;
  pid_t child = state.child;
  pid_t beside = state.beside;
  // a signal of the terminal goes to the whole process group, so the child has it, too
  bool from_terminal = info->si_code == SI_KERNEL;
  if (child && (!from_terminal || sig == SIGTERM))
    kill(child, sig);
  if (beside && (!from_terminal || sig == SIGTERM))
    kill(beside, sig);
  if (state.forward && child) {
    errno = keep;
    return;
  }
  if (child)
    waitpid(child, NULL, 0);
  if (beside)
    waitpid(beside, NULL, 0);
  remove_listed();
  if (state.dir[0])
    rmdir(state.dir);
  signal(sig, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, sig);
  raise(sig);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
}

// Removes files that a compiler may have put next to ours.
static void sweep_temp_dir(void) {
  static char buffer[4096];
  int dir = open(state.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (ssize_t n; dir >= 0 && (n = getdents64(dir, buffer, sizeof buffer)) > 0;)
    for (ssize_t at = 0; at < n;) {
      const struct dirent64 *e = (const void *)(buffer + at);
      unlinkat(dir, e->d_name, 0);
      at += e->d_reclen;
    }
  if (dir >= 0)
    close(dir);
  rmdir(state.dir);
}

static void signal_set(sigset_t *set) {
  sigemptyset(set);
  for (size_t i = 0; i < COUNT(fatal_signals); i++)
    sigaddset(set, fatal_signals[i]);
}

static void block_signals(sigset_t *old) {
  sigset_t set;
  signal_set(&set);
  sigprocmask(SIG_BLOCK, &set, old);
}

// Called when memory runs out: it must not allocate.
static void on_sudden_end(void) {
  sigset_t old;
  block_signals(&old);
  if (state.stderr_own)
    dup2(state.stderr_own, 2);
  remove_output();
  remove_listed();
  if (state.dir[0] && rmdir(state.dir) != 0)
    sweep_temp_dir();
}

// A signal that is ignored (nohup, a shell's background job) stays ignored.
static void catch_signals(void) {
  if (state.ready)
    return;
  state.ready = true;
  before_sudden_end = on_sudden_end;
  // if SIGCHLD is ignored, wait() gets no status
  signal(SIGCHLD, SIG_DFL);
  struct sigaction act = { .sa_sigaction = on_signal,
                           .sa_flags = SA_SIGINFO | SA_RESTART };
  struct sigaction old;
  signal_set(&act.sa_mask);
  for (size_t i = 0; i < COUNT(fatal_signals); i++)
    if (sigaction(fatal_signals[i], NULL, &old) == 0 &&
        old.sa_handler != SIG_IGN)
      sigaction(fatal_signals[i], &act, NULL);
}

// ---- files to remove ----
void remove_later(const char *path) {
  sigset_t old;
  char *copy = xstrdup(path);
  catch_signals();
  block_signals(&old);
  if (state.len == state.cap) {
    state.cap = state.cap * 2 + 16;
    state.files = xrealloc(state.files, state.cap * sizeof *state.files);
  }
  state.files[state.len++] = copy;
  sigprocmask(SIG_SETMASK, &old, NULL);
}

void keep_file(const char *path) {
  sigset_t old;
  block_signals(&old);
  for (size_t i = 0; i < state.len; i++) {
    if (!state.files[i] || strcmp(state.files[i], path) != 0)
      continue;
    free(state.files[i]);
    state.files[i] = NULL;
  }
  sigprocmask(SIG_SETMASK, &old, NULL);
}

static void make_temp_dir(void) {
  const char *tmp = getenv("TMPDIR");
  struct stat st;
  char dir[sizeof state.dir];
  if (!tmp || !*tmp || stat(tmp, &st) != 0 || !S_ISDIR(st.st_mode) ||
      access(tmp, W_OK) != 0)
    tmp = "/tmp";
  snprintf(dir, sizeof dir, "%s/%s-XXXXXX", tmp, program_name);
  sigset_t old;
  catch_signals();
  block_signals(&old);
  bool ok = mkdtemp(dir) != NULL;
  if (ok)
    memcpy(state.dir, dir, sizeof dir);
  sigprocmask(SIG_SETMASK, &old, NULL);
  if (!ok) {
    complain("cannot make a temporary directory in %s: %s; set TMPDIR to a "
             "place that can be written",
             tmp,
             strerror(errno));
    exit(1);
  }
  atexit(remove_temps);
}

char *temp_path(Arena *a, const char *name) {
  if (!state.dir[0])
    make_temp_dir();
  char *path = arena_printf(a, "%s/%s", state.dir, name);
  remove_later(path);
  return path;
}

void remove_temps(void) {
  sigset_t old;
  block_signals(&old);
  remove_listed();
  for (size_t i = 0; i < state.len; i++)
    free(state.files[i]);
  free(state.files);
  state.files = NULL;
  state.len = state.cap = 0;
  if (state.dir[0] && rmdir(state.dir) != 0)
    sweep_temp_dir();
  state.dir[0] = 0;
  sigprocmask(SIG_SETMASK, &old, NULL);
}

// ---- whole files ----
bool write_file(const char *path, const Buf *b) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool ok = fd >= 0;
  for (size_t at = 0; ok && at < b->len;) {
    ssize_t n = write(fd, b->data + at, b->len - at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      ok = false;
    else
      at += (size_t)n;
  }
  int why = errno;
  if (fd >= 0 && close(fd) != 0 && ok) {
    ok = false;
    why = errno;
  }
  if (!ok)
    complain("cannot write %s: %s", path, strerror(why));
  return ok;
}

bool stdout_written(void) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return true;
  complain("cannot write standard output: %s", strerror(errno));
  return false;
}

// Moves a descriptor above 2: the user may have closed a standard input or output.
static int above_standard(int fd) {
  if (fd < 0 || fd > 2)
    return fd;
  int other = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  close(fd);
  return other;
}

// In memory, because a full disk would cut the output short.
int capture_open(void) {
  int fd = above_standard(memfd_create(program_name, MFD_CLOEXEC));
  if (fd >= 0)
    return fd;
  char path[sizeof state.dir + 16];
  if (!state.dir[0])
    make_temp_dir();
  snprintf(path, sizeof path, "%s/captured", state.dir);
  fd = above_standard(open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  unlink(path);
  if (fd >= 0)
    return fd;
  complain("cannot write %s: %s", path, strerror(errno));
  exit(1);
}

void capture_read(int fd, Buf *to) {
  buf_add(to, "", 0);
  if (lseek(fd, 0, SEEK_SET) < 0 || !buf_read_fd(to, fd)) {
    complain("cannot read the output of a command: %s", strerror(errno));
    exit(1);
  }
  close(fd);
}

void stderr_keep(void) {
  int own = fcntl(2, F_DUPFD_CLOEXEC, 3);
  int kept = capture_open();
  if (own < 0 || dup2(kept, 2) < 0)
    return;
  catch_signals();
  state.stderr_own = own;
  state.kept = kept;
}

bool stderr_show(Buf *kept) {
  if (!state.stderr_own)
    return false;
  fflush(stderr);
  dup2(state.stderr_own, 2);
  close(state.stderr_own);
  state.stderr_own = 0;
  capture_read(state.kept, kept);
  return true;
}

// ---- showing ----
static bool is_plain_word(const char *w) {
  return *w && strspn(w,
                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123"
                      "456789_-+=./,:@%^") == strlen(w);
}

static void put_quoted(Buf *line, const char *w) {
  buf_putc(line, '"');
  for (; *w; w++) {
    if (strchr("\"\\$`", *w))
      buf_putc(line, '\\');
    buf_putc(line, *w);
  }
  buf_putc(line, '"');
}

void quote_words(const Vec *words, Buf *line) {
  buf_add(line, "", 0);
  for (size_t i = 0; i < words->len; i++) {
    const char *w = words->at[i];
    if (i)
      buf_putc(line, ' ');
    if (is_plain_word(w))
      buf_puts(line, w);
    else
      put_quoted(line, w);
  }
}

void show_command(const Vec *words) {
  Buf line = { 0 };
  buf_putc(&line, ' ');
  quote_words(words, &line);
  buf_putc(&line, '\n');
  fputs(line.data, stderr);
  buf_free(&line);
}

// ---- running ----
// A command line too long for exec goes through a response file, as it probably came from one.
enum { LONGEST = 100 * 1024 };

static size_t length_of(const Vec *words) {
  size_t n = 0;
  for (size_t i = 0; i < words->len; i++)
    n += strlen(words->at[i]) + 1 + sizeof(char *);
  return n;
}

static char *write_response_file(const Vec *words, size_t from) {
  char path[PATH_MAX + 32];
  if (!state.dir[0])
    make_temp_dir();
  snprintf(path, sizeof path, "%s/arguments%d", state.dir, ++state.serial);
  Buf text = { 0 };
  remove_later(path);
  for (size_t i = from; i < words->len; i++) {
    const char *w = words->at[i];
    if (!*w)
      buf_puts(&text, "\"\"");
    for (; *w; w++) {
      if (strchr(" \t\n\r\f\v\"'\\", *w))
        buf_putc(&text, '\\');
      buf_putc(&text, *w);
    }
    buf_putc(&text, '\n');
  }
  if (!write_file(path, &text))
    exit(1);
  buf_free(&text);
  return xasprintf("@%s", path);
}

// The words as an argv; `*file` is the response file's word to free, if there is one.
static char **make_argv(const Vec *words, char **file) {
  char **argv = xmalloc((words->len + 2) * sizeof *argv);
  size_t n = 0;
  *file = NULL;
  // the words of a launcher and of the compiler stay outside the response file
  for (; n < words->len && n < 3; n++)
    argv[n] = words->at[n];
  if (length_of(words) > LONGEST) {
    argv[n] = *file = write_response_file(words, n);
    n++;
  }
  for (; !*file && n < words->len; n++)
    argv[n] = words->at[n];
  argv[n] = NULL;
  return argv;
}

static int cannot_run(const char *program, int why) {
  if (why == ENOMEM)
    out_of_memory();
  complain("cannot run '%s': %s%s", program, strerror(why), run_hint);
  return 1;
}

static void child_signals(posix_spawnattr_t *attr, const sigset_t *mask) {
  sigset_t defaults;
  signal_set(&defaults);
  for (size_t i = 0; i < COUNT(fatal_signals); i++) {
    struct sigaction act;
    if (sigaction(fatal_signals[i], NULL, &act) == 0 &&
        act.sa_handler == SIG_IGN)
      sigdelset(&defaults, fatal_signals[i]);
  }
  posix_spawnattr_init(attr);
  posix_spawnattr_setsigmask(attr, mask);
  posix_spawnattr_setsigdefault(attr, &defaults);
  posix_spawnattr_setflags(attr,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int start(char **argv, Redirect to, pid_t *pid, const sigset_t *mask) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attr;
  posix_spawn_file_actions_init(&files);
  int why = to.out ? posix_spawn_file_actions_adddup2(&files, to.out, 1) : 0;
  if (!why && to.err)
    why = posix_spawn_file_actions_adddup2(&files, to.err, 2);
  child_signals(&attr, mask);
  if (!why)
    why = posix_spawnp(pid, argv[0], &files, &attr, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attr);
  return why;
}

static int status_of(int status, const char *program) {
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  int sig = WTERMSIG(status);
  complain("'%s' was ended by signal %d (%s)", program, sig, strsignal(sig));
  return 128 + sig;
}

static int wait_for(pid_t pid, const char *program) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return 1;
  if (state.child == pid)
    state.child = 0;
  else
    state.beside = 0;
  return status_of(status, program);
}

int run_both(const Vec *words,
             Redirect to,
             const Vec *beside,
             Redirect beside_to,
             int *beside_status) {
  sigset_t old;
  pid_t pid = 0;
  char *file;
  char **argv = make_argv(beside, &file);
  fflush(NULL);
  catch_signals();
  block_signals(&old);
  int why = start(argv, beside_to, &pid, &old);
  if (!why)
    state.beside = pid;
  sigprocmask(SIG_SETMASK, &old, NULL);
  int status = why ? cannot_run(argv[0], why) : run_command(words, to);
  *beside_status = why ? status : wait_for(pid, argv[0]);
  free(file);
  free(argv);
  return status;
}

int run_command(const Vec *words, Redirect to) {
  sigset_t old;
  pid_t pid = 0;
  char *file;
  char **argv = make_argv(words, &file);
  fflush(NULL);
  catch_signals();
  block_signals(&old);
  int why = start(argv, to, &pid, &old);
  if (!why)
    state.child = pid;
  sigprocmask(SIG_SETMASK, &old, NULL);
  int status = why ? cannot_run(argv[0], why) : wait_for(pid, argv[0]);
  free(file);
  free(argv);
  return status;
}

int run_forwarding(const Vec *words) {
  state.forward = 1;
  int status = run_command(words, (Redirect){ 0 });
  state.forward = 0;
  return status;
}

int exec_command(const Vec *words) {
  if (length_of(words) > LONGEST)
    return run_command(words, (Redirect){ 0 });
  char *file;
  char **argv = make_argv(words, &file);
  fflush(NULL);
  remove_temps();
  execvp(argv[0], argv);
  int status = cannot_run(argv[0], errno);
  free(argv);
  return status;
}
