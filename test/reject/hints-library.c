// A misspelt name of the library draws a hint, with the header if that is not included; so does a misspelt word of spawn.
#include <fermata.h>
static async int f(int x) { return x; }
static async void function(void) { fm_slep(1); }
static async void long_name(void) { fm_wait_reedable(1); }
static async void declared(void) { fm_set_nme(fm_self(), "x"); }
static async void type(void) { fm_mutx m; }
static async void far(void) { fm_unheard_of(1); }
static async void word(void) { spawn nwo f(1); }
static async void longer_word(void) { spawn detatched f(1); }
static async void place(fm_activity a) { spawn inn(a) f(1); }
static async void no_word(void) { spawn quickly f(1); }
static async void not_a_word(int now) { auto t = spawn f(now); await t; }
// error: 4:36: `fm_slep` is not declared; did you mean `fm_sleep`, of <fermata/time.h>?
// error: 5:37: `fm_wait_reedable` is not declared; did you mean `fm_wait_readable`, of <fermata/io.h>?
// error: 6:36: `fm_set_nme` is not declared; did you mean `fm_set_name`?
// error: 7:32: unknown type name `fm_mutx`; did you mean `fm_mutex`, of <fermata/sync.h>?
// error: 8:31: `fm_unheard_of` is not declared
// error: 9:38: `spawn` does not know the word `nwo`; did you mean `now`?
// error: 10:45: `spawn` does not know the word `detatched`; did you mean `detached`?
// error: 11:48: `spawn` does not know the word `inn`; did you mean `in`?
// error: 12:41: `spawn` does not know the word `quickly`: it takes now, detached, contained, in(…) and on(…)
