// fm.h: the tour of the runtime. Read it first; each .c file of the runtime includes it.
//
// The life of an activity, and the files in which it takes place:
//
//     it is made       `spawn f(x)` makes a frame (core/frame.c) and a node (core/node-memory.c,
//                      core/activity.c), which becomes a child of the current activity or of its
//                      innermost scope (core/tree.c). `run` and async main begin in core/run.c.
//     it runs          The loop (core/sched.c) takes the first ready node and resumes its innermost
//                      frame. In an atomic a loop of its own runs a set of its own (core/atomic.c).
//     it pauses        A function that has to wait sets the guard of the domain and returns. Its
//                      callers see the guard, save their locals in frames and return too
//                      (core/guard.c). The end of a slice does the same (core/tick.c); activities
//                      that fm_pause holds are set aside (structure/pause.c).
//     it waits         for another activity: in the ring of that node (core/activity.c, join.c;
//                      structure/all.c for several); for something else: by a fm__wait. Objects of
//                      sync.h and agent.h have queues (wait/park.h, chan.c, sync.c, mailbox.c,
//                      reply.c); time is wait/timer.c; descriptors are wait/watch.c and read.c;
//                      the program's own events are wait/completion.c.
//     it is woken      The activity that has what was waited for puts it into the ready queue. With
//                      nothing ready, the loop waits for the driver (wait/idle.c, drivers/) and for
//                      messages of other threads (domains/inbox.c). Activities released together
//                      go on in the order in which they blocked (core/wake-order.c).
//     it is cancelled  A cancel marks the node and all below it (structure/cancel.c), withdraws
//                      their waits, and makes them ready. Each unwinds its frames
//                      (structure/unwind.c). Scopes and shields are structure/scope.c, races
//                      race.c, deadlines deadline.c.
//     it ends          Its waiters are woken (core/end.c). Its result stays in its first frame
//                      until it is awaited; an error goes to the activity that awaits it, to its
//                      scope, or to the handler (structure/error.c).
//     it is reported   dumps, deadlocks, names and traces: report/.
//
// An activity of another domain is never touched directly: messages do all of this for it
// (domains/).
//
// Names: fm_x is public (<fermata.h>) or part of the contract with generated code
// (<fermata/abi.h>); fm__x is known to the runtime, the library and generated code alone. `c` is
// the fm_domain that generated code sees, `d` the whole of the same domain (fm__runtime), `a` an
// activity, `s` a scope or a set of activities, `w` a waiter.
#ifndef FM_H
#define FM_H

#include "core/node.h"     // an activity: flags, waits, rings
#include "core/runtime.h"  // a domain: everything that is kept for one thread
#include "report/report.h" // fatal errors, dumps, names, traces
#include "core/core.h"     // memory, activities, the loop, atomics
#include "structure/structure.h" // errors, cancel, pause, scopes, races, deadlines
#include "wait/wait.h"           // waits, the driver, alarms
#include "domains/domains.h" // messages, activities and objects of other domains
#include "explore/explore.h" // the order that `fermata explore` wants

#endif
