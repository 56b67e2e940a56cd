// Throwing functions that are static, inline, in the header's way, forward declared, with a void value, with no parameters.
#include "parts/async.h"

struct bad { int v; };
static async void forward(int n) throws(struct bad);
static inline async int small(int n) throws(struct bad) { if (n) throw (struct bad){n}; return 0; }
static inline int plain_small(int n) throws(struct bad) { if (n) throw (struct bad){n}; return 0; }
async void global_one(void) throws(struct bad);
async void global_one(void) throws(struct bad) { forward(5); }
static async void forward(int n) throws(struct bad) { yield; small(n - 3); plain_small(n); }
async int main(void) {
  try { global_one(); } catch (struct bad e) { printf("%d\n", e.v); } // expect: 2
  try { forward(3); } catch (struct bad e) { printf("%d\n", e.v); } // expect: 3
}
