// asm statements: operands of all kinds, names, early clobbers, matching constraints, clobbers, templates in pieces.
#include <stdio.h>

#if defined __x86_64__
struct pair { unsigned low, high; };

static unsigned long add(unsigned long a, unsigned long b) {
  asm("addq %1, %0" : "+r"(a) : "r"(b) : "cc");
  return a;
}
static int named(int a, int b) {
  int out;
  __asm__ __volatile__("movl %[a], %[out]\n\t"
                       "imull %[b], %[out]"
                       : [out] "=&r"(out)
                       : [a] "r"(a), [b] "rm"(b + 1)
                       : "cc", "memory");
  return out;
}
static struct pair split(unsigned long v) {
  struct pair p;
  asm volatile("movl %k2, %0; shrq $32, %2; movl %k2, %1" : "=&r"(p.low), "=&r"(p.high), "+r"(v));
  return p;
}
static int at(int *v, int i) {
  int r;
  asm("movl (%1,%q2,4), %0" : "=r"(r) : "r"(v), "r"((long)i), "m"(*(int (*)[4])v));
  return r;
}
static int matching(int x) {
  asm("incl %0" : "=r"(x) : "0"(x));
  asm("# no operands");
  asm volatile("" ::: "memory");
  asm("" : : "i"(sizeof(struct pair)), "n"(3 * 4));
  return x;
}
#else
struct pair { unsigned low, high; };
static unsigned long add(unsigned long a, unsigned long b) { return a + b; }
static int named(int a, int b) { return a * (b + 1); }
static struct pair split(unsigned long v) { return (struct pair){(unsigned)v, (unsigned)(v >> 32)}; }
static int at(int *v, int i) { return v[i]; }
static int matching(int x) { return x + 1; }
#endif

extern int renamed(int) __asm__("the_real_name");
__asm__(".text");
int renamed(int x) { return x * 3; }
int the_real_name(int);

int main(void) {
  int v[] = {10, 20, 30, 40};
  printf("%lu\n", add(40, 2));                    // expect: 42
  printf("%d\n", named(6, 6));                    // expect: 42
  struct pair p = split(0x1200000034ul);
  printf("%x %x\n", p.high, p.low);               // expect: 12 34
  printf("%d\n", at(v, 2));                       // expect: 30
  printf("%d\n", matching(1));                    // expect: 2
  printf("%d\n", the_real_name(5));               // expect: 15
  return 0;
}
