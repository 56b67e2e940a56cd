// __attribute__ in every place where real code has it.
// flags: -Wno-attributes -Wno-ignored-attributes -Wno-unused-variable
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, unused)) static int front(int a) { return a + 1; }
static int __attribute__((noinline)) middle(int a __attribute__((unused)), int b) { return b; }
static int tail(const char *, ...) __attribute__((format(printf, 1, 2))) __attribute__((noinline));
static int tail(const char *f, ...) { return f[0]; }
int *__attribute__((noinline)) starred(int *p) { return p; }
__attribute__((constructor)) static void early(void);
static int order;
static void early(void) { order = 7; }
extern int weak_one(void) __attribute__((weak));
typedef int (*handler)(int) __attribute__((aligned(8)));
typedef __attribute__((aligned(32))) char wide_char;
typedef int may_alias __attribute__((__may_alias__));
typedef unsigned byte __attribute__((mode(QI)));
typedef int word __attribute__((__mode__(__DI__)));
struct __attribute__((packed)) tight { char c; int i; };
struct loose { char c; int i; } __attribute__((packed, aligned(2)));
struct members { char c __attribute__((aligned(8))); int i __attribute__((packed)), j; __attribute__((unused)) short s; };
union __attribute__((transparent_union)) any { int *i; float *f; };
enum __attribute__((packed)) small { A = 1, B __attribute__((deprecated)) = 200 };
static int take(union any a) { return *a.i; }
static void done(int *p) { printf("done %d\n", *p); }
__attribute__((noreturn)) static void leave(void) { exit(0); }
static int *__attribute__((unused)) const nowhere = 0;
static int visible __attribute__((used, section(".data.mine"))) = 11;

static int cleanup(void) {
  int x __attribute__((cleanup(done))) = 1, y = 2;
  {
    __attribute__((__cleanup__(done))) int z = 3;
    y += z;
  }
  return y;
}

static int statements(int n) {
  int r = 0;
  switch (n) {
  case 1: r++; __attribute__((fallthrough));
  case 2: r++; __attribute__((__fallthrough__));
  case 3: r++;
  }
  goto out;
out: __attribute__((unused)) ;
  unused_label: __attribute__((unused));
  int __attribute__((unused)) a = 1, *__attribute__((unused)) b = &a, (__attribute__((unused)) *c) = &a;
  return r;
}

int main(void) {
  int i = 5;
  printf("%d %d %d %d\n", front(1), middle(2, 3), tail("x"), *starred(&i)); // expect: 2 3 120 5
  printf("%d %d\n", order, weak_one == NULL);     // expect: 7 1
  printf("%zu %zu %zu\n", _Alignof(wide_char), sizeof(byte), sizeof(word)); // expect: 32 1 8
  printf("%zu %zu %zu\n", sizeof(struct tight), sizeof(struct loose), _Alignof(struct loose)); // expect: 5 6 2
  printf("%zu %zu %zu\n", offsetof(struct members, i), offsetof(struct members, s), sizeof(struct members)); // expect: 1 12 16
  printf("%zu %d\n", sizeof(enum small), take(&i)); // expect: 1 5
  printf("%d\n", cleanup());                      // expect: done 3
  // expect: done 1
  // expect: 5
  printf("%d %d\n", statements(1), statements(3)); // expect: 3 1
  handler h = (int (*__attribute__((unused)))(int))front;
  printf("%d %d %d\n", h(1), visible, nowhere == 0); // expect: 2 11 1
  long l = (__attribute__((unused)) long)3;
  printf("%ld\n", l);                             // expect: 3
  if (__builtin_expect(l == 3, 1)) leave();
  return 1;
}
