// A child of fork has its parent's epoll set: were it to wait with it, each would get events of the other. It is told so.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static async void in_child(int waits) {
  char c;
  if (waits == 1) fm_sleep(1);
  try {
    if (waits == 2) fm_read(0, &c, 1);
  } catch (struct os_error e) {
    (void)e;
  }
}

// What a child says that waits in this way; and how it ends.
static async void try_it(int waits) throws(struct os_error) {
  char said[200] = "";
  int err[2], in[2];
  fm_pipe(err), fm_pipe(in);
  pid_t pid = fork();
  if (pid == 0) {
    dup2(in[0], 0), dup2(err[1], 2);
    in_child(waits);
    _exit(0);
  }
  fm_close(err[1]);
  fm_read_exact(err[0], said, sizeof said - 1);
  int status = fm_wait_process(pid);
  printf("%d %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, strstr(said, "child of fork") != NULL);
  fm_close(err[0]), fm_close(in[0]), fm_close(in[1]);
}

async int main(void) {
  try {
    fm_sleep(1);
    for (int waits = 0; waits < 3; waits++) try_it(waits);
    // expect: 0 0
    // expect: 1 1
    // expect: 1 1
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));
  }
  return 0;
}
