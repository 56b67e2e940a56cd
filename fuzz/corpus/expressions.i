int g(int, ...);
int f(int a, int b, int *p, double d) {
  a = b = 3; a += b -= 1; a <<= 2, b >>= 1; a ^= b | a & ~b;
  p[a]++; ++*p; --p[1]; *p++ = 0[p]; p = &p[2];
  return a ? b : a ?: d ? (int)d : !a && b || a == b && a != 3 & 1 < 2 == 1 >= 0, g(a, (b, 3), -a - +b * 2 / 3 % 4), sizeof a + sizeof(int[3]) - (long)(char)p;
}
