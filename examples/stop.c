// stop.c: work with a time limit, and a stop button for all of it: the tree of threads of "A Concurrency Model for JavaScript with Cooperative Cancellation"
// (paper 003, §4.1 to §4.4).
//
// The work is a child of the timer, which is a child of what the button stops. So there are three ways to end: the work is done, the
// timer cancels it, or the user cancels both. What was cancelled unwinds from where it waits, through its defer. In between, a pause
// stops the whole tree: what it waits for goes on, but nothing is printed until it is resumed.
//   fmcc -O2 -o stop stop.c && FERMATA_DRIVER=virtual ./stop
#include <fermata.h>
#include <fermata/time.h>

enum { LIMIT = 1000 };

static int now(void) { return (int)(fm_now() / 1000000); }

static async int fetch(int ms) {
  fm_sleep((uint64_t)ms);
  return ms / 10;
}

static async void display(int n) {
  fm_sleep(50);
  printf("  %d: shows %d\n", now(), n);
}

static async void work(int ms) {
  defer printf("  %d: work ends\n", now());
  int n = fetch(ms);
  printf("  %d: has fetched\n", now());
  display(n * 2);
}

static async void with_timer(int ms) {
  scope (limited) {
    fm_cancel_after(limited, LIMIT);
    work(ms);
  } else {
    printf("  %d: timeout\n", now());
  }
}

// What the user does is an activity as well: it presses buttons at certain times after the start; 0: never.
typedef struct Buttons { int stop, pause, resume; } Buttons;
static async void user(fm_activity a, Buttons b) {
  if (b.pause) {
    fm_sleep((uint64_t)b.pause);
    printf("  %d: pause\n", now());
    fm_pause(a);
    fm_sleep((uint64_t)(b.resume - b.pause));
    printf("  %d: resume\n", now());
    fm_resume(a);
  }
  if (b.stop) {
    fm_sleep((uint64_t)b.stop);
    printf("  %d: stop\n", now());
    fm_cancel(a);
  }
}

static async void play(const char *title, int ms, Buttons b) {
  printf("%s, at %d\n", title, now());
  auto t = spawn with_timer(ms);
  auto u = spawn user(fm_id(t), b);
  try {
    await t;
  } catch (struct fm_cancelled e) {
    printf("  %d: cancelled in line %d\n", now(), e.line);
  }
  fm_cancel(fm_id(u));
}

async int main(void) {
  play("in time", 300, (Buttons){ 0 });
  play("too late", 3000, (Buttons){ 0 });
  play("stopped", 3000, (Buttons){ .stop = 200 });
  play("paused", 300, (Buttons){ .pause = 100, .resume = 700 });
  return 0;
}
// env: FERMATA_DRIVER=virtual
// output: in time, at 0
// output:   300: has fetched
// output:   350: shows 60
// output:   350: work ends
// output: too late, at 350
// output:   1350: work ends
// output:   1350: timeout
// output: stopped, at 1350
// output:   1550: stop
// output:   1550: work ends
// output:   1550: cancelled in line 55
// output: paused, at 1550
// output:   1650: pause
// output:   2250: resume
// output:   2250: has fetched
// output:   2300: shows 60
// output:   2300: work ends
