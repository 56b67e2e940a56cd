#pragma fermata
int yield; struct s { int async, await; } *p;
int f(int run) { return run + p->async + yield; }
void g(void) { int spawn = 1; goto defer; defer: spawn++; }
typedef int task; task t = 3; enum { atomic, scope = 2 };
