// No pause may come while a list, or `...`, is still needed.
#include <fermata.h>
#include <stdarg.h>
#include <stdio.h>
struct holder { int n; va_list ap; };
async int later(int x);
void keep(va_list *);
void hold(struct holder *, va_list);

async int used(const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  later(1);
  int n = vprintf(f, ap);
  va_end(ap);
  return n;
}
async int not_begun(const char *f, ...) {
  va_list ap;
  yield;
  va_start(ap, f);
  int n = vprintf(f, ap);
  va_end(ap);
  return n;
}
async int loop(int n, ...) {
  int s = 0;
  va_list ap;
  va_start(ap, n);
  while (n--) s += later(va_arg(ap, int));
  va_end(ap);
  return s;
}
async int param(va_list ap) {
  int x = va_arg(ap, int);
  x = later(x);
  return x + va_arg(ap, int);
}
async int again(const char *f, ...) {
  for (int i = 0; i < 2; i++) {
    va_list ap;
    va_start(ap, f);
    vprintf(f, ap);
    va_end(ap);
    later(i);
  }
  return 0;
}
async int handler(const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  try { later(1); } finally { vprintf(f, ap); }
  va_end(ap);
  return 0;
}
async int pointer(const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  keep(&ap);
  later(1);
  va_end(ap);
  return 0;
}
async int argument(const char *f, ...) {
  char b[9];
  va_list ap;
  va_start(ap, f);
  vsnprintf(b, (size_t)later(9), f, ap);
  va_end(ap);
  return 0;
}
async int held(const char *f, ...) {
  struct holder h;
  va_list ap, two[2];
  va_start(ap, f);
  hold(&h, ap);
  va_end(ap);
  return later(1) + vprintf(f, h.ap) + (int)sizeof two;
}
// error: 13:3: this may pause while the `va_list` `ap` is still needed, and a `va_list` cannot be kept across a pause
// note: 11:11: it is declared here; end its use before the pause
// error: 20:3: this may pause before a `va_start`, and the arguments `...` cannot be kept across a pause: read them first
// error: 30:20: the `va_list` `ap` is still needed
// error: 36:7: the `va_list` `ap` is still needed
// error: 45:5: this may pause before a `va_start`
// error: 52:9: the `va_list` `ap` is still needed
// error: 60:3: the `va_list` `ap` is still needed
// error: 68:24: the `va_list` `ap` is still needed
// error: 78:10: this may pause while `h` is in scope, and its `va_list` cannot be kept across a pause
// note: 73:17: it is declared here; end its block before the pause
