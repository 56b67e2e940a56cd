// pipeline.c: samples are fetched, taken apart and shown by activities of their own, with channels in between: the data streaming
// application of "A Concurrency Model for JavaScript with Cooperative Cancellation" (paper 003, §6 "Channel" and §7, Fig. 8).
//
// One activity asks for samples every second, and does not wait for the answer: it sends the task on, which keeps the answers in order
// however long each takes. The next one awaits them and gives volts and amperes to a display each. The channels are small, so that
// nobody gets far ahead. A display can be paused by itself; the stop button cancels all.
//   fmcc -O2 -o pipeline pipeline.c && FERMATA_DRIVER=virtual ./pipeline
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

enum { PER_ANSWER = 3 };
typedef struct Samples { double volts[PER_ANSWER], amperes[PER_ANSWER]; } Samples;
typedef fm_chan(task(Samples)) Requests;
typedef fm_chan(double) Data;

static Requests requests;
static Data volts, amperes;

static int now(void) { return (int)(fm_now() / 1000000); }

static async Samples ask_server(int n) {          // every other answer takes longer than a second
  Samples s;
  fm_sleep(n % 2 ? 1200 : 100);
  for (int i = 0; i < PER_ANSWER; i++) {
    s.volts[i] = 230 + n + i * 0.1;
    s.amperes[i] = n + i * 0.01;
  }
  return s;
}

static async void fetch(void) throws(struct fm_closed) {
  fm_timer every = fm_every(1000);
  for (int n = 0;; n++) {
    fm_tick(&every);
    fm_send(&requests, spawn ask_server(n));
  }
}

static async void take_apart(void) throws(struct fm_closed) {
  for (;;) {
    task(Samples) t = fm_recv(&requests);
    Samples s = await t;
    fm_send_n(&volts, s.volts, PER_ANSWER, NULL);
    fm_send_n(&amperes, s.amperes, PER_ANSWER, NULL);
  }
}

static async void display(Data *from, const char *unit) throws(struct fm_closed) {
  for (;;) {
    double x = fm_recv(from);
    printf("%4d: %6.2f %s\n", now(), x, unit);
    fm_sleep(10);
  }
}

async int main(void) {
  fm_chan_init(&requests, 2);
  fm_chan_init(&volts, PER_ANSWER);
  fm_chan_init(&amperes, PER_ANSWER);
  try {
    scope (all) {
      spawn fetch();
      spawn take_apart();
      spawn display(&volts, "V");
      auto second = spawn display(&amperes, "A");
      fm_sleep(3100);
      printf("%4d: the second display pauses\n", now());
      fm_pause(fm_id(second));
      fm_sleep(200);
      printf("%4d: and goes on\n", now());
      fm_resume(fm_id(second));
      fm_sleep(200);
      fm_cancel(all);                             // the stop button
    } else {
      printf("%4d: stopped\n", now());
    }
  } catch (struct fm_closed e) {
    (void)e;                                      // no one closes a channel here
    return 1;
  }
  return 0;
}
// env: FERMATA_DRIVER=virtual
// output: 1100: 230.00 V
// output: 1100:   0.00 A
// output: 1110: 230.10 V
// output: 1110:   0.01 A
// output: 1120: 230.20 V
// output: 1120:   0.02 A
// output: 3100: the second display pauses
// output: 3200: 231.00 V
// output: 3210: 231.10 V
// output: 3220: 231.20 V
// output: 3230: 232.00 V
// output: 3240: 232.10 V
// output: 3250: 232.20 V
// output: 3300: and goes on
// output: 3300:   1.00 A
// output: 3310:   1.01 A
// output: 3320:   1.02 A
// output: 3330:   2.00 A
// output: 3340:   2.01 A
// output: 3350:   2.02 A
// output: 3500: stopped
