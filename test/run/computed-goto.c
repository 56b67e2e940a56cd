// Addresses of labels: tables of them, differences, a small interpreter.
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, PRINT, HALT };

static int run_code(const int *pc) {
  static void *const table[] = {&&push, &&add, &&mul, [DUP] = &&dup, [PRINT] = &&print, [HALT] = &&halt};
  int stack[16], *sp = stack, steps = 0;
#define NEXT do { steps++; goto *table[*pc++]; } while (0)
  NEXT;
push: *sp++ = *pc++; NEXT;
add: sp--; sp[-1] += *sp; NEXT;
mul:
  sp--, sp[-1] *= *sp;
  NEXT;
dup: *sp = sp[-1], sp++; NEXT;
print: printf("%d\n", *--sp); NEXT;
halt:
  return steps;
}

static int offsets(int k) {
  static const int where[] = {&&a - &&a, &&b - &&a, &&c - &&a};
  goto *(&&a + where[k]);
a: return 10;
b: return 20;
c: return 30;
}

static int count(int n) {
  void *next = n > 0 ? &&loop : &&done;
  int i = 0;
  goto *next;
loop:
  if (++i >= n) next = &&done;
  goto *next;
done:
  return i;
}

int main(void) {
  static const int code[] = {PUSH, 6, PUSH, 7, MUL, DUP, PRINT, PUSH, 8, ADD, PRINT, HALT};
  printf("%d\n", run_code(code));                 // expect: 42
  printf("%d %d %d\n", offsets(0), offsets(1), offsets(2)); // expect: 50
  // expect: 9
  // expect: 10 20 30
  printf("%d %d\n", count(5), count(0));          // expect: 5 0
  return 0;
}
