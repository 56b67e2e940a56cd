// A frame counts the places at which its function can pause in 16 bits.
#include <fermata.h>

#define A yield; yield; yield; yield;
#define B A A A A
#define C B B B B
#define D C C C C
#define E D D D D
#define F E E E E
#define G F F F F
#define H G G G G
async void f(void) { H }
// error: 12:12: more than 65533
