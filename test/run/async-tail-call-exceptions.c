// `return f(x);` is an ordinary call where an array or address-taken local is in scope or the value is converted.
#include "parts/async.h"

static async int read_later(const int *p) {
  yield;
  return *p;
}
static async int with_address(int n) {
  int local = n + 1;
  return read_later(&local);
}
static async int with_array(int n) {
  int a[3] = { 0, n, 2 };
  yield;
  return read_later(a + 1);
}
static async int with_parameter(int n) { return read_later(&n); }
static async int in_block(int n) {
  {
    int inner = n;
    int *p = &inner;
    yield;
    if (n > 1) return read_later(p);
  }
  return read_later(&n);
}
static async long wide(int n) { return later(n); }
static async signed char narrow(int n) { return later(n); }
static async double real(int n) { return later(n); }
static async _Bool truth(int n) { return later(n); }
static async void nothing(int n) { later(n); }
static async int parenthesised(int n) { return (later((n))); }
static async int comma(int n) { return n++, later(n); }
static async int chosen(int n) { return n ? later(n) : read_later(&n); }

static async int test(int first) {
  if (first) yield;
  int n = with_address(1) + with_array(3) + with_parameter(4) + in_block(5) + in_block(1); // 15
  n += (int)wide(-1) + narrow(300) + truth(2) + parenthesised(6) + comma(7) + chosen(0) + chosen(9); // 15 - 1 + 44 + 1 + 6 + 8 + 9
  nothing(1);
  return n + (real(3) / 2 == 1.5) * 1000;
}

async int main(void) {
  THREE(test);                    // expect: 1082 1082 1082
}
