// Attributes that an async function cannot have, each at its place.
#include <fermata.h>

static void plain(void) {}
async void before(void) __attribute__((constructor));       // error: 5:40: an async function cannot be `constructor`
__attribute__((__destructor__(101))) async void after(void) { yield; } // error: 6:16: an async function cannot be `destructor`
async __attribute__((naked)) void bare(void) { yield; }     // error: 7:22: an async function cannot be `naked`: it becomes several
async void chosen(void) __attribute__((ifunc("resolver"))); // error: 8:40: an async function cannot be `ifunc`
async int __attribute__((cold, interrupt)) vector(int x) { return x; } // error: 9:32: an async function cannot be `interrupt`
async int called(int x) __attribute__((ms_abi));            // error: 10:40: an async function cannot be `ms_abi`
[[gnu::constructor]] async void early(void) { yield; }      // error: 11:8: an async function cannot be `constructor`
async int twice(int x) __attribute__((returns_twice));      // error: 12:39: an async function cannot be `returns_twice`
async void other(void) __attribute__((alias("plain")));     // error: 13:45: `plain` is not async
asyncdirect __attribute__((constructor)) void direct(fm_completion(void) *k) { (void)k; } // error: 14:28: an async function cannot be `constructor`
