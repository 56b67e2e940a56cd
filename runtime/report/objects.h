// objects.h: what reports say of the object that an activity waits for. See objects.c.
#ifndef OBJECTS_H
#define OBJECTS_H

#include "fm.h"

void fm__objects_begin(void); // a report begins
// a waits for an object (FM__WOBJECT).
void fm__object_print(FILE *to, fm__runtime *d, const fm_node *a);
#endif
