// stack.h: where a thread stands, for reports. See stack.c.
#ifndef STACK_H
#define STACK_H

#include "fm.h"
#include "report/symbols.h"

enum { FM__STACK_DEPTH = 64 };
typedef struct fm__stack {
  size_t count;
  void *at[FM__STACK_DEPTH]; // return addresses, the innermost first
  fm__symbols *symbols;      // while it is printed
} fm__stack;

// The calling thread's. A handler of a signal may call it, if it was called before.
void fm__stack_take(fm__stack *s);
// Its innermost function is one of the library, or was called by one.
bool fm__stack_in_library(fm__stack *s);
// The functions of the program, each on a line. Returns whether the last one is what the scheduler
// resumed: the function of the activity's leaf.
bool fm__stack_print(FILE *to, fm__stack *s);
// The running activity, or plain code, and its functions: report.c.
void fm__report_running(FILE *to, fm__runtime *d, fm__stack *s);
#endif
