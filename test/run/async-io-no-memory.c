// Whichever allocation fails in a program that uses files, pipes, names, timers, other domains and nested calls: it ends with status 1 and
// says of what it had no memory, or gets an error where that is promised, or goes on. It never crashes.
// env: FERMATA_TICK=off
// flags: -pthread
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- the heap ----
static _Atomic int calls;
static int fail_at;                               // the number of the call that fails; 0: none

static void *counting(void *unused, void *p, size_t n) {
  (void)unused;
  if (n && ++calls == fail_at)
    return NULL;
  if (n)
    return realloc(p, n);
  free(p);
  return NULL;
}

// ---- what allocates ----
enum { GOT_ERROR = 3 };

static async int deep(int n) {
  yield;
  return n ? deep(n - 1) + 1 : 0;
}

static intptr_t call(void *arg) { return (intptr_t)arg; }

static async void files(void) throws(struct os_error) {
  char c;
  int fds[2];
  fm_close(fm_open("/dev/null", O_RDONLY, 0));
  fm_pipe(fds);
  auto t = spawn fm_write_all(fds[1], "x", 1);
  fm_read(fds[0], &c, 1);
  await t;
  scope(s) {
    fm_cancel_after(s, 1);
    fm_read(fds[0], &c, 1);
  }
  fm_close(fds[0]), fm_close(fds[1]);
}

static async int names(void) {
  struct addrinfo *all = NULL;
  int got = fm_getaddrinfo("127.0.0.1", "http", NULL, &all);
  if (got == 0)
    freeaddrinfo(all);
  return got;
}

static async void timers(void) {
  enum { N = 12 };
  task(void) t[N];
  for (int i = 0; i < N; i++)
    t[i] = spawn fm_sleep((uint64_t)i % 3 + 1);
  fm_all(t, N);
  for (int i = 0; i < N; i++)
    await t[i];
}

static async bool domains(void) {
  fm_pool *p = fm_pool_new(2);
  if (!p)
    return false;
  auto t = spawn on(p) deep(20);
  auto u = spawn on(p) deep(3);
  int sum = await t + await u;
  fm_pool_free(p);
  return sum == 23;
}

static async int everything(void) {
  int got = 0;
  deep(30);
  timers();
  try {
    files();
  } catch (struct os_error e) {
    got = e.code == ENOMEM ? GOT_ERROR : 4;
  }
  if (names() == EAI_MEMORY || !domains())
    got = GOT_ERROR;
  return fm_offload(call, (void *)7) == 7 ? got : 5;
}

// ---- one failure after the other, each in a process of its own ----
// All that comes until the other end is closed.
static void read_all(int fd, char *to, size_t size) {
  size_t have = 0;
  ssize_t n;
  while (have < size - 1 && (n = read(fd, to + have, size - 1 - have)) > 0)
    have += (size_t)n;
  to[have] = 0;
}

static void in_child(int at, int counts) {
  fail_at = at;
  alarm(20);
  int got = run everything();
  int c = calls;
  if (write(counts, &c, sizeof c) < 0)
    abort();
  exit(got);
}

static int attempt(int at, int *made, char *err, size_t size) {
  int words[2], counts[2], status;
  if (pipe(words) || pipe(counts))
    abort();
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    dup2(words[1], STDERR_FILENO);
    in_child(at, counts[1]);
  }
  close(words[1]);
  close(counts[1]);
  read_all(words[0], err, size);
  if (read(counts[0], made, sizeof *made) != sizeof *made)
    *made = 0;
  waitpid(child, &status, 0);
  close(words[0]);
  close(counts[0]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int main(void) {
  char err[4096];
  int made = 0, now, wrong = 0;
  fm_set_allocator(counting, NULL);
  printf("%d", attempt(0, &made, err, sizeof err));
  printf(" %s %s\n", err, made > 15 ? "many" : "few");     // expect: 0  many
  for (int i = 1; i <= made; i++) {
    int status = attempt(i, &now, err, sizeof err);
    if (status == 1 && strncmp(err, "fermata: out of memory", 22) == 0)
      continue;
    if ((status == 0 || status == GOT_ERROR) && !*err)
      continue;
    printf("%d: status %d, %s\n", i, status, err);
    wrong++;
  }
  printf("wrong: %d\n", wrong);                           // expect: wrong: 0
  return 0;
}
