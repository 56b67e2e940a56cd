typedef __builtin_va_list va_list;
int sum(int n, ...) {
  va_list ap, aq; int s = 0;
  __builtin_va_start(ap, n); __builtin_va_copy(aq, ap);
  while (n--) s += __builtin_va_arg(ap, int) + (int)__builtin_va_arg(aq, const double);
  __builtin_va_end(ap); return s + __builtin_offsetof(struct { int a; struct { int b[3]; } c; }, c.b[1]);
}
