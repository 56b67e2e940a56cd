// A form of the dialect that is almost right: the message shows the right one.
#include <fermata.h>
#include <fermata/sync.h>
#include <string.h>
typedef fm_chan(int) ints;
struct bad { int n; };
static async int f(int x) { return x; }
static async void bare_task(void) { task t = spawn f(1); }
static async void bare_job(void) { job j = job f(1); }
static async void spawned_block(void) { spawn { f(1); } }
static async void spawned_plain(void) { spawn strlen("x"); }
static async void job_block(void) { auto j = job { return 1; }; }
static async void catches_all(void) { try { f(1); } catch (...) { } }
static async void catches(void) { try { f(1); } catch { } }
static async void sends(ints c) throws(struct fm_closed) { fm_send(c, 1); }
static async void sends_to_int(int *c) throws(struct fm_closed) { fm_send(c, 1); }
async int declares(void) throw(struct bad);
static async void no_type(void) { task() t; }
// error: 8:37: `task` needs the type of the result in parentheses: `task(int) t`
// error: 9:36: `job` needs the type of the result in parentheses: `job(int) j`
// error: 10:41: `spawn` needs a call after it; `activate { … }` runs a block as an activity
// error: 11:41: `spawn` needs a call of an async function, or a job, after it; this function is a plain one
// error: 12:46: `job (x, y) { … }`, or `job () { … }`
// error: 13:53: `catch (fm_error *e)` for any error
// error: 14:49: `catch (fm_error *e)` for any error
// error: 15:60: the address of this object is expected here: write `&` before it
// error: 16:67: a channel, event, mailbox or agent is expected here, not a value of type `int *`
// error: 17:26: errors are declared by `throws(…)`; did you mean that?
// error: 18:40: the type of the result is expected here
