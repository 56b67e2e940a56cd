// A type that is defined among the parameters of an async function.
#include <fermata.h>
async int anonymous(struct { int x; } *p) { return p->x; }
async int named(int n, enum answer { NO, YES } a) { return n + (a == YES); }
async int (*pointer)(union u { int x; } *p);
struct before { int x; };
async int fine(struct before *p) { return p->x; }
// flags: --translate=auto
// error: 3:21: a type cannot be defined among the parameters of an async function
// error: 4:24: a type cannot be defined among the parameters of an async function
// error: 4:70: `YES` is not declared
// error: 5:22: a type cannot be defined among the parameters of an async function
