// Pointers to async functions are alike for the C compiler: that they point at the right type is checked here, at file scope too.
#include <fermata.h>
async long wide(int);
async int text(char *);
struct ops { async int (*f)(int); };
static struct ops table[] = { { wide }, { .f = text } };
static async int (*at_file_scope)(int) = wide;
async int takes(async int (*f)(int));

async int test(struct ops *o) {
  async int (*local)(int) = wide;
  local = (async int (*)(int))wide;               // a cast says that it is meant
  o->f = text;
  return takes(text) + local(1) + at_file_scope(1) + table[0].f(1);
}
// flags: --translate=auto
// error: 6:33: a value of type `async long(int)` is given where `async int(int) *` is expected
// error: 6:48: a value of type `async int(char *)` is given where `async int(int) *` is expected
// error: 7:42: a value of type `async long(int)` is given
// error: 11:29: a value of type `async long(int)` is given
// error: 13:10: a value of type `async int(char *)` is given
// error: 14:16: a value of type `async int(char *)` is given
