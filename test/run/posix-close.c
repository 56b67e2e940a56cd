// close, pread and pwrite of <fermata/posix.h>: whoever waits for a descriptor that is closed is told, and does not take what comes to the next one
// of that number.
#include <fermata.h>
#include <fermata/posix.h>
#include <errno.h>
#include <stdlib.h>

static async int reads(int fd) {
  char b[8];
  ssize_t n = read(fd, b, sizeof b);
  return n < 0 ? -errno : (int)n;
}

async int main(void) {
  int first[2], second[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, first)) return 1;
  auto a = spawn reads(first[0]);
  usleep(1000);
  printf("%d\n", close(first[0]));                // expect: 0
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, second)) return 1;
  printf("%d\n", second[0] == first[0]);          // expect: 1
  auto b = spawn reads(second[0]);
  write(second[1], "abc", 3);
  printf("%d\n", await a == -EBADF);              // expect: 1
  printf("%d\n", await b);                        // expect: 3
  int again = close(-1), err = errno;
  printf("%d %d\n", again, err == EBADF);         // expect: -1 1
  char name[] = "/tmp/posix-close-XXXXXX", c = 0;
  int file = mkstemp(name);
  unlink(name);
  printf("%zd\n", pwrite(file, "xyz", 3, 5));     // expect: 3
  printf("%zd", pread(file, &c, 1, 6));
  printf(" %c\n", c);                             // expect: 1 y
  ssize_t none = pread(second[0], &c, 1, 0);
  err = errno;
  printf("%zd %d\n", none, err == ESPIPE);        // expect: -1 1
  defer close(file);
  close(first[1]), close(second[0]), close(second[1]);
}
