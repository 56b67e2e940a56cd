// spawn takes a call of an async function.
#include <fermata.h>

async int f(int x);
int plain(int);

async void a(void) { spawn plain(1); }
async void b(task(int) t) { spawn t; }
async void c(void) { spawn f; }
async void d(void) { auto t = spawn 3 + 4; }
// error: 7:22: `spawn` needs a call of an async function, or a job, after it
// error: 8:29: `spawn` needs a call of an async function, or a job, after it
// error: 9:22: `spawn` needs a call of an async function, or a job, after it
// error: 10:31: `spawn` needs a call of an async function, or a job, after it
