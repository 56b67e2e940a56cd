// Streams beside RxJS: nanoseconds for one value from an array, through map and filter, by merge of
// two arrays, and by a generator; a message of a channel of capacity 0 beside the generator.
#include <fermata.h>
#include <fermata/stream.h>

#include "../clock.h"

enum { VALUES = 100000, CHUNKS = 50 };
typedef fm_stream(int) ints;
typedef fm_chan(int) int_chan;
typedef enum Kind { ARRAY, MAPPED, MERGED, GENERATED, KINDS } Kind;
static int numbers[VALUES];

static int next(int x) { return x + 1; }
static bool is_even(int x) { return x % 2 == 0; }

static async void emit(ints out) {
  for (int i = 0; i < VALUES; i++)
    fm_stream_emit(out, i);
}

static ints part(int from, size_t n) {
  return fm_stream_from_array(ints, numbers + from, n);
}

static ints stream_of(Kind k) {
  if (k == ARRAY)
    return part(0, VALUES);
  if (k == MAPPED)
    return fm_stream_filter(fm_stream_map(ints, part(0, VALUES), next), is_even);
  if (k == MERGED)
    return fm_stream_merge(part(0, VALUES / 2), part(VALUES / 2, VALUES / 2));
  return fm_stream_generate(ints, emit);
}

static async long sum_of(Kind k) throws(fm_error) {
  long sum = 0;
  fm_for_each (x, stream_of(k))
    sum += x;
  return sum;
}

static async void send_all(int_chan *c) throws(struct fm_closed) {
  for (int i = 0; i < VALUES; i++)
    fm_send(c, i);
}

static async long receive_all(void) throws(struct fm_closed) {
  int_chan c;
  long sum = 0;
  fm_chan_init(&c, 0);
  scope {
    spawn send_all(&c);
    for (int i = 0; i < VALUES; i++)
      sum += fm_recv(&c);
  }
  return sum;
}

async int main(void) {
  static const char *const names[] = { "array", "mapped", "merged", "generated" };
  double best[KINDS] = { 0 };
  double chan = 0;
  long whole = (long)VALUES * (VALUES - 1) / 2;
  long even = (long)(VALUES / 2) * (VALUES / 2 + 1);
  for (int i = 0; i < VALUES; i++)
    numbers[i] = i;
  try {
    for (int round = 0; round < chunks(CHUNKS); round++) {
      for (Kind k = ARRAY; k < KINDS; k++) {
        double then = now();
        if (sum_of(k) != (k == MAPPED ? even : whole))
          abort();
        keep_best(&best[k], (now() - then) / VALUES);
      }
      double then = now();
      if (receive_all() != whole)
        abort();
      keep_best(&chan, (now() - then) / VALUES);
    }
  } catch (fm_error *e) {
    fm_error_print(e, stderr);
    abort();
  }
  for (Kind k = ARRAY; k < KINDS; k++)
    printf("%s %.2f\n", names[k], best[k]);
  printf("channel %.2f\n", chan);
  return 0;
}
