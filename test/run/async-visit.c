// fm_visit gives each node of the tree, parents first: kinds, states, places, pauses and cancels. It
// ends when its function says so; nodes that have ended, and the name of none below, are left alone.
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <fermata/trace.h>
#include <stdio.h>
#include <string.h>

static const char *const states[] = { "ready",  "waits", "paused", "atomic",
                                      "ending", "ended", "open",   "running" };
static int most;

static bool show(const fm_info *i, void *arg) {
  printf("%s%*s%s %s %s", (const char *)arg, (int)i->depth * 2, "", i->kind, i->name,
         states[i->state]);
  if (i->function && i->line)
    printf(" in %s", i->function);
  if (i->wants)
    printf(" for %s", i->wants);
  printf("%s%s%s\n", i->paused ? ", paused" : "", i->held ? ", held" : "",
         i->cancelled ? ", cancelled" : "");
  return --most > 0;
}

static void look(fm_activity at, const char *prefix) {
  most = 100;
  fm_visit(at, show, (void *)prefix);
}

static async void sleeper(void) {
  fm_sleep(1000);
}

static async void racer(void) {
  race {
  case fm_sleep(500):
    break;
  case fm_sleep(600):
    break;
  }
}

static async void holder(void) {
  shield fm_sleep(700);
}

static async void parent(void) {
  fm_detach(spawn sleeper());
}

static async int number(void) {
  return 3;
}

static async void looker(fm_activity at) {
  look(at, "");
}

async int main(void) {
  look((fm_activity){ 0 }, "");
  // expect: activity main running
  fm_activity gone;
  scope (s) {
    fm_set_name(s, "all");
    auto a = spawn sleeper();
    auto b = spawn racer();
    auto c = spawn holder();
    spawn parent();
    auto n = spawn number();
    yield;
    spawn looker(s);
    spawn sleeper();
    fm_pause(fm_id(a));
    fm_cancel(fm_id(c));
    fm_sleep(1);
    // expect: scope all open
    // expect:   activity sleeper waits in sleeper for a timer, paused, held
    // expect:   activity racer waits in racer for the arms of its race
    // expect:     race race open
    // expect:       activity racer__race1 waits in racer__race1 for a timer
    // expect:       activity racer__race2 waits in racer__race2 for a timer
    // expect:   activity holder waits in holder for a timer, cancelled
    // expect:     shield shield open
    // expect:   activity parent ending in parent
    // expect:     activity sleeper waits in sleeper for a timer
    // expect:   activity number ended
    // expect:   activity looker running
    // expect:   activity sleeper ready in sleeper
    most = 1;
    fm_visit(s, show, "first: ");
    // expect: first: scope all open
    fm_sleep(1100);
    look(fm_id(a), "late: ");
    // expect: late: activity sleeper paused in sleeper, paused, held
    fm_resume(fm_id(a));
    await a;
    await b;
    gone = s;
    printf("%d\n", await n);
    // expect: 3
  }
  look(gone, "gone: ");
  return 0;
}
// env: FERMATA_DRIVER=virtual
