// Who opens a FIFO to write waits for a reader; who opens it to read waits for the writer when it reads. Both can be cancelled, and no file waits for them.
#include <errno.h>
#include <fcntl.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MANY = 20 };
static int cancelled;

static async void gives_up(const char *name) throws(struct os_error) {
  scope (s) {
    fm_cancel_after(s, 20);
    fm_close(fm_open(name, O_WRONLY, 0));
  } else {
    cancelled++;
  }
}

static async void write_to(const char *name) throws(struct os_error) {
  int fd = fm_open(name, O_WRONLY, 0);
  defer fm_close(fd);
  printf("blocks: %d\n", !(fcntl(fd, F_GETFL) & O_NONBLOCK));
  fm_write_all(fd, "hello", 5);
}

async int main(void) {
  char name[] = "fifo-XXXXXX", buf[8] = "";
  close(mkstemp(name));
  unlink(name);
  if (mkfifo(name, 0600)) return 1;
  defer unlink(name);
  try {
    scope (all) {
      for (int i = 0; i < MANY; i++) spawn gives_up(name);
      fm_sleep(1);
      fm_close(fm_open("/dev/null", O_RDONLY, 0));
      printf("a file is opened\n");               // expect: a file is opened
    }
    printf("%d\n", cancelled);                    // expect: 20
    int fd = fm_open(name, O_RDONLY, 0);
    defer fm_close(fd);
    scope (s) {
      fm_cancel_after(s, 5);
      fm_read(fd, buf, sizeof buf);
    } else {
      printf("no writer\n");                      // expect: no writer
    }
    scope (both) {
      spawn write_to(name);
      fm_read_exact(fd, buf, 5);
    }
    // expect: blocks: 1
    printf("%s %zd\n", buf, fm_read(fd, buf, 1)); // expect: hello 0
    fm_open("/no/such/fifo", O_WRONLY, 0);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));             // expect: No such file or directory
  }
  return 0;
}
