// A copied array is a copy of the whole array.
#include "parts/async.h"

async int main(void) {
  int a[4] = { 1, 2, 3, 4 }, sum = 0, size = 0;
  char text[] = "copied";
  activate (a, text) {
    yield;
    for (int i = 0; i < 4; i++) sum += a[i];
    a[0] = 1000;
    if (text[0] == 'c') sum += 100;
    size = (int)sizeof a;
  }
  a[1] = 50;
  text[0] = 'X';
  while (!size) yield;
  printf("%d %d %d\n", sum, a[0], size == sizeof a); // expect: 110 1 1
}
