// What was probably meant is said: a header, `struct`, parentheses, an object of another kind; and the caret stands at the macro.
#include <fermata.h>
#include <fermata/sync.h>

struct bad { int n; };
enum colour { RED };
typedef fm_chan(int) ints;
typedef fm_mvar(int) var;

static async void sleeps(void) { fm_sleep(1); }

static async void throws_type(void) throws(bad) { }

static async void throws_no_value(void) throws(struct bad) { throw struct bad{ 1 }; }

static async void declares(void) { colour c = RED; }

static async void catches(void) {
  try { sleeps(); } catch (bad e) { }
}

static async void scopes(void) { scope s { yield; } }

static async void kinds(ints *c, var *m) throws(struct fm_closed) {
  int n = fm_take(c);
  n += fm_recv(m); fm_send(c, n);
  fm_chan_init(m, 1);
}

static async void unhandled(ints *c) {
  int n = 1 + fm_recv(c);
  fm_try_send(c, n); fm_send(c, n);
}

static void plain(void) { sleeps(); }

// error: 10:34: `fm_sleep` is not declared: include <fermata/time.h>
// error: 12:44: unknown type name `bad`: write `struct bad`
// error: 14:68: a value is thrown, not a type: write `throw (struct …){ … };`
// error: 16:36: unknown type name `colour`: write `enum colour`
// error: 19:28: unknown type name `bad`: write `struct bad`
// error: 22:40: the name of a scope has to be in parentheses: `scope (s)`
// error: 25:11: an MVar or a reply is expected here, not a value of type `ints`
// error: 26:8: a channel, event, mailbox or agent is expected here, not a value of type `var`
// error: 27:3: a channel is expected here, not a value of type `var`
// error: 31:15: `struct fm_closed` may be thrown here
// error: 32:22: `struct fm_closed` may be thrown here
// error: 35:27: before the call, or make this function async
