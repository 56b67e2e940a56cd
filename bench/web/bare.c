// bare.c: the server of epoll.c, which answers whatever ends in an empty line with 13 bytes, with
// an activity for each connection. Beside that one it shows what activities themselves cost;
// examples/webserver also parses, limits times, and ends in order.
#include <fermata.h>
#include <fermata/io.h>

#include <stdio.h>
#include <string.h>

static const char answer[] = "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Type: text/plain; charset=utf-8\r\n"
                             "Content-Length: 13\r\n\r\nHello, world\n";

static async void serve(int fd) {
  char input[1024];
  defer fm_close(fd);
  try {
    for (ssize_t n; (n = fm_read(fd, input, sizeof input)) > 0;)
      if (n >= 4 && memcmp(input + n - 4, "\r\n\r\n", 4) == 0)
        fm_write_all(fd, answer, sizeof answer - 1);
  } catch (struct os_error e) {
    (void)e;                                      // the client has gone
  }
}

async int main(void) {
  try {
    int listener = fm_listen("127.0.0.1", 0, 1024);
    printf("%d\n", fm_local_port(listener));
    fflush(stdout);
    for (;;) spawn serve(fm_accept(listener));
  } catch (struct os_error e) {
    fprintf(stderr, "bare: %s\n", strerror(e.code));
    return 1;
  }
}
