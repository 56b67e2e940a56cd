// files-plain.c: files.c with open, read, write and close.
#include "../clock.h"
#include "files.h"

static char piece[1 << 16];

static long read_all(const char *name, size_t n) {
  int fd = open(name, O_RDONLY);
  long reads = 0;
  check(fd >= 0);
  while (read(fd, piece, n) > 0)
    reads++;
  close(fd);
  return reads;
}

static void write_all(int fd, const char *from, size_t n) {
  while (n > 0) {
    ssize_t done = write(fd, from, n);
    check(done > 0);
    from += done;
    n -= (size_t)done;
  }
}

static long copy(const char *from, const char *to, size_t n) {
  int in = open(from, O_RDONLY),
      out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  long copied = 0;
  check(in >= 0 && out >= 0);
  for (ssize_t got; (got = read(in, piece, n)) > 0; copied += got)
    write_all(out, piece, (size_t)got);
  close(in);
  close(out);
  return copied;
}

int main(void) {
  double best[3] = { 0 };
  make_file();
  for (int k = 0; k < chunks(CHUNKS); k++) {
    double start = cpu_now();
    long reads = read_all(FROM, 4096);
    keep_best(&best[0], (cpu_now() - start) / (double)reads);
    check(reads == SIZE / 4096);
    for (int i = 1; i < 3; i++) {
      start = cpu_now();
      long copied = copy(FROM, TO, i == 1 ? 4096 : 65536);
      keep_best(&best[i], (cpu_now() - start) / (SIZE / 1024));
      check(copied == SIZE && is_copy());
    }
  }
  printf("read4k %.1f\ncopy4k %.1f\ncopy64k %.1f\n", best[0], best[1], best[2]);
  remove_files();
  return 0;
}
