// Without a descriptor for the library: time, activities and other domains work, waits for descriptors throw EMFILE, and do wait once there are
// descriptors again. Whatever is deferred runs.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void limit_to(rlim_t n) {
  struct rlimit l;
  getrlimit(RLIMIT_NOFILE, &l);
  l.rlim_cur = n;
  setrlimit(RLIMIT_NOFILE, &l);
}

static async int elsewhere(int x) {
  fm_sleep(5);
  return x;
}

static async void read_one(int fd) {
  char c;
  defer puts("deferred");
  try {
    fm_read(fd, &c, 1);
    printf("read %c\n", c);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));
  }
}

static async void write_later(int fd) {
  fm_sleep(2);
  if (write(fd, "x", 1) != 1) puts("not written");
}

async int main(void) {
  int fds[2];
  struct rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  if (pipe(fds)) return 1;
  limit_to(0);
  fm_sleep(2);
  race {
  case fm_sleep(1000): puts("late");
  case fm_sleep(1): puts("soon");            // expect: soon
  }
  fm_pool *p = fm_pool_new(2);
  auto t = spawn on(p) elsewhere(7);
  auto u = spawn on(p) elsewhere(8);
  printf("%d %d\n", await t, await u);       // expect: 7 8
  read_one(fds[0]);
  // expect: Too many open files
  // expect: deferred
  try {
    fm_pipe(fds);
  } catch (struct os_error e) {
    printf("%d\n", e.code == EMFILE);        // expect: 1
  }
  auto late = spawn elsewhere(9);
  yield;
  limit_to(before.rlim_cur);
  auto w = spawn write_later(fds[1]);
  read_one(fds[0]);
  // expect: read x
  // expect: deferred
  await w;
  printf("%d\n", await late);                // expect: 9
  fm_pool_free(p);
  return 0;
}
