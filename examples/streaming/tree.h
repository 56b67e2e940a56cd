// tree.h: the tree of activities, as the page shows it.
#ifndef TREE_H
#define TREE_H

#include <fermata.h>
#include <stdio.h>

// Writes the tree as an array of JSON. Nodes at and below `free` may be cancelled and paused by the
// user; the others keep the page alive.
void tree_write(FILE *to, fm_activity free);
// Returns the node of that number, if it is at or below `free`; else the name of none.
fm_activity tree_find(fm_activity free, uint64_t number);
// Writes a text as a string of JSON.
void json_string(FILE *to, const char *text);

#endif
