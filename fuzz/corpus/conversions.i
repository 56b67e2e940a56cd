typedef unsigned char u8; typedef long long i64; struct B { unsigned a : 3; signed b : 5; _Bool c : 1; };
i64 f(u8 a, short b, unsigned c, float d, struct B s, char *p, void *v, const int *q) {
  return a + b * c / d - s.a + s.b + s.c + (p - (char *)v) + *q + (a << 3) + (c > b) + (v == p) + (p ? p != 0 : v != 0) + -s.a + ~a;
}
