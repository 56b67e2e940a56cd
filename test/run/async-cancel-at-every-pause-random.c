// As async-cancel-at-every-pause, with the ready queue shuffled: states that the order of the queue does not reach.
// env: FERMATA_TICK=off
// env: FERMATA_SCHED=random:5
// env: FERMATA_DRIVER=virtual
#include "async-cancel-at-every-pause.c"
// expect: calls
// expect: loops
// expect: tries
// expect: scopes
// expect: races
// expect: atomics
// expect: shares
// expect: jobs
// expect: several
// expect: errors
