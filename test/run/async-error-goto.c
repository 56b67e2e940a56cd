// goto forward, backward and out of several blocks, through finally and defer that pause.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  unsigned trace = 0; int turn = 0;
again:
  turn++;
  {
    defer { yield; trace = trace * 10 + 1; }
    try {
      { defer trace = trace * 10 + (unsigned)later(2); if (turn == 1) goto again; }
      if (turn == 2) goto on;
      while (1) { try { if (turn == 3) goto out; } finally { trace = trace * 10 + 3; } }
    } finally { yield; trace = trace * 10 + 4; }
    trace = trace * 10 + 5;
  }
on:
  goto again;
out:
  return (int)(trace % 1000000);
}

async int main(void) {
  THREE(test);                    // expect: 412341 412341 412341
}
