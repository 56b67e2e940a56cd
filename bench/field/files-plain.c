// files-plain.c: files.c with open, read, write and close.
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
  make_file();
  MEASURE_FILES();
  print_times();
  remove_files();
  return 0;
}
