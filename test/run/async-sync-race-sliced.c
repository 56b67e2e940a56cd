// The same where every automatic yield switches.
// env: FERMATA_DRIVER=virtual
// env: FERMATA_TICK=always
#include "async-sync-race.c"
// expect: 11
// expect: 24
// expect: 9 of 6
// expect: nobody there
// expect: other: 7
// expect: sent
// expect: too late
// expect: locked
// expect: locked at once
// expect: closed
// expect: no mail
// expect: mail 3
