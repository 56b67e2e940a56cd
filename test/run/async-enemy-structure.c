// Scopes, races, jobs, activities, shields, defers inside one another, with variables of every kind.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };
struct big { int a[20]; };

async static int after(int ms, int v) { fm_sleep((uint64_t)ms); return v; }
async static struct big large(int ms, int v) { struct big b = {{v}}; fm_sleep((uint64_t)ms); b.a[19] = v; return b; }
async static int fails(int ms) throws(struct bad) { fm_sleep((uint64_t)ms); throw (struct bad){ms}; }

async static int race_in_activate(int n) {
  int out[4] = {0};
  scope {
    for (int i = 0; i < n; i++)
      activate (i) {
        int v = 0;
        race {
          case v = after(i, i): out[i] = v + 10;
          case v = after(2, 50): { defer out[i]++; out[i] = v; yield; }
        }
      }
  }
  return out[0] + out[1] + out[2] + out[3];
}

async static int activate_in_race(int ms) {
  int sum = 0;
  race {
    case after(ms, 1): {
      int here = 5;
      activate { fm_sleep(3); here += 2; sum += here; }
      yield;
      sum += here;
    }
    case fm_sleep(50): sum = -1;
  }
  return sum;
}

async static int race_with_vla(int n) {
  int vla[n], *p = vla;
  struct big b = {{0}};
  for (int i = 0; i < n; i++) vla[i] = i;
  race {
    case b = large(vla[n - 1], n): break;
    case p[0] = after(100 + p[1], 3): return -1;
  }
  return b.a[0] * 100 + b.a[19] + vla[1];
}

async static int shadows(int v) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int v = i * 100;                              // hides the parameter
    race {
      case v = after(1, v + 1): { int v = 7; sum += v; }
      case fm_sleep(9): sum = -1000;
    }
    sum += v;
  }
  return sum + v;
}

async static int race_in_switch(int k) {
  int v = 0;
  switch (k) {
  case 0:
    for (;;) {
      race {
        case v = after(1, 4): if (v > 3) goto done; continue;
        case fm_sleep(5): break;
      }
      return -1;
    }
  case 1: race { case v = after(2, 5): break; } // falls through
  default: v += 10;
  }
done:
  return v;
}

async static int race_in_expression(void) {
  int v = 1;
  int w = v + ({ int r; race { case r = after(1, 5): break; case r = after(2, 6): break; } r; }) + later(3);
  return w;
}

async static int race_in_defer(int *trace) {
  defer {
    int v;
    race { case v = after(3, 1): *trace += v; case fm_sleep(30): *trace = -1; }
    scope (s) { spawn after(2, 0); fm_cancel_after(s, 1); }
    else *trace += 10;
  }
  fm_sleep(1000);
  return 1;
}

async static int scope_in_arm(void) throws(struct bad) {
  int n = 0;
  race {
    case n = fails(5): return -1;
    case ({ scope (s) { fm_cancel_after(s, 2); spawn fails(100); fm_sleep(10); } else n = 3; n = later(n); }): n += 100;
  }
  return n;
}

async static int job_of_everything(int k) {
  struct big b = {{k}};
  auto j = job (b, k) {
    int got = 0;
    scope (s) {
      activate { got += after(1, b.a[0]); }
      race { case got += 0 * after(2, 1): break; case fm_sleep(20): got = -1; }
      if (k == 2) fm_cancel(s);
      yield;
      got += 1000;
    }
    else got += 5;
    return got;
  };
  int first = await j, second = await j;
  fm_job_free(j);
  return first == second ? first : -1;
}

async static int throw_through(int how) throws(struct bad) {
  int log = 0;
  for (int i = 0; i < 3; i++) {
    try {
      scope (s) {
        defer log += 1;
        shield {
          race {
            case fm_sleep(1): if (how == i) throw (struct bad){log}; if (how == i + 10) break; continue;
            case fm_sleep(2): log = -100;
          }
          log += 100;
        }
      }
    } catch (struct bad b) {
      log += 1000 + b.n;
    } finally {
      yield;
      log += 10;
    }
  }
  return log;
}

async int main(void) {
  printf("%d\n", race_in_activate(4));            // expect: 84
  printf("%d\n", activate_in_race(4));            // expect: 12
  printf("%d\n", race_with_vla(6));               // expect: 607
  printf("%d\n", shadows(1));                     // expect: 325
  for (int k = 0; k < 3; k++) printf("%d\n", race_in_switch(k));
  // expect: 4
  // expect: 15
  // expect: 10
  printf("%d\n", race_in_expression());           // expect: 9
  int trace = 0;
  scope (s) { fm_cancel_after(s, 4); race_in_defer(&trace); }
  else printf("%d\n", trace);                     // expect: 11
  try {
    printf("%d\n", scope_in_arm());               // expect: 103
    for (int k = 0; k < 13; k += 4) printf("%d\n", throw_through(k));
  } catch (struct bad b) {
    printf("bad %d\n", b.n);
  }
  // expect: 1033
  // expect: 33
  // expect: 33
  // expect: 133
  printf("%d %d\n", job_of_everything(1), job_of_everything(2)); // expect: 1001 7
}
