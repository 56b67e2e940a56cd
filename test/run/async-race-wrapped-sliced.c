// The same as async-race-wrapped.c, but with every automatic yield taken: an arm that has its value, without having had to wait for it,
// wins before others run, and one that has lost takes none.
// env: FERMATA_TICK=always
#include "async-race-wrapped.c"
// expect: done
