// A child of fork may return from async main: the threads of the pool and of the slices are its parent's.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <sys/wait.h>
#include <unistd.h>

// LeakSanitizer cannot look into the threads that the child does not have.
static int is_child;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return is_child; }

static async int later(int n) {
  yield;
  return n;
}

async int main(void) {
  fm_pool *p = fm_pool_new(2);
  auto t = spawn on(p) later(2);
  int two = await t;
  fflush(stdout);
  pid_t pid = fork();
  is_child = !pid;
  if (is_child) return 3 + two;
  try {
    int status = fm_wait_process(pid);
    printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1); // expect: 5
  } catch (struct os_error e) {
    printf("failed: %d\n", e.code);
  }
  fm_pool_free(p);
  return 0;
}
