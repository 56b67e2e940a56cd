// Programs that are cancelled, raced, paused and resumed at each of their pauses; see parts/every-pause.h.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/every-pause.h"

struct bad { int n; };

// ---- nested calls ----
async static int level(int n) {
  OPEN;
  if (n == 0) { yield; return 1; }
  int v = level(n - 1);
  STEP;
  yield;
  return v + level(n - 1);
}
async static int calls(void) { return level(3); }

// ---- loops ----
async static int loops(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    OPEN;
    for (int k = 0; k < i; k++) {
      OPEN;
      if (k == 1) continue;
      fm_sleep(1);
      STEP;
    }
    if (i == 1) { yield; sum += 10; continue; }
    sum += i;
  }
  return sum;
}

// ---- try, catch, finally ----
async static int thrower(int n) throws(struct bad) {
  OPEN;
  yield;
  if (n) throw (struct bad){n};
  return 1;
}
async static int tries(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int open = entered();
    try {
      OPEN;
      sum += thrower(i);
      try {
        thrower(5);
      } finally {
        yield;
        STEP;
      }
    } catch (struct bad b) {
      yield;
      sum += 10 * b.n;
    } finally {
      fm_sleep(1);
      left(open);
      yield;
    }
  }
  return sum;
}

// ---- a scope with children ----
async static void child(int ms) {
  OPEN;
  for (int i = 0; i < ms; i++) fm_sleep(1);
  STEP;
}
async static int scopes(void) {
  int v = 0;
  OPEN;
  scope (s) {
    OPEN;
    for (int i = 0; i < 3; i++) spawn child(i);
    scope (inner) {
      spawn child(5);
      fm_sleep(2);
      fm_cancel(inner);
      yield;
      v += 1000;
    }
    else {
      v++;
      yield;
    }
    v += 10;
  }
  return v;
}

// ---- races ----
async static int after(int ms, int v) {
  OPEN;
  fm_sleep((uint64_t)ms);
  STEP;
  return v;
}
async static int races(void) {  // who wins depends on how it is disturbed
  int v = 0, wins = 0, got = 0;
  auto t = spawn after(7, 5);
  for (int i = 1; i < 4; i++) {
    OPEN;
    if (got) { wins++; continue; }
    race {
      case v = after(i, 1): wins += v;
      case v = after(2, 0) + after(1, 1): wins += v;
      case v = await t: yield; wins++; got = 1;
    }
  }
  if (!got) v = await t;
  return wins;
}

// ---- atomic inside ----
async static int atomics(void) {
  int v = 0;
  OPEN;
  for (int i = 0; i < 3; i++) {
    atomic {
      OPEN;
      v += later(i);
      yield;
      scope (s) { spawn child(1); }
      STEP;
    }
    yield;
    v += atomic after(1, 3);
    shield {
      OPEN;
      fm_sleep(1);
      spawn child(1);
    }
  }
  fm_sleep(3);                    // the children have ended
  return v;
}

// ---- activities that share variables ----
async static int shares(void) {
  int sum = 0;
  {
    int part[3] = {0};
    OPEN;
    for (int i = 0; i < 3; i++) {
      int open = entered();
      activate (i, open) {
        defer left(open);
        yield;
        part[i] = i;
        fm_sleep((uint64_t)i);
        sum += part[i];
        STEP;
      }
    }
    yield;
    sum += 10;
  }
  yield;
  return sum;
}

// ---- jobs, tasks, arrays of variable length ----
async static int jobs(void) {
  int x = 4;
  auto j = job (x) {
    OPEN;
    x += later(1);
    yield;
    return x;
  };
  defer fm_job_free(j);
  auto t = spawn j;
  int v = await j, length[x];
  for (int i = 0; i < x; i++) {
    yield;
    length[i] = v;
  }
  spawn now child(1);
  v = await t;
  for (int i = 0; i < x; i++) v += length[i];
  fm_sleep(3);
  return v;
}

// ---- several at once ----
async static int several(void) {
  OPEN;
  task(int) t[3];
  int sum = 0;
  for (int i = 0; i < 3; i++) t[i] = spawn after(i + 1, i + 1);
  fm_all(t, 3);
  for (int i = 0; i < 3; i++) sum += await t[i];
  for (int i = 0; i < 3; i++) t[i] = spawn after(3 - i, 2);
  size_t k = fm_any(t, 3);
  sum += 10 * await t[k];
  auto s = spawn after(2, 100);
  auto shared = fm_share(s);
  yield;
  return sum + await s + await shared;
}

// ---- children that fail ----
async static void fails(int ms) throws(struct bad) {
  OPEN;
  fm_sleep((uint64_t)ms);
  throw (struct bad){ms};
}
async static int errors(void) {
  int sum = 0;
  for (int i = 1; i < 3; i++)
    try {
      OPEN;
      scope (s) {
        spawn fails(i);
        spawn fails(3);
        spawn child(9);
        child(9);
      }
      sum += 1000;
    } catch (fm_error *e) {
      yield;
      for (const fm_error *k = e; k; k = fm_error_next(k)) STEP;
      sum++;
    }
  return sum;
}

async int main(void) {
  DISTURB(calls, 8);              // expect: calls
  DISTURB(loops, 12);             // expect: loops
  DISTURB(tries, 81);             // expect: tries
  DISTURB(scopes, 11);            // expect: scopes
  DISTURB(races, 3);              // expect: races
  DISTURB(atomics, 12);           // expect: atomics
  DISTURB(shares, 13);            // expect: shares
  DISTURB(jobs, 25);              // expect: jobs
  DISTURB(several, 226);          // expect: several
  DISTURB(errors, 2);             // expect: errors
}
