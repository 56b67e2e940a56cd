// A reader: lines, pieces, counted bytes, the rest and looks ahead from one buffer, in any order.
#include <errno.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static bool no_memory;

static void *heap(void *unused, void *p, size_t n) {
  (void)unused;
  if (n > 4096 && no_memory)
    return NULL;
  if (n)
    return realloc(p, n);
  free(p);
  return NULL;
}

static async void headers_then_body(void) throws(struct os_error) {
  char body[8] = "";
  int fds[2];
  fm_reader in;
  socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
  fm_write_all(fds[0], "Length: 4\r\nX: y\r\n\r\nabcdrest\nof it", 33);
  fm_reader_init(&in, fds[1]);
  defer fm_reader_free(&in);
  for (char *line; *(line = fm_reader_until(&in, "\r\n"));)
    printf("[%s] %zu\n", line, fm_reader_length(&in));
  // expect: [Length: 4] 9
  // expect: [X: y] 4
  printf("%zu ", fm_reader_buffered(&in));
  printf("%zu ", fm_reader_exactly(&in, body, 4));
  printf("%s\n", body);                         // expect: 14 4 abcd
  printf("%.4s", fm_reader_peek(&in, 4));
  printf(" %zu\n", fm_reader_length(&in));      // expect: rest 10
  scope (s) {
    fm_cancel_after(s, 5);
    fm_reader_exactly(&in, body, 100);          // takes nothing
  } else {
    printf("late %zu\n", fm_reader_buffered(&in)); // expect: late 10
  }
  printf("%s\n", fm_reader_line(&in));          // expect: rest
  printf("%zu\n", fm_reader_skip(&in, 3));      // expect: 3
  race {
    case fm_reader_line(&in): printf("?\n"); break;
    case fm_sleep(2): printf("no line yet\n"); break; // expect: no line yet
  }
  fm_close(fds[0]);
  printf("%zu ", fm_reader_read(&in, body, 1));
  printf("%c\n", *body);                        // expect: 1 i
  printf("%s\n", fm_reader_rest(&in, 1));       // expect: t
  printf("%d\n", fm_reader_line(&in) == NULL);  // expect: 1
  printf("%d\n", fm_reader_peek(&in, 1) == NULL); // expect: 1
  printf("[%s]\n", fm_reader_rest(&in, 0));     // expect: []
  fm_close(fds[1]);
}

static async void pieces(void) throws(struct os_error) {
  static const char text[] = "a\0bc\0\0--d-e---f--\ng\n\nh";
  char *all;
  fm_reader in;
  fm_reader_init_memory(&in, text, sizeof text - 1);
  defer fm_reader_free(&in);
  printf("%s ", fm_reader_until_byte(&in, '\0'));
  printf("%s ", fm_reader_until_byte(&in, 0));
  printf("[%s] ", fm_reader_until_byte(&in, 0));
  printf("[%s] ", fm_reader_until(&in, "--"));
  printf("%s ", fm_reader_until(&in, "--"));
  printf("%s\n", fm_reader_until(&in, "--"));   // expect: a bc [] [] d-e -f
  while ((all = fm_reader_line(&in)))
    printf("[%s]", all);
  printf("\n");                                 // expect: [][g][][h]
  fm_reader_init_memory(&in, text, 4);
  all = fm_reader_line(&in);
  printf("%zu %s %s\n", fm_reader_length(&in), all, all + 2); // expect: 4 a bc
  fm_reader_init_memory(&in, NULL, 3);
  printf("%d\n", fm_reader_until(&in, "x") == NULL); // expect: 1
  try {
    fm_reader_until(&in, "");
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));           // expect: Invalid argument
  }
}

static async const char *attempt(fm_reader *in) {
  try {
    return fm_reader_line(in);
  } catch (struct os_error e) {
    return strerror(e.code);
  }
}

// The limit counts the line without its end; what is too long is not taken.
static async void limits(void) throws(struct os_error) {
  static char big[200000];
  fm_reader in;
  fm_reader_init_memory(&in, "12345\n123456\nabc\n123456", 23);
  defer fm_reader_free(&in);
  fm_reader_limit(&in, 5);
  printf("%s\n", attempt(&in));                 // expect: 12345
  printf("%s\n", attempt(&in));                 // expect: Message too long
  printf("%s\n", attempt(&in));                 // expect: Message too long
  printf("%zu\n", fm_reader_skip(&in, 2));      // expect: 2
  printf("%s\n", attempt(&in));                 // expect: 3456
  printf("%s\n", attempt(&in));                 // expect: abc
  printf("%s\n", attempt(&in));                 // expect: Message too long
  try {
    fm_reader_rest(&in, 5);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));           // expect: Message too long
  }
  printf("%s\n", fm_reader_rest(&in, 6));       // expect: 123456
  memset(big, 'x', sizeof big);
  fm_reader_init_memory(&in, big, sizeof big);
  no_memory = true;
  printf("%s\n", attempt(&in));                 // expect: Cannot allocate memory
  printf("%s\n", attempt(&in));                 // expect: Cannot allocate memory
  no_memory = false;
  printf("%zu\n", strlen(attempt(&in)));        // expect: 200000
}

static async void wrong_use(void) throws(struct os_error) {
  int fds[2];
  char buf[9000];
  fm_reader in;
  fm_pipe(fds);
  fm_reader_init(&in, fds[0]);
  auto t = spawn now fm_reader_read(&in, buf, sizeof buf);
  printf("%s\n", attempt(&in));                 // expect: Device or resource busy
  fm_write_all(fds[1], "x\n", 2);
  printf("%zu\n", await t);                     // expect: 2
  fm_close(fds[0]);
  printf("%s\n", attempt(&in));                 // expect: Bad file descriptor
  fm_close(fds[1]);
}

async int main(void) {
  fm_set_allocator(heap, NULL);
  try {
    headers_then_body();
    pieces();
    limits();
    wrong_use();
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
