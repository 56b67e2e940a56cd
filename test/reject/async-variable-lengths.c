// What an async function cannot keep at file scope, since its length is not known there.
#include <fermata.h>
async void members(int n) {
  struct s { int i[n]; unsigned b : 1; };         // error: 4:18: a structure of an async function cannot have a member of variable length
  int v[n];
  yield;
  struct { char c[sizeof v]; } t;                 // error: 7:17: a structure of an async function cannot have a member of variable length
  t.c[0] = 0;
}
async int values(int n) {
  int v[n];
  enum { N = sizeof v };                          // error: 12:14: the value of an enumerator has to be constant
  static unsigned long s = sizeof v;              // error: 13:28: a static variable is initialised before the program runs: this length is not known then
  static unsigned long a[] = {1, [2] = sizeof v}; // error: 14:40: a static variable is initialised before the program runs: this length is not known then
  return N + (int)s + (int)a[0];
}
