// objects.h: what reports say of the object that an activity waits for. See objects.c.
#ifndef OBJECTS_H
#define OBJECTS_H

#include "fm.h"

void fm__objects_begin(void); // a report begins
// a waits for an object (FM__WOBJECT).
void fm__object_print(FILE *to, fm__runtime *d, const fm_node *a);
// The next activity in the queue in which a waits; after the last one the end of the queue
// (fm__is_end), and then how full the object is, if it is a channel. NULL: a is in no queue.
const fm_node *fm__object_queue(const fm_node *a,
                                bool *fills,
                                uint32_t *filled,
                                uint32_t *cap);
#endif
