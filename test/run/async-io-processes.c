// Signals and child processes.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static async int two_signals(void) throws(struct os_error) {
  int sum = fm_wait_signal(SIGUSR2);
  fm_sleep(3);                                    // one comes meanwhile, and is kept
  return sum + fm_wait_signal(SIGUSR2);
}

async int main(void) {
  try {
    auto t = spawn two_signals();
    auto also = spawn fm_wait_signal(SIGUSR2);
    fm_sleep(1);
    kill(getpid(), SIGUSR2);
    printf("%d\n", await also == SIGUSR2);        // expect: 1
    kill(getpid(), SIGUSR2);
    printf("%d\n", await t == 2 * SIGUSR2);       // expect: 1
    race {
      case fm_wait_signal(SIGHUP): printf("?\n"); break;
      case fm_sleep(2): printf("none\n"); break;  // expect: none
    }

    char buf[100];
    int fds[3] = { FM_PIPE, FM_PIPE, FM_NULL };
    char *cat[] = { "cat", NULL };
    pid_t pid = fm_spawn_process(cat, NULL, fds);
    fm_write_all(fds[0], "through the cat", 15);
    fm_close(fds[0]);
    size_t n = fm_read_exact(fds[1], buf, sizeof buf);
    printf("%.*s\n", (int)n, buf);                // expect: through the cat
    fm_close(fds[1]);
    printf("%d\n", fm_wait_process(pid));         // expect: 0

    char *sh[] = { "sh", "-c", "sleep 0.02; exit 3", NULL };
    pid = fm_spawn_process(sh, NULL, NULL);
    int status = fm_wait_process(pid);
    printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1); // expect: 3

    char *out_is_err[] = { "sh", "-c", "echo to error >&2; kill -TERM $$", NULL };
    int both[2], three[3] = { FM_NULL, FM_INHERIT, 0 };
    fm_pipe(both);
    three[2] = both[1];
    pid = fm_spawn_process(out_is_err, (char *[]){ "PATH=/bin:/usr/bin", NULL }, three);
    fm_close(both[1]);
    n = fm_read_exact(both[0], buf, sizeof buf);
    printf("%.*s", (int)n, buf);                  // expect: to error
    fm_close(both[0]);
    status = fm_wait_process(pid);
    printf("%d\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM); // expect: 1

    int output[3] = { FM_NULL, FM_PIPE, FM_INHERIT };
    pid = fm_spawn_process_with((char *[]){ "pwd", NULL }, NULL, output, &(fm_process_options){ .directory = "/usr" });
    n = fm_read_exact(output[1], buf, sizeof buf);
    printf("%.*s", (int)n, buf);                  // expect: /usr
    fm_close(output[1]);
    fm_wait_process(pid);
    char *where[] = { "sh", "-c", "read -r pid name state parent group session rest < /proc/$$/stat; "
                                  "echo $((group == $$)) $((session == $$)); sleep 60 & wait", NULL };
    for (int own = 1; own < 4; own++) {
      output[0] = FM_NULL, output[1] = FM_PIPE;
      pid = fm_spawn_process_with(where, NULL, output, &(fm_process_options){ .own_group = own & 1, .own_session = own & 2 });
      n = fm_read_exact(output[1], buf, 4);
      printf("%.*s", (int)n, buf);
      kill(-pid, SIGKILL);                        // its child, which has the pipe as well, is in its group
      printf("%zd\n", fm_read(output[1], buf, 1));
      fm_close(output[1]);
      fm_wait_process(pid);
    }
    // expect: 1 0
    // expect: 0
    // expect: 1 1
    // expect: 0
    // expect: 1 1
    // expect: 0
    try {
      fm_spawn_process_with(where, NULL, NULL, &(fm_process_options){ .directory = "/no/such" });
    } catch (struct os_error e) {
      printf("%s\n", strerror(e.code));           // expect: No such file or directory
    }

    pid = fm_spawn_process((char *[]){ "sleep", "60", NULL }, NULL, NULL);
    scope (s) {
      fm_cancel_after(s, 5);
      fm_wait_process(pid);
    } else {
      printf("it sleeps\n");                      // expect: it sleeps
    }
    kill(pid, SIGKILL);
    status = fm_wait_process(pid);
    printf("%d\n", WTERMSIG(status) == SIGKILL);  // expect: 1
    try {
      fm_wait_process(pid);
    } catch (struct os_error e) {
      printf("%s\n", strerror(e.code));           // expect: No child processes
    }
    fm_spawn_process((char *[]){ "/no/such/program", NULL }, NULL, NULL);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));             // expect: No such file or directory
  }
  return 0;
}
