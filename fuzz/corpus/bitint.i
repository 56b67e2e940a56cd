_BitInt(37) b; unsigned _BitInt(7) u = 3; enum E : unsigned char { X, Y }; enum E e = X;
int f(int, char *[], ...) ; int g(int (int), int (*)[3], void (*)(void)); int d = 1'000'000;
int h(void) { l: } int k(void) { switch (1) { case 1: } return 0; }
