// crowd.c PORT CLIENTS SECONDS: people in the chat of examples/chat.c. Each one comes in, says a
// line every now and then, reads what the others say, and leaves at the end.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long said;
static long heard;

static async void listen_to(int fd) throws(struct os_error) {
  static char rest[1 << 16];
  for (;;) {
    ssize_t n = fm_read(fd, rest, sizeof rest);
    if (n <= 0)
      return;
    for (ssize_t i = 0; i < n; i++)
      heard += rest[i] == '\n';
  }
}

static async void talk(int fd, int who, uint64_t ms) throws(struct os_error) {
  char line[80];
  uint64_t end = fm_now() + ms * 1000000;
  unsigned random = (unsigned)who * 2654435761u;
  int n = snprintf(line, sizeof line, "guest%d\n", who);
  fm_write_all(fd, line, (size_t)n);
  while (fm_now() < end) {
    random = random * 1664525u + 1013904223u;
    fm_sleep(500 + random / 65536 % 4000);
    n = snprintf(line, sizeof line, "this is line %ld of all\n", ++said);
    fm_write_all(fd, line, (size_t)n);
  }
}

static async void visit(const char *port, int who, uint64_t ms) {
  try {
    fm_sleep((uint64_t)who * 10); // who all come at once are too slow for the server's greetings
    int fd = fm_connect("127.0.0.1", port);
    defer fm_close(fd);
    race {
      case listen_to(fd):
        break;
      case talk(fd, who, ms):
        break;
    }
  } catch (struct os_error e) {
    fprintf(stderr, "guest%d: %s\n", who, strerror(e.code));
  }
}

async int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  uint64_t ms = (uint64_t)atol(argv[3]) * 1000;
  scope {
    for (int i = 0; i < atoi(argv[2]); i++)
      spawn visit(argv[1], i, ms);
  }
  printf("%ld lines said, %ld heard\n", said, heard);
  return 0;
}
