// More blocks that wait for activities than fit into a byte: each of them waits for its own.
#include <fermata.h>

#define BLOCK \
  { int here = 0; activate { yield; here = 1; } other += here; }
#define FOUR(x) x x x x

async void many(int other) {
  FOUR(FOUR(FOUR(FOUR(BLOCK)))) BLOCK BLOCK
  // emits: fm__join_group(fm__c, &fm__f->fm__g254);
  // emits: fm__join_group(fm__c, &fm__f->fm__g255);
  // emits: fm__join_group(fm__c, &fm__f->fm__g257);
}
