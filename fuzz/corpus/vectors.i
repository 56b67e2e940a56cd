typedef float v4 __attribute__((__vector_size__(16))); typedef int i4 __attribute__((vector_size(16)));
v4 f(v4 a, v4 b, float s) { v4 c = a * b + (v4){ 1, 2, 3, 4 }; c[0] = s; i4 m = a < b; m = -m; return -c * s; }
i4 g(i4 a) { return __builtin_shuffle(a, (i4){ 3, 2, 1, 0 }) & ~a << 2; }
i4 h(v4 a) { return __builtin_convertvector(a, i4); }
