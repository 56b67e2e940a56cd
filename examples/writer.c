// writer.c: a task that writes a buffer to a descriptor which cannot take it all at once: the writer of "Tasks: Language Support for Event-driven Programming" (paper 002, Fig. 3).
//
// The loop that waits until there is room and writes again is an ordinary function, which anyone can call; an error leaves it as an
// error, and not as an event that someone has to remember. Two writers run at once. The reader of one takes its time; that of the
// other goes away after the first bytes.
//   fmcc -O2 -o writer writer.c && ./writer
#include <errno.h>
#include <fermata.h>
#include <fermata/io.h>
#include <string.h>
#include <sys/socket.h>

enum { SIZE = 1 << 20 };

static async int write_buffer(int fd, const char *buf, size_t size) throws(struct os_error) {
  size_t done = 0;
  int waits = 0;
  do {
    ssize_t n = send(fd, buf + done, size - done, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n > 0)
      done += (size_t)n;
    else if (errno != EAGAIN)
      throw (struct os_error){ errno };
    else {
      waits++;
      fm_wait_writable(fd);
    }
  } while (done < size);
  return waits;
}

static async void writer_task(const char *name, int fd) {
  static char data[SIZE];
  defer fm_close(fd);
  try {
    int waits = write_buffer(fd, data, sizeof data);
    printf("%s: written%s\n", name, waits ? ", after waiting for room" : " at once");
  } catch (struct os_error e) {
    printf("%s: %s\n", name, strerror(e.code));
  }
}

static async size_t read_some(int fd, size_t enough) throws(struct os_error) {
  char buf[4096];
  size_t got = 0;
  ssize_t n;
  defer fm_close(fd);
  while (got < enough && (n = fm_read(fd, buf, sizeof buf)) > 0) got += (size_t)n;
  return got;
}

async int main(void) {
  int a[2], b[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, a) || socketpair(AF_UNIX, SOCK_STREAM, 0, b)) {
    perror("socketpair");
    return 1;
  }
  spawn writer_task("patient", a[0]);
  spawn writer_task("unlucky", b[0]);
  yield;                                          // both have filled what there was room for
  try {
    read_some(b[1], 1);
    printf("read %zu bytes\n", read_some(a[1], SIZE));
  } catch (struct os_error e) {
    printf("reading: %s\n", strerror(e.code));
  }
  return 0;
}
// output: unlucky: Broken pipe
// output: patient: written, after waiting for room
// output: read 1048576 bytes
