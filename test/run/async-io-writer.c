// fm_printf and writers: whole texts, errors, cancels, and what is left in the buffer.
#include <errno.h>
#include <fcntl.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool no_memory;

static void *heap(void *unused, void *p, size_t n) {
  (void)unused;
  if (n > 5000 && no_memory)
    return NULL;
  if (n)
    return realloc(p, n);
  free(p);
  return NULL;
}

static char big[300000];

static async void say(int fd, const char *fmt, ...) throws(struct os_error) {
  va_list ap;
  va_start(ap, fmt);
  fm_vprintf(fd, fmt, ap);
  va_end(ap);
}

static async void prints(void) throws(struct os_error) {
  fflush(stdout);
  printf("%d\n", fm_printf(1, "%s %d %.2f\n", "text", 7, 1.5));
  // expect: text 7 1.50
  // expect: 12
  fflush(stdout);
  printf("%d\n", fm_printf(1, "%s", ""));       // expect: 0
  fflush(stdout);
  say(1, "%s %c\n", "by a list", '!');          // expect: by a list !
  try {
    fm_printf(-1, "x");
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));           // expect: Bad file descriptor
  }
  no_memory = true;
  try {
    fm_printf(1, "%6000d", 1);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));           // expect: Cannot allocate memory
  }
  no_memory = false;
}

static async size_t count_all(int fd) throws(struct os_error) {
  static char buf[4096];
  size_t all = 0;
  for (size_t n; (n = (size_t)fm_read(fd, buf, sizeof buf));)
    all += n;
  return all;
}

static async void print(int fd, const char *text) throws(struct os_error) {
  fm_printf(fd, "%s", text);
}

// A text that has begun is written to its end; a text that has not is not written at all.
static async void cancels(void) throws(struct os_error) {
  int fds[2];
  fm_pipe(fds);
  auto first = spawn now print(fds[1], big); // fills the pipe
  auto second = spawn now print(fds[1], "never");
  fm_cancel(fm_id(second));
  fm_cancel(fm_id(first));
  fm_join(fm_id(second));
  printf("%d\n", fm_alive(fm_id(first)));       // expect: 1
  auto reader = spawn count_all(fds[0]);
  fm_join(fm_id(first));
  fm_close(fds[1]);
  printf("%zu\n", await reader);                // expect: 299999
  fm_close(fds[0]);
  try {
    await first;
  } catch (struct fm_cancelled) {
  }
  try {
    await second;
  } catch (struct fm_cancelled) {
    printf("cancelled\n");                      // expect: cancelled
  }
}

static size_t dropped;

static async void use_writer(int fd, fm_activity *scope_of) throws(struct os_error) {
  fm_writer w;
  fm_writer_init(&w, fd);
  defer dropped = fm_writer_free(&w);
  fm_writer_printf(&w, "%d,", 1);
  fm_writer_write(&w, "two,", 4);
  if (scope_of) {
    fm_writer_flush(&w);
    fm_writer_write(&w, big, sizeof big);
    fm_cancel(*scope_of);
    fm_writer_write(&w, "not added", 9);
  }
}

static async void writers(void) throws(struct os_error) {
  int fds[2];
  fm_reader in;
  fm_pipe(fds);
  fm_reader_init(&in, fds[0]);
  use_writer(fds[1], NULL);
  printf("%zu\n", dropped);                     // expect: 0
  scope (s) {
    use_writer(fds[1], &s);
  }
  fm_close(fds[1]);
  size_t got = strlen(fm_reader_rest(&in, SIZE_MAX));
  printf("%d %zu\n", dropped > 100000, got + dropped); // expect: 1 300012
  fm_reader_free(&in);
  fm_close(fds[0]);
}

// A call that fails, or is cancelled, adds nothing; what was added is written later.
static async void goes_on(void) throws(struct os_error) {
  int fds[2];
  fm_writer w;
  fm_pipe(fds);
  fm_writer_init(&w, fds[1]);
  fm_writer_write(&w, big, 100000);
  scope (s) {
    fm_cancel_after(s, 2);
    fm_writer_write(&w, big, 100000);
  } else {
    printf("%zu\n", fm_writer_buffered(&w));    // expect: 34464
  }
  auto t = spawn count_all(fds[0]);
  fm_writer_flush(&w);
  no_memory = true;
  try {
    fm_writer_write(&w, big, sizeof big);
  } catch (struct os_error e) {
    printf("%s %zu\n", strerror(e.code), fm_writer_buffered(&w));
    // expect: Cannot allocate memory 0
  }
  no_memory = false;
  fm_writer_write(&w, "end", 3);
  fm_writer_flush(&w);
  fm_close(fds[1]);
  printf("%zu\n", await t);                     // expect: 100003
  fm_close(fds[0]);
  fm_pipe(fds);
  w.fd = fds[1];
  fm_close(fds[0]);
  fm_writer_write(&w, "lost", 4);
  try {
    fm_writer_flush(&w);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));           // expect: Broken pipe
  }
  printf("%zu\n", fm_writer_free(&w));          // expect: 4
  fm_writer_init(&w, fds[1]);
  fm_writer_write(&w, "lost", 4);
  try {
    fm_writer_free(&w);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));           // expect: Broken pipe
  }
  fm_close(fds[1]);
}

async int main(void) {
  fm_set_allocator(heap, NULL);
  memset(big, 'x', sizeof big - 1);
  try {
    prints();
    cancels();
    writers();
    goes_on();
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
