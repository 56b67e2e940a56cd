// What the macros of the library keep in the frame shares a field where the scopes are apart; what the program declares does not.
#include <fermata.h>
#include <fermata/sync.h>

typedef fm_chan(int) int_chan;
void look(int *);

async int f(int_chan *c) throws(struct fm_closed) {
  int sum = fm_recv(c);
  sum += fm_recv(c);
  fm_send(c, fm_recv(c) + sum);
  { int x = 1; look(&x); fm_send(c, x); }
  { int y = 2; look(&y); fm_send(c, y); }
  return sum;
}
// emits: fm__waiter fm__w;  // fm__w
// emits-not: // fm__w__
// emits: int x;  // x
// emits: int y;  // y
