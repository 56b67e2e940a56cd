// files.c: regular files that are in the page cache. Processor time, all threads: the best of many
// chunks.
//     read4k             fm_read of 4 KB: nanoseconds each
//     copy4k, copy64k    a file copied in such pieces: nanoseconds a kilobyte
#include <fermata.h>
#include <fermata/io.h>

#include "files.h"

static char piece[1 << 16];

static async long read_all(const char *name, size_t n) throws(struct os_error) {
  int fd = fm_open(name, O_RDONLY, 0);
  defer fm_close(fd);
  long reads = 0;
  while (fm_read(fd, piece, n) > 0)
    reads++;
  return reads;
}

static async long copy(const char *from, const char *to, size_t n)
    throws(struct os_error) {
  int in = fm_open(from, O_RDONLY, 0);
  defer fm_close(in);
  int out = fm_open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  defer fm_close(out);
  long copied = 0;
  for (ssize_t got; (got = fm_read(in, piece, n)) > 0; copied += got)
    fm_write_all(out, piece, (size_t)got);
  return copied;
}

static async void measure(void) throws(struct os_error) {
  MEASURE_FILES();
  print_times();
}

int main(void) {
  make_file();
  try {
    run measure();
  } catch (struct os_error e) {
    fprintf(stderr, "files: error %d\n", e.code);
    return 1;
  }
  remove_files();
  return 0;
}
