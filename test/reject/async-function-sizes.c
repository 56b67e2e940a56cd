// An async function has no size, as no function has; outside of functions it can be named, not called.
#include <fermata.h>
async int f(int x);
int a[sizeof(f)];                       // error: 4:7: a function has no size
enum { A = _Alignof(*f) };              // error: 5:12: a function has no alignment
int b = f(1);                           // error: 6:9: an async function cannot be called outside of functions
int c = sizeof(f(1)) + f(2);            // error: 7:24: an async function cannot be called outside of functions
int plain(void) { return sizeof(int[f(1)]); } // error: 8:37: only async code can call an async function like this
async int g(void) { return (int)sizeof f; } // error: 9:33: a function has no size
int d = sizeof(await f(1));             // error: 10:16: `await` can be used only in functions
int e = sizeof(run f(1));               // error: 11:16: `run` can be used only in functions
typeof(spawn f(1)) t;                   // error: 12:8: `spawn` can be used only in functions
