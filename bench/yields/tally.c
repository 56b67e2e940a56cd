// tally.c: what the loops call now and then.
volatile long tallied;
int stopped, traced;

void tally(void) {
  tallied++;
}
