struct P { int x, y; }; struct P *f(struct P);
int g(void) { return f((struct P){ 1, 2 })->x + (int[]){ 1, 2, 3 }[1] + *(int *)&(int){ 5 } + ((struct P){ .y = 3 }).y + sizeof (struct P){ 0 }; }
const char **names = (const char *[]){ "a", "b", 0 }; struct P nested[2][2] = { { { 1, 2 }, { 3 } }, [1] = { [1] = { .y = 4 } }, };
int e[3] = {}; char s[2][4] = { "abc", { 'd' } };
