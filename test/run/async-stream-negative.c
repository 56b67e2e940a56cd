// A negative count or time of a stream ends the program with a message; it is not taken for a large one.
// status: 1
#include <fermata.h>
#include <fermata/stream.h>

typedef fm_stream(int) ints;

async int main(void) {
  short none = 0, less = -1;
  unsigned long many = -1ul;
  try {
    fm_for_each (x, fm_stream_skip(fm_stream_of(ints, 1, 2), none)) printf("%d\n", x); // expect: 1
                                                  // expect: 2
    fm_for_each (x, fm_stream_take(fm_stream_of(ints, 3), many)) printf("%d\n", x); // expect: 3
    fm_for_each (x, fm_stream_take(fm_stream_of(ints, 1, 2), less)) printf("never %d\n", x);
  } catch (fm_error *e) {
    printf("never %s\n", fm_error_name(e));
  }
  return 0;
}
