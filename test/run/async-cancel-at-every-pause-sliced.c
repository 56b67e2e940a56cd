// As async-cancel-at-every-pause, where every automatic yield switches; they deliver no cancel.
// env: FERMATA_TICK=always
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
