// In async code a direct call of a libc function means the async one of the same name that is declared; nothing else does.
#include <fermata.h>
#include <unistd.h>
static async ssize_t fm_posix_read(int fd, void *b, size_t n) { (void)fd; (void)b; yield; return (ssize_t)n + 1; }
static ssize_t plain(void) { char b[4]; return read(-1, b, 4); }
struct ops { ssize_t (*read)(int, void *, size_t); };
async int main(void) {
  char b[4];
  struct ops ops = { read };
  ssize_t (*p)(int, void *, size_t) = &read;
  printf("%zd %zd\n", read(-1, b, 4), atomic read(-1, b, 5)); // expect: 5 6
  printf("%zd %zd %zd\n", p(-1, b, 4), ops.read(-1, b, 4), plain()); // expect: -1 -1 -1
  return 0;
}
