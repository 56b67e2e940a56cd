// uv.h: libuv on a domain's own thread. A program starts handles and requests of libuv on this loop
// and never runs it: the domain runs it, whenever it waits and now and then while it is busy.
// Callbacks are plain C that no activity has called: they may complete waits (fm_complete) and
// `spawn detached`, but not wait.
#ifndef FERMATA_UV_H
#define FERMATA_UV_H

#include <fermata/pool.h>
#include <uv.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- libuv ----

// Returns the loop of this thread's domain, made at the first call; NULL if the domain has another
// driver, or the loop cannot be made. Call it each time something is started: the call also makes
// the domain look at the loop. Handles that are alive count as pending: they are no deadlock.
uv_loop_t *fm_uv_loop(void);

#ifdef __cplusplus
}
#endif
#endif
