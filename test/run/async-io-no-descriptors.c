// When the process has no descriptor left, fm_accept waits, says so once, and goes on when there is one.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static async int accepts(int l) throws(struct os_error) {
  int n = 0;
  for (; n < 3; n++) fm_close(fm_accept(l));
  return n;
}

async int main(void) {
  enum { MOST = 40 };
  int fds[MOST], n = 0;
  struct rlimit limit = { MOST, MOST };
  char port[16];
  try {
    int l = fm_listen("127.0.0.1", "0", 8), said[2];
    snprintf(port, sizeof port, "%d", fm_local_port(l));
    for (int i = 0; i < 3; i++) fm_connect("127.0.0.1", port);
    fm_pipe(said);
    dup2(said[1], 2);
    setrlimit(RLIMIT_NOFILE, &limit);
    while ((fds[n] = dup(0)) >= 0) n++;
    auto t = spawn accepts(l);
    fm_sleep(30);
    printf("%d\n", fm_alive(fm_id(t)));           // expect: 1
    fm_close(fds[--n]);
    printf("%d\n", await t);                      // expect: 3
    char text[1000] = "";
    fm_close(said[1]);
    ssize_t length = fm_read(said[0], text, sizeof text - 1);
    int lines = 0;
    for (ssize_t i = 0; i < length; i++) lines += text[i] == '\n';
    printf("%d %d\n", lines, strstr(text, "Too many open files") != NULL); // expect: 1 1
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
