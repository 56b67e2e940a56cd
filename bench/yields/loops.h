// loops.h: the byte loops of Figure 12 of paper 004: strcmp, with a yield every 2^12 bytes.
#include "../dialect.h"
#include <stdint.h>

#define NOW_AND_THEN(s) (!((uintptr_t)(s) & ((1 << 12) - 1)))

async int NAME(calling)(const char *s, const char *t); // calls tally(): an automatic yield before and after
async int NAME(waiting)(const char *s, const char *t); // the same, but pauses once before it begins
async int NAME(yielding)(const char *s, const char *t); // `yield;`, which always pauses
async int NAME(comparing)(const char *s, const char *t); // as `calling`, of thirty lines, a dozen pauses
void tally(void);                                 // plain C in a unit of its own: counts
extern volatile long tallied;
extern int stopped, traced;                       // 0
