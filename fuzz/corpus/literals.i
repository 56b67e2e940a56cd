int a[] = { 0, 012, 0x1F, 0b101, 1u, 2L, 3ull, 4LLU, 'a', '\n', '\x41', '\101', L'w', u'x', U'y', 'ab' };
double d[] = { 1., .5, 1e3, 0x1.8p-3, 1.5f, 2.0L, 1e-10F };
_Complex double z = 1.0 + 2.0i;
char s[] = "a" "b\"c\\" "\0";
const unsigned short *w = u"x"; const unsigned *x = U"y"; const int *l = L"z" L"w"; const char *e = u8"\u00e9";
__int128 big = (__int128)1 << 100;
