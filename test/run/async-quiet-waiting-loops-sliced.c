// The same as async-quiet-waiting-loops.c, but with every yield taken.
// env: FERMATA_TICK=always
#include "async-quiet-waiting-loops.c"
// expect: reads
// expect: argument
// expect: pointer
// expect: inside
// expect: endless
// expect: do
// expect: assigned
// expect: conditional
// expect: counted: 1
// expect: round: 3
// expect: reset: 3
// expect: pointer around: 3
// expect: pointer back: 3
// expect: few turns: 1
// expect: goto
// expect: nested 1
// expect: recursive 1
// expect: or
// expect: step 99
