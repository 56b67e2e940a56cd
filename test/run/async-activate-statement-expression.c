// Statement expressions wait at their end for the activities that share their variables, wherever
// they stand: in an initialiser, a list, an argument, a condition.
// env: FERMATA_TICK=off
#include <fermata.h>

static int log_[20];
static int nlog;

static int note(int n) {
  log_[nlog++] = n;
  return n;
}

static void show(const char *name) {
  printf("%s:", name);
  for (int i = 0; i < nlog; i++)
    printf(" %d", log_[i]);
  printf("\n");
  nlog = 0;
}

static async int in_list(int n) {
  union { int a; char b[4]; } c = { .a = ({
    int d = n;
    { int l = 1; activate { (void)l; yield; yield; d++; note(1); } }
    note(2);
    d;
  }) };
  note(3);
  return c.a;
}

static async int in_value(int n) {
  int c = ({
    int d = n;
    activate { yield; d += 5; note(1); }
    note(2);
    d;
  });
  note(3);
  return c;
}

static async int in_argument(int n) {
  return note(({ int d = n; activate { d++; note(1); } note(2); d; })) + note(4);
}

static async int in_condition(int n) {
  if (({ int d = n; activate { yield; d = 0; note(1); } note(2); 1; })) note(3);
  return n;
}

static async int in_return(int n) {
  return ({ int d = n; activate { yield; d = 0; note(1); } note(2); n + 1; });
}

static async int scoped(int n) {
  return ({ int d = n; scope { activate { yield; d = 0; note(1); } note(2); } note(3); d; });
}

static async int nested(int n) {
  int r = ({ int d = n; int k = ({ int e = d; activate { yield; e++; d++; note(1); } note(2); 4; });
             note(3); d + k; });
  note(4);
  return r;
}

#define TRY(f, n)                \
  do {                           \
    int r = f(n);                \
    show(#f);                    \
    printf("= %d\n", r);         \
  } while (0)

async int main(void) {
  TRY(in_list, 1);      // expect: in_list: 1 2 3
  // expect: = 2
  TRY(in_value, 1);     // expect: in_value: 2 1 3
  // expect: = 1
  TRY(in_argument, 1);  // expect: in_argument: 2 1 1 4
  // expect: = 5
  TRY(in_condition, 2); // expect: in_condition: 2 1 3
  // expect: = 2
  TRY(in_return, 1);    // expect: in_return: 2 1
  // expect: = 2
  TRY(scoped, 1);       // expect: scoped: 2 1 3
  // expect: = 0
  TRY(nested, 1);       // expect: nested: 2 1 3 4
  // expect: = 6
  return 0;
}
