// visitors.c PORT PID: people who come to the chat server of examples/chat.c, talk in turns, and tell what each one reads. One of them
// never reads: it must be put out while the others miss nothing. At the end the server is told to end.
// expect: alice: * alice comes in
// expect: alice: * bob comes in
// expect: bob: * bob comes in
// expect: bob: alice: good morning
// expect: alice: bob: the same to you
// expect: alice: * sloth comes in
// expect: bob: * sloth comes in
// expect: bob: * sloth was too slow
// expect: alice: * sloth was too slow
// expect: no line is missing
// expect: alice: * bob has gone
// expect: alice: * the server ends
// expect: alice: end
#include <fermata.h>
#include <fermata/io.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct Visitor { const char *name; int fd; fm_lines in; char line[300]; } Visitor;

static async void come(Visitor *v, const char *name, const char *port) throws(struct os_error) {
  v->name = name;
  v->fd = fm_connect("127.0.0.1", port);
  fm_lines_init(&v->in, v->fd);
  fm_write_all(v->fd, name, strlen(name));
  fm_write_all(v->fd, "\n", 1);
}

static async void tell(Visitor *v, const char *line) throws(struct os_error) {
  fm_write_all(v->fd, line, strlen(line));
  fm_write_all(v->fd, "\n", 1);
}

static async bool hear(Visitor *v) throws(struct os_error) { return fm_readline(&v->in, v->line, sizeof v->line) >= 0; }

static async void hear_and_print(Visitor *v) throws(struct os_error) { printf("%s: %s\n", v->name, hear(v) ? v->line : "end"); }

// Alice talks until the server has put the third one out; each line waits until Bob has it.
static async bool flood(Visitor *alice, Visitor *bob) throws(struct os_error) {
  char line[180], want[200];
  for (int i = 0; i < 100000; i++) {
    snprintf(line, sizeof line, "%d %0160d", i, 0);
    snprintf(want, sizeof want, "alice: %s", line);
    tell(alice, line);
    if (!hear(bob)) return false;
    if (strcmp(bob->line, "* sloth was too slow") == 0) {
      printf("bob: %s\n", bob->line);
      hear_and_print(alice);
      return hear(bob) && strcmp(bob->line, want) == 0;
    }
    if (strcmp(bob->line, want) != 0) return false;
  }
  return false;
}

static async void visit(const char *port, pid_t server) throws(struct os_error) {
  static Visitor alice, bob, sloth;
  come(&alice, "alice", port);
  hear_and_print(&alice);
  come(&bob, "bob", port);
  hear_and_print(&alice);
  hear_and_print(&bob);
  tell(&alice, "good morning");
  hear_and_print(&bob);
  tell(&bob, "the same to you");
  hear_and_print(&alice);
  come(&sloth, "sloth", port);
  hear_and_print(&alice);
  hear_and_print(&bob);
  printf("%s\n", flood(&alice, &bob) ? "no line is missing" : bob.line);
  fm_close(bob.fd);
  hear_and_print(&alice);
  kill(server, SIGTERM);
  hear_and_print(&alice);
  hear_and_print(&alice);
  fm_close(alice.fd);
  fm_close(sloth.fd);
}

async int main(int argc, char **argv) {
  if (argc < 3) return 2;
  try {
    visit(argv[1], atoi(argv[2]));
    return 0;
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
    return 1;
  }
}
