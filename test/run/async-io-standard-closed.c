// Who was started without standard input and output does not get the driver's own descriptors for them.
#include <errno.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <fcntl.h>
#include <unistd.h>

static int code;

static async void try_them(void) {
  char c;
  fm_sleep(1);
  for (int fd = 0; fd < 2; fd++) {
    try {
      if (fd) fm_write(fd, "x", 1);
      else fm_read(fd, &c, 1);
    } catch (struct os_error e) {
      code += e.code == EBADF;
    }
  }
}

int main(void) {
  int out = fcntl(1, F_DUPFD_CLOEXEC, 10);
  close(0), close(1);
  run try_them();
  if (dup2(out, 1) < 0) return 1;
  printf("%d\n", code);                           // expect: 2
  return 0;
}
