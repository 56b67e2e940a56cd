// What a function declares inside is printed from its type, with typedef names, attributes and lengths as written.
typedef unsigned long size;
int f(int n) {
  const size a[n + 2], *const *p = 0, (*q)[3] = 0;          // emits: const size a[n + 2]
  int (*(*r)(int, char *))[4] = 0;                          // emits: int (*(*r)(int , char * ))[4] = 0;
  struct s { int x : 3; } s = {1};                          // emits: struct s { int x : 3; }
  static volatile unsigned char c = 'x';                    // emits: static volatile unsigned char c = 'x';
  __attribute__((unused)) int u = 1;                        // emits: __attribute__((unused)) int
  return n + (int)sizeof a + (p != 0) + (q != 0) + (r != 0) + s.x + c;
}
// emits: *const *p = 0
// emits: (*q)[3] = 0
