// Writing to who has gone throws EPIPE, or ECONNRESET, and raises no SIGPIPE: sockets, pipes that block or not, a child's input. The
// signal's mask and what was pending before stay as they were.
#include <fermata.h>
#include <fermata/io.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char port[16];

static async void write_until_it_fails(const char *what, int fd) {
  static char zeros[65536];
  try {
    for (;;) fm_write_all(fd, zeros, sizeof zeros);
  } catch (struct os_error e) {
    bool gone = e.code == EPIPE || e.code == ECONNRESET;
    printf("%s: %s\n", what, gone ? "gone" : strerror(e.code));
  }
  fm_close(fd);
}

static async void of_sockets(void) throws(struct os_error) {
  int l = fm_listen("127.0.0.1", "0", 8);
  snprintf(port, sizeof port, "%d", fm_local_port(l));
  int fd = fm_connect("127.0.0.1", port);
  fm_close(fm_accept(l));
  write_until_it_fails("tcp", fd);                // expect: tcp: gone
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) throw (struct os_error){ errno };
  fm_close(pair[0]);
  write_until_it_fails("local", pair[1]);         // expect: local: gone
  fm_close(l);
}

static async void of_pipes(void) throws(struct os_error) {
  int fds[2];
  fm_pipe(fds);
  fm_close(fds[0]);
  write_until_it_fails("pipe", fds[1]);           // expect: pipe: gone
  if (pipe(fds)) throw (struct os_error){ errno };
  fm_close(fds[0]);
  write_until_it_fails("blocking pipe", fds[1]);  // expect: blocking pipe: gone
}

static async void of_a_child(void) throws(struct os_error) {
  int fds[3] = { FM_PIPE, FM_NULL, FM_INHERIT };
  pid_t pid = fm_spawn_process((char *[]){ "true", NULL }, NULL, fds);
  write_until_it_fails("child", fds[0]);          // expect: child: gone
  fm_wait_process(pid);
}

static bool is_pending(void) {
  sigset_t set;
  sigpending(&set);
  return sigismember(&set, SIGPIPE);
}

async int main(void) {
  sigset_t pipe_only, now;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  try {
    of_sockets();
    of_pipes();
    of_a_child();
    printf("%d %d\n", signal(SIGPIPE, SIG_DFL) == SIG_DFL, is_pending()); // expect: 1 0
    sigprocmask(SIG_BLOCK, &pipe_only, NULL);
    raise(SIGPIPE);                               // pending since before: it stays
    of_pipes();                                   // expect: pipe: gone
                                                  // expect: blocking pipe: gone
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("%d %d\n", sigismember(&now, SIGPIPE), is_pending()); // expect: 1 1
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
