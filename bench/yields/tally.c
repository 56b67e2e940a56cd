// tally.c: what the loops call now and then.
volatile long tallied;

void tally(void) {
  tallied++;
}
