int open_file(const char *) __asm__("open" "64");
register long sp __asm__("rsp");
asm(".globl x");
int f(int a) {
  int b; register int c asm("eax") = a;
  __asm__ volatile ("mov %1, %0" : "=r" (b) : "r" (a), [n] "i" (3) : "memory", "cc");
  asm("nop"); asm goto ("jmp %l0" : : : : out); asm inline ("");
out: return b + c;
}
