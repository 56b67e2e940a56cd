// Forms that have no node of their own are not dropped: asm labels, file-scope asm, empty declarations, K&R parameters.
;
__asm__(".globl nothing");                  // emits: __asm__(".globl nothing");
int x __asm__("other_x") = 1;               // emits: int x __asm__("other_x") = 1;
int old(a, b) int a; char *b; { return a + *b; } // emits: int old(a, b) int a; char *b; { return a + *b;}
_Static_assert(1, "file scope");            // emits: _Static_assert(1, "file scope");
int f(int n) {
  register int r __asm__("rbx") = n;        // emits: register int r __asm__("rbx") = n;
  __extension__ long long l = 1;            // emits: __extension__ long long l = 1;
  __asm__ volatile goto("" : : "r"(r) : "memory" : out); // emits: : "memory" : out)
  ;
out: __attribute__((unused)) ;              // emits: out: __attribute__((unused)) ;
  return r + (int)l;
}
