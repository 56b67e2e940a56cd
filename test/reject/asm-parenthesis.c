void f(int x) {
  asm "nop";                   // error: 2:7: expected `(` after `asm`, found `"nop"`
  asm("nop" : "=r"(x)) x;
}
