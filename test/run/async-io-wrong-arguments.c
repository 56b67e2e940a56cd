// What is given wrong to functions of io.h is an os_error: a descriptor that is not open, a port that cannot be, no program to run.
#include <errno.h>
#include <fermata.h>
#include <fermata/io.h>

static int failed(int code) {
  return code == EBADF ? 1 : code == ENOENT ? 2 : code == EINVAL ? 3 : 100 + code;
}

async int main(void) {
  char *nothing[] = { NULL };
  for (int i = 0; i < 7; i++) {
    try {
      switch (i) {
      case 0: fm_wait_readable(999); break;
      case 1: fm_wait_writable(999); break;
      case 2: fm_wait_readable(-1); break;
      case 3: fm_listen("127.0.0.1", "65536", 1); break;
      case 4: fm_connect("127.0.0.1", "99999"); break;
      case 5: fm_udp_bind("127.0.0.1", "18446744073709551616"); break;
      case 6: fm_spawn_process(nothing, NULL, NULL); break;
      }
      printf("%d went well\n", i);
    } catch (struct os_error e) {
      printf("%d%c", failed(e.code), i == 6 ? '\n' : ' '); // expect: 1 1 1 2 2 2 3
    }
  }
  return 0;
}
