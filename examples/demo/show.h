// show.h: how the demo tells what it does. Plain C; see demo.c.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// A step's heading, numbered.
void show_title(const char *title);

// A line of explanation, as printf; and one with a result in it.
void show(const char *format, ...) __attribute__((format(printf, 1, 2)));
void show_result(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The lines of a source between `// show NAME` and the next `// end`.
void show_source(const char *path, const char *name);

// A dump of activities; neighbours that differ in their numbers alone become one line.
void show_tree(const char *dump);

// What the process needs: memory in bytes, open descriptors; the time in milliseconds.
size_t used_memory(void);
int open_descriptors(void);
double milliseconds(void);

// Allows as many descriptors as the system permits; returns how many.
size_t raise_descriptor_limit(void);
