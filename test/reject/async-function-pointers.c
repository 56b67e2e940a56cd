// An async function where a plain function pointer is wanted, and the reverse.
#include <fermata.h>

async int f(int x);
int plain(int x);
void takes_plain(int (*p)(int));
void takes_async(async int (*p)(int));

int (*a)(int) = f;
async int (*b)(int) = plain;

void test(void) {
  int (*c)(int) = f;
  async int (*d)(int) = plain;
  c = f;
  d = plain;
  takes_plain(f);
  takes_async(plain);
  c = d;
  (void)c;
  (void)d;
}
// error: 9:17: this is an async function, of type `async int(int)
// error: 13:19: this is an async function, of type `async int(int)
// error: 15:7: this is an async function, of type `async int(int)
// error: 17:15: this is an async function, of type `async int(int)
// error: 19:7: this is an async function, of type `async int(int)
// error: 10:23: this is a plain function, of type `int(int)`; a pointer to an async function is expected here
// error: 14:25: this is a plain function, of type `int(int)`; a pointer to an async function is expected here
// error: 16:7: this is a plain function, of type `int(int)`; a pointer to an async function is expected here
// error: 18:15: this is a plain function, of type `int(int)`; a pointer to an async function is expected here
