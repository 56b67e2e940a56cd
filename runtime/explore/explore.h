// explore.h: which activity goes on, for `fermata explore`. See explore.c.
#ifndef FM_EXPLORE_H
#define FM_EXPLORE_H

#include "core/runtime.h"

void fm__explore_begin(fm__runtime *d); // d is new
void fm__explore_end(fm__runtime *d);
// With d->explorer: the activity of the queue, which is not empty, that goes on.
FM_COLD fm_node *fm__explore_choose(fm__runtime *d, fm__set *s);

#endif
