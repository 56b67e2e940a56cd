// `async` before the name of a function type makes it an async function's.
#include <fermata.h>

typedef int handler(int, char *);
typedef void event(void);

async handler first, second;
extern async handler third;
static async event notify;
async handler *chosen = first, *const table[2] = {first, second};
struct routes { async handler *on, *off; };

static int called;
async int first(int x, char *s) { yield; return x + s[0]; }
async int second(int x, char *s) { yield; return x - s[0]; }
async int third(int x, char *s) { yield; return x * s[0]; }
static async void notify(void) { yield; called++; }
static async int twice(async handler *h, async handler other) { return h(1, "\1") + other(2, "\2"); }
static int plain(int x, char *s) { return x + s[0]; }

async int main(void) {
  struct routes r = {.on = first, .off = third};
  async handler *local = second;
  handler *ordinary = plain;
  async event *e = notify;
  for (int i = 0; i < 2; i++) {
    yield;
    printf("%d %d %d %d\n", table[i](5, "\3"), chosen(5, "\1"), r.off(2, "\4"), local(9, "\2"));
    local = i ? local : r.on;
    e();
  }
  // expect: 8 6 8 7
  // expect: 2 6 8 11
  printf("%d %d %d\n", twice(first, third), ordinary(1, "\1"), called); // expect: 6 2 2
  return 0;
}
