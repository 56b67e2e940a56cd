// figures.h: the functions of Figures 10 and 11 of paper 004, for each prefix that main.c measures.
// `a` and `b` are twins that call each other instead of themselves: they stand in two units, so
// that each call is a call on both sides.
#include "../dialect.h"

async int NAME(leaf)(int x);                      // small_computation
async int NAME(self)(int d, int x);               // Figure 10 as printed; plain C has it noinline
async int NAME(f10a)(int d, int x);
async int NAME(f10b)(int d, int x);
async int NAME(n4a)(int d, int x);                // Figure 11, N = 4
async int NAME(n4b)(int d, int x);
async int NAME(n8a)(int d, int x);
async int NAME(n8b)(int d, int x);
