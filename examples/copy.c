// copy.c: a stream is copied in pieces, first one step after the other, then with the writing of a piece and the reading of the next one
// overlapped: CopyToAsync and CopyToParallel of "Pause 'n' Play" (paper 000, §2.2 and §2.3).
//
// The first version is the blocking one plus a word. The second keeps the write under way as a task, and awaits it only when the
// next piece has been read. Both ends are pipes behind slow lines, 10 ms a piece; under virtual time the program waits for none of it.
//   fmcc -O2 -o copy copy.c && FERMATA_DRIVER=virtual ./copy
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <string.h>

enum { PIECE = 0x1000, PIECES = 10, LINE_MS = 10 };

static async ssize_t slow_read(int fd, void *buf, size_t n) throws(struct os_error) {
  fm_sleep(LINE_MS);
  return fm_read(fd, buf, n);
}

static async void slow_write(int fd, const void *buf, size_t n) throws(struct os_error) {
  fm_sleep(LINE_MS);
  fm_write_all(fd, buf, n);
}

static async long copy(int src, int dst) throws(struct os_error) {
  char buffer[PIECE];
  long total = 0;
  ssize_t n;
  while ((n = slow_read(src, buffer, sizeof buffer)) > 0) {
    slow_write(dst, buffer, (size_t)n);
    total += n;
  }
  return total;
}

static async long copy_overlapped(int src, int dst) throws(struct os_error) {
  char buffers[2][PIECE];
  int current = 0;
  long total = 0;
  ssize_t n;
  task(void) last_write = spawn slow_write(dst, NULL, 0);
  while ((n = slow_read(src, buffers[current], PIECE)) > 0) {
    await last_write;                                                // ask later
    last_write = spawn slow_write(dst, buffers[current], (size_t)n); // shoot first
    total += n;
    current = !current;
  }
  await last_write;
  return total;
}

// Fills a pipe, copies it into another by `way`, and compares what has come out.
static async void try_it(const char *name, async long (*way)(int src, int dst) throws(struct os_error)) throws(struct os_error) {
  static char sent[PIECES * PIECE], got[PIECES * PIECE];
  int in[2], out[2];
  for (size_t i = 0; i < sizeof sent; i++) sent[i] = (char)(i * i >> 7);
  memset(got, 0, sizeof got);
  fm_pipe(in);
  defer fm_close(in[0]);
  fm_pipe(out);
  defer { fm_close(out[0]); fm_close(out[1]); }
  fm_write_all(in[1], sent, sizeof sent);
  fm_close(in[1]);
  uint64_t start = fm_now();
  long total = way(in[0], out[1]);
  uint64_t ms = (fm_now() - start) / 1000000;
  fm_read_exact(out[0], got, sizeof got);
  printf("%s: %ld bytes in %d ms, %s\n", name, total, (int)ms, memcmp(sent, got, sizeof got) ? "damaged" : "intact");
}

async int main(void) {
  try {
    try_it("one after the other", copy);
    try_it("overlapped", copy_overlapped);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
// env: FERMATA_DRIVER=virtual
// output: one after the other: 40960 bytes in 210 ms, intact
// output: overlapped: 40960 bytes in 110 ms, intact
