// Where a va_list is a common type, it is known by its name.
// flags: -m32
#pragma fermata
typedef __builtin_va_list my_list;
int vp(const char *f, my_list ap);
async int later(int x);
async int used(const char *f, ...) {
  my_list ap;
  __builtin_va_start(ap, f);
  later(1);
  int n = vp(f, ap);
  __builtin_va_end(ap);
  return n;
}
async int argument(const char *f, ...) {
  my_list ap;
  __builtin_va_start(ap, f);
  vp((char *)later(9), ap);
  __builtin_va_end(ap);
  return 0;
}
async int param(int n, my_list ap) {
  int x = __builtin_va_arg(ap, int);
  x = later(x);
  return x + __builtin_va_arg(ap, int);
}
async int type(int n, const my_list ap) {
  __typeof__(ap) y = ap;
  n = later(n);
  return vp("", y);
}
async int pointer(int n, my_list ap) {
  my_list *p = &ap;
  n = later(n);
  return vp("", *p);
}
async int begun(my_list ap) { spawn param(1, ap); return 0; }
// error: 10:3: the `va_list` `ap` is still needed
// error: 18:14: the `va_list` `ap` is still needed
// error: 24:7: the `va_list` `ap` is still needed
// error: 29:7: the `va_list` `y` is still needed
// error: 34:7: the `va_list` `ap` is still needed
// error: 37:31: `spawn` cannot start a function that takes a `va_list`
