void f(int x) {
  asm("nop" : "=r"(x);         // error: 2:6: this `(` is never closed
}
