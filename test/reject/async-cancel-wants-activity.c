// cancel, pause and resume take an activity: of a task, fm_id(t).
#include <fermata.h>

async static void f(task(int) t) {
  fm_cancel(t);
}
// error: 5:13: a value of type `task(int)` is given where `fm_activity` is expected; `fm_id(…)` gives the activity of a task
