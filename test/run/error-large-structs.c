// Structures of every size can be thrown: large, with const members, bit-fields, flexible alignment, arrays, pointers, in registers or not.
#include <fermata.h>

struct large { char text[5000]; int last; };
struct fixed { const int a; const char *const s; };
struct bits { unsigned a : 3; int b : 9; unsigned long long c : 50; };
struct one { char c; };
struct wide { long double d; };
static void fail(int n) throws(struct large, struct fixed, struct bits, struct one, struct wide) {
  static struct large l = { .text = "begin", .last = 99 };
  struct fixed f = { 7, "seven" };
  switch (n) {
  case 0: throw l;
  case 1: throw f;
  case 2: throw (struct bits){ 5, -200, 1ull << 49 };
  case 3: throw (struct one){ 'x' };
  default: throw (struct wide){ 1.5L };
  }
}
int main(void) {
  for (int n = 0; n < 5; n++) {
    try { fail(n); }
    catch (struct large e) { printf("%s %d\n", e.text, e.last); }             // expect: begin 99
    catch (struct fixed e) { printf("%d %s\n", e.a, e.s); }                   // expect: 7 seven
    catch (struct bits e) { printf("%d %d %d\n", (int)e.a, (int)e.b, (int)(e.c >> 49)); } // expect: 5 -200 1
    catch (struct one e) { printf("%c\n", e.c); }                             // expect: x
    catch (const struct wide e) { printf("%g\n", (double)e.d); }              // expect: 1.5
  }
}
