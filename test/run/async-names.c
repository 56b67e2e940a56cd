// Names of activities: by printf, of many at once, in dumps of a part of the tree; gone with the activity.
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <fermata/trace.h>
#include <string.h>

enum { MANY = 3000 };

static async void child(int n) {
  fm_set_namef(fm_self(), "child %d of %s", n, "main");
  fm_sleep(10);
}

static async void parent(void) {
  fm_set_name(fm_self(), "100 %d %s");            // no format
  scope (s) {
    spawn child(1);
    spawn child(2);
    yield;
    fm_dump_of(stdout, s);
    fm_dump_of(stdout, fm_self());
  }
}

static int wrong(fm_activity *a) {
  char name[40];
  int n = 0;
  for (int i = 0; i < MANY; i++) {
    snprintf(name, sizeof name, "child %d of main", i);
    n += strcmp(fm_name_of(a[i]), i % 3 ? name : "") != 0;
  }
  return n;
}

async int main(void) {
  static fm_activity a[MANY];
  printf("'%s' '%s'\n", fm_name_of(fm_self()), fm_name_of((fm_activity){ 0 })); // expect: '' ''
  await spawn parent();
  // expect: #3 scope: of #2 100 %d %s
  // expect:   #4 child 1 of main: waits at async-names.c:12 for a timer
  // expect:   #5 child 2 of main: waits at async-names.c:12 for a timer
  // expect: #2 100 %d %s: running
  // expect:   #3 scope: of #2 100 %d %s
  // expect:     #4 child 1 of main: waits at async-names.c:12 for a timer
  // expect:     #5 child 2 of main: waits at async-names.c:12 for a timer
  for (int i = 0; i < MANY; i++) {
    auto t = spawn child(i);
    a[i] = fm_id(t);
    fm_detach(t);
  }
  yield;
  for (int i = 0; i < MANY; i += 3) fm_set_name(a[i], NULL);
  printf("%d wrong\n", wrong(a));                 // expect: 0 wrong
  fm_set_name(a[1], fm_name_of(a[1]));            // its own
  fm_set_namef(a[2], "%s", fm_name_of(a[2]));
  printf("%d wrong\n", wrong(a));                 // expect: 0 wrong
  for (int i = 0; i < MANY; i++) fm_join(a[i]);
  printf("'%s' '%s'\n", fm_name_of(a[1]), fm_name_of(a[MANY - 1])); // expect: '' ''
  fm_set_namef(a[1], "late");
  fm_dump_of(stdout, a[1]);
  fm_trace_mark("no trace: %d", 1);
  fm_trace_stop();
  return 0;
}
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
