// _Atomic as qualifier and specifier, <stdatomic.h>, builtins, on structures and pointers.
// flags: -latomic
#include <stdatomic.h>
#include <stdio.h>

struct pair { int a, b; };
static _Atomic int counter = 5;
static _Atomic(long) other;
static _Atomic struct pair both;
static int *_Atomic pointer;
static _Atomic(int *) pointer2;
static atomic_flag flag = ATOMIC_FLAG_INIT;
struct holder { _Atomic unsigned char small; atomic_uint count; };

static int bump(_Atomic int *p) { return (*p)++; }

int main(void) {
  int plain = 1, expected = 9;
  counter++;
  counter += 4;
  printf("%d\n", bump(&counter));                 // expect: 10
  other = counter * 2;
  printf("%ld\n", atomic_fetch_add(&other, 3));   // expect: 22
  printf("%ld\n", atomic_load_explicit(&other, memory_order_acquire)); // expect: 25
  struct pair p = {1, 2};
  both = p;
  p = both;
  printf("%d\n", p.b);                            // expect: 2
  pointer = pointer2 = &plain;
  *pointer = 7;
  printf("%d %d\n", plain, pointer == pointer2);  // expect: 7 1
  printf("%d\n", atomic_flag_test_and_set(&flag)); // expect: 0
  int won = atomic_compare_exchange_strong(&counter, &expected, 100);
  printf("%d %d\n", won, expected);               // expect: 0 11
  struct holder h = {1, 2};
  h.small |= 6;
  h.count--;
  printf("%d %u\n", h.small, h.count);            // expect: 7 1
  __atomic_store_n(&plain, 3, __ATOMIC_SEQ_CST);
  printf("%d\n", __sync_fetch_and_add(&plain, 1) + __atomic_load_n(&plain, __ATOMIC_RELAXED)); // expect: 7
  printf("%zu\n", sizeof(_Atomic(int) *) + sizeof(_Atomic short)); // expect: 10
  _Atomic const volatile int *q = &counter;
  printf("%d\n", *q);                             // expect: 11
  return 0;
}
