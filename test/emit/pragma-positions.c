// Pragmas in a body stay between the statements where they stood, with the line of their own.
int f(int n) {
  int s = 0;
#pragma GCC unroll 4
  for (int i = 0; i < n; i++) {
#pragma GCC diagnostic push
    s += i;
#pragma GCC diagnostic pop
  }
  return s;
#pragma at_the_end
}
#pragma behind
int x;
// emits: # 4 "pragma-positions.c"
// emits: #pragma GCC unroll 4
// emits: #pragma GCC diagnostic push
// emits: #pragma GCC diagnostic pop
// emits: #pragma at_the_end
// emits: #pragma behind
