int f(void) { return __builtin_(1) + __builtin_; }
