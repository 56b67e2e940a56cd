// uv.h: libuv on a domain's own thread. A program starts handles and requests of libuv on this
// loop, and never runs it: the domain does, whenever it waits and now and then while it is busy.
// Callbacks are plain C, which no activity has called: they may complete waits (fm_complete) and
// `spawn detached`, but not wait.
#ifndef FERMATA_UV_H
#define FERMATA_UV_H

#include <fermata/pool.h>
#include <uv.h>

#ifdef __cplusplus
extern "C" {
#endif

// The loop of this thread's domain, made at the first call; NULL: it has another driver, or cannot
// be made. Ask for it each time something is started: that also tells the domain to look at it.
// What is alive in it counts as pending: no deadlock.
uv_loop_t *fm_uv_loop(void);

#ifdef __cplusplus
}
#endif
#endif
