// sequence.c: loops over values that come one after another, some time: the loops of "The F# Asynchronous Programming Model" (paper 001,
// §2.2 and §4.3).
//
// A sequence is an async function that sends into a channel and closes it at the end; whoever reads it writes an ordinary loop, and
// so does whoever makes a new sequence from one. The same loop can be a function that ends in a call of itself, which takes no space.
// The last one is the paper's traffic light, which changes at each click, until the last click.
//   fmcc -O2 -o sequence sequence.c && FERMATA_DRIVER=virtual ./sequence
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) Sequence;

typedef struct Item { bool there; int value; } Item; // not there: that was the end

static async Item next(Sequence *s) {
  try {
    return (Item){ true, fm_recv(s) };
  } catch (struct fm_closed e) {
    (void)e;
    return (Item){ 0 };
  }
}

static async void measure(Sequence *out) throws(struct fm_closed) { // a value every 100 ms
  fm_timer t = fm_every(100);
  defer fm_chan_close(out);
  for (int i = 1; i <= 6; i++) {
    fm_tick(&t);
    fm_send(out, i * i);
  }
}

static async void odd_ones(Sequence *in, Sequence *out) throws(struct fm_closed) {
  defer fm_chan_close(out);
  for (Item i; (i = next(in)).there;)
    if (i.value % 2) fm_send(out, i.value);
}

static async int count(Sequence *in, int n) {     // a loop by recursion: `return count(…)` is a jump
  printf("count = %d\n", n);
  Item i = next(in);
  if (!i.there) return n;
  return count(in, n + i.value);
}

static async void traffic_light(Sequence *clicks) {
  static const char *lights[] = { "green", "orange", "red" };
  for (;;)
    for (int i = 0; i < 3; i++) {
      if (!next(clicks).there) return;
      printf("%s at %d ms\n", lights[i], (int)(fm_now() / 1000000));
    }
}

async int main(void) {
  Sequence measured, odd, clicks;
  fm_chan_init(&measured, 0);
  fm_chan_init(&odd, 0);
  fm_chan_init(&clicks, 0);
  try {
    scope (s) {
      spawn measure(&measured);
      spawn odd_ones(&measured, &odd);
      printf("sum = %d\n", count(&odd, 0));
    }
    scope (s) {
      spawn measure(&clicks);
      traffic_light(&clicks);
    }
  } catch (struct fm_closed e) {
    (void)e;                                      // someone has closed a channel from the wrong end
    return 1;
  }
  return 0;
}
// env: FERMATA_DRIVER=virtual
// output: count = 0
// output: count = 1
// output: count = 10
// output: count = 35
// output: sum = 35
// output: green at 700 ms
// output: orange at 800 ms
// output: red at 900 ms
// output: green at 1000 ms
// output: orange at 1100 ms
// output: red at 1200 ms
