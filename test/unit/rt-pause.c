// Pause and resume: ready, blocked, nested; cancel lifts them; atomics hold them back.
#include "play.h"

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  PLAY("+0.|0b..c-0..x", "a.d");                  // a ready one
  said("abcdx");
  PLAY("+0|0b..c-0..x", "a");                     // one that has not begun
  said("bcax");
  PLAY("=0+1.|1...a-1?1x", "..$7", "@0b");           // what it waits for goes on
  said("a7bx");
  PLAY("+0.|0|1.a-0..b-1..x", "+1c.d.", "e.f");   // nested: each resume releases what its own pause holds
  said("cadbefx");
  PLAY("+3[0+1.|0.b]x", "", "a.d", "", "....c-0"); // who is in a scope that is paused, too
  said("acdbx");
  PLAY("+0..|0.^0..x", "/a+1.b?9", "/c?9");       // cancel lifts every pause below it
  said("bCAcax");
  PLAY("+0.^0|0..x", "/a?9");                     // what is cancelled cannot be paused
  said("Aax");
  PLAY("+0|0|0-0..x", "a");                       // twice is once
  said("ax");
  PLAY("+0..|0-0x", "a");                         // what has ended
  said("ax");
  PLAY("+0.|0+1..-0..x", "a..b", "%20", "c");     // what is made below it is paused as well
  said("acbx");
  PLAY("+5+6+1...|1.........-1..x", "", "+2+3", "?5a", ".?6b", "", ".......c", ".....d"); // in the order they had blocked
  said("dcabx");
  fm__runtime_free(fm__runtime_of(fm__here()));
  return 0;
}
