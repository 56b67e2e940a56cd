// Types whose size is known only at run time get no name in an async function; nor have such functions arguments of their own to apply.
// flags: --cc=gcc
#include <fermata.h>
async int f(int n) {
  typedef int row[n];
  row a = { 0 };
  yield;
  return a[0];
}
async int g(int n) {
  struct {
    int a[n];
  } x;
  yield;
  return x.a[0];
}
async int h(int n) {
  void *args = __builtin_apply_args();
  return args ? n : 0;
}
async int i(int n) {
  __builtin_return(&n);
}
// error: 5:15: fmcc cannot keep a variably modified type in an async function
// error: 12:9: a structure of an async function cannot have a member of variable length
// error: 18:16: `__builtin_apply_args` cannot be used in an async function
// error: 22:3: `__builtin_return` cannot be used in an async function
