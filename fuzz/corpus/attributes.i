__attribute__((noreturn)) void die(const char *, ...) __attribute__((format(printf, 1, 2), cold));
struct __attribute__((packed, aligned(4))) P { char a; int b __attribute__((aligned(8))); } __attribute__((deprecated)) p;
int * __attribute__((unused)) q, (__attribute__((cdecl)) *r)(void);
typedef int V __attribute__((vector_size(16), may_alias)); typedef int M __attribute__((mode(DI)));
void f(int x __attribute__((unused))) { __attribute__((unused)) int y; int z __attribute__((cleanup(die))); L: __attribute__((unused)); switch (x) { case 1: x++; __attribute__((fallthrough)); default:; } }
[[noreturn]] void g([[maybe_unused]] int a); struct [[deprecated]] Q { int a [[maybe_unused]]; };
