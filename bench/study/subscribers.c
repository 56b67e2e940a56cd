// subscribers.c PORT CLIENTS SECONDS: clients of examples/streaming's server. Each one subscribes to
// an instrument at 50 prices a second, asks for more as they come, and leaves at the end.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long prices;

// A frame of text, with a mask of zeros.
static async void say(int fd, const char *text) throws(struct os_error) {
  char frame[140];
  size_t n = strlen(text);
  frame[0] = (char)0x81;
  frame[1] = (char)(0x80 | n);
  memset(frame + 2, 0, 4);
  memcpy(frame + 6, text, n);
  fm_write_all(fd, frame, n + 6);
}

static async void follow(int fd) throws(struct os_error) {
  char data[4096];
  int since = 0;
  for (ssize_t n; (n = fm_read(fd, data, sizeof data)) > 0;)
    for (ssize_t i = 0; i < n; i++) {
      prices += data[i] == '\n';
      if (data[i] == '\n' && ++since % 256 == 0)
        say(fd, "more 256");
    }
}

static async void subscribe(const char *port, int who) throws(struct os_error) {
  static const char *const symbols[] = { "NORD", "KILN", "TIDE", "OPAL", "FERN", "HELI" };
  char text[400];
  fm_reader in;
  int fd = fm_connect("127.0.0.1", port);
  defer fm_close(fd);
  int n = snprintf(text, sizeof text,
                   "GET /stream/%s?rate=50 HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                   "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                   "Sec-WebSocket-Version: 13\r\n\r\n",
                   symbols[who % 6]);
  fm_write_all(fd, text, (size_t)n);
  fm_reader_init(&in, fd); // the head of the answer; no price comes before one is asked for
  for (char *line; (line = fm_reader_line(&in)) && *line != '\r';)
    continue;
  fm_reader_free(&in);
  say(fd, "more 512");
  follow(fd);
}

static async void client(const char *port, int who) {
  try {
    subscribe(port, who);
  } catch (struct os_error e) {
    fprintf(stderr, "client %d: %s\n", who, strerror(e.code));
  }
}

async int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  scope (all) {
    fm_deadline(all, (uint64_t)atol(argv[3]) * 1000);
    for (int i = 0; i < atoi(argv[2]); i++)
      spawn client(argv[1], i);
  }
  printf("%ld prices\n", prices);
  return 0;
}
