// A function of merge_map that returns no stream, as any other use of one that was not made, ends the program with a message.
// status: 1
#include "parts/stream.h"

static ints none(int x) { (void)x; return (ints){ 0 }; }

async int main(void) {
  printf("start\n");                              // expect: start
  try {
    fm_for_each (x, fm_stream_merge_map(ints, fm_stream_of(ints, 1), 0, none)) printf("never %d\n", x);
  } catch (fm_error *e) {
    printf("never %s\n", fm_error_name(e));
  }
  return 0;
}
