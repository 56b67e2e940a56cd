// deadline.c: fm_cancel_after: timers that cancel an activity or scope. (To come, with fm_cancel.)
#include "fm.h"

bool fm__has_deadlines(fm__domain *d) { return d->deadlines; }
void fm__deadlines_drop(fm__domain *d) { (void)d; }
