_Float128 q = 1.0f128; _Float64x x; _Float32 f = 1.0f32; _Decimal64 d = 1.5dd; __float128 g; _Float16 h; __bf16 *b;
double _Complex z; float _Complex w = 1.0fi; double r(void) { return __real__ z + __imag__ z + -~z; }
long double l = 1.0L; typedef double T; T t(double a) { return a > 1 ? a : (long double)a; }
