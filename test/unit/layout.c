// Sizes, alignments and offsets of structures: ours against those of the compiler of this test.
#include "front-end.h"

typedef struct At { const char *name; long long offset; } At;

static void laid_out(const char *text, long long size, long long align, const At *at) {
  char *whole;
  if (asprintf(&whole, "enum { LAST };\n%s typedef_end;\n", text) < 0) abort();
  char *name = strstr(whole, "typedef_end");
  memcpy(name, "x          ", 11);
  Unit *u = parsed(whole, (TranslateOptions){0});
  Type *t = symbol(u, "x")->type;
  char what[400];
  snprintf(what, sizeof what, "sizeof %.300s", text);
  check_int(what, size, type_size(u, t));
  memcpy(what, "align ", 6);
  check_int(what, align, type_align(u, t));
  for (; at && at->name; at++) {
    int64_t offset = 0;
    Member *m = type_member(t, intern(u, at->name, strlen(at->name)), &offset);
    snprintf(what, sizeof what, "offset of %s in %.300s", at->name, text);
    check_int(what, 1, m != NULL);
    check_int(what, at->offset, offset);
  }
  unit_done(u);
  free(whole);
}
#define O(m) {#m, __builtin_offsetof(tested, m)},
#define LAYOUT(offsets, ...) do { typedef __VA_ARGS__ tested; \
  laid_out(#__VA_ARGS__, sizeof(tested), __alignof__(tested), (const At[]){offsets {0}}); } while (0)

static void plain(void) {
  LAYOUT(O(a) O(b) O(c), struct { char a; int b; char c; });
  LAYOUT(O(b) O(d), struct { char a; double b; short c; long double d; });
  LAYOUT(O(b) O(c), struct { char a[3]; short b; struct { char x; long y; } c; });
  LAYOUT(O(p) O(f) O(q), struct { char c; void *p; int (*f)(int); char *q[3]; });
  LAYOUT(O(i) O(e), struct { char c; __int128 i; char e; });
  LAYOUT(O(x) O(y) O(z), struct { char c; _Complex float x; _Complex double y; _Complex long double z; });
  LAYOUT(O(a) O(b), union { char a[5]; int b; });
  LAYOUT(O(d), union { struct { char c; int i; } s; double d; });
  LAYOUT(O(a) O(b) O(c) O(d), struct { char a; union { char b; long c; }; struct { short d; }; });
  LAYOUT(O(n) O(data), struct { int n; char data[]; });
  LAYOUT(O(data), struct { char n; double data[0]; });
  LAYOUT(, struct { });
  LAYOUT(O(b), struct { struct { } a; int b; });
  LAYOUT(O(b) O(c), struct { char a; enum { A1, A2 } b; enum { B1 = -1, B2 = 0x7fffffff } c; });
  LAYOUT(O(b), struct { char a; enum { C1 = 0x123456789 } b; });
  LAYOUT(O(b), struct { char a; _Bool b; _Atomic int c; _Atomic long d; });
  LAYOUT(O(m), struct { char a; int m[2][3]; char z; });
  LAYOUT(O(v), struct { char a; int __attribute__((vector_size(16))) v; });
  LAYOUT(O(b), struct { char a; _Float16 b; __float128 c; });
}

static void bits(void) {
  LAYOUT(O(c), struct { int a : 3, b : 10; char c; int d : 20; });
  LAYOUT(O(z), struct { char a; int b : 4; int : 0; int c : 4; char z; });
  LAYOUT(O(z), struct { long a : 40; int b : 20; char c : 3; char z; });
  LAYOUT(O(z), struct { unsigned char a : 4, b : 4, c : 1; char z; });
  LAYOUT(O(c), struct { char a; long long b : 33; short c; });
  LAYOUT(O(b), struct { short a; int : 12; char b; });
  LAYOUT(O(z), struct { char a; _Bool b : 1, c : 1; short d : 9; char z; });
  LAYOUT(O(z), struct { int a : 31; int b : 2; int c : 31; char z; });
  LAYOUT(O(z), struct { int : 5; char z; });
  LAYOUT(O(z), struct { char a; int : 32; char z; });
  LAYOUT(O(z), struct { int : 0; char z; });
  LAYOUT(O(z), struct { char a; char : 0; char b; short : 0; char z; });
  LAYOUT(O(z), struct { short a : 7, b : 7, c : 7; char z; });
  LAYOUT(O(z), struct { unsigned long a : 63; unsigned b : 1; char z; });
  LAYOUT(, union { int a : 3; char b; long c : 50; });
  LAYOUT(, union { int a : 9; });
  LAYOUT(O(z), struct { enum { D1, D2 } a : 2; unsigned b : 30; char z; });
  LAYOUT(O(z), struct { __int128 a : 100; char z; });
  LAYOUT(O(z), struct { struct { int a : 4; } s; int b : 4; char z; });
}

static void attributes(void) {
  LAYOUT(O(b) O(c), struct __attribute__((packed)) { char a; int b; char c; });
  LAYOUT(O(b) O(c), struct { char a; int b; char c; } __attribute__((packed, aligned(4))));
  LAYOUT(O(b) O(c), struct { char a; int b __attribute__((packed)); short c; });
  LAYOUT(O(b) O(c), struct { char a; char b __attribute__((aligned(16))); int c; });
  LAYOUT(O(c), struct { int a : 3; int b : 30; char c; long d : 50; } __attribute__((packed)));
  LAYOUT(O(b), struct { char a; struct { char x; int y; } b; } __attribute__((packed)));
  LAYOUT(O(b), struct { char a; struct { char x; int y; } __attribute__((packed)) b; });
  LAYOUT(O(b) O(c), struct { char a; _Alignas(8) char b; _Alignas(double) int c; });
  LAYOUT(O(a), struct __attribute__((aligned(64))) { char a; });
  LAYOUT(O(z), struct { char a; int b : 4 __attribute__((aligned(8))); char z; });
  LAYOUT(O(z), struct { char a; int b : 9 __attribute__((packed)); int c : 20 __attribute__((packed)); char z; });
  LAYOUT(O(b), union { char a; int b __attribute__((aligned(32))); });
  LAYOUT(O(b), struct { char a; __attribute__((aligned(8))) short b, c; });
  LAYOUT(O(b), struct { char a; enum __attribute__((packed)) { E1, E2 = 200 } b; enum __attribute__((packed)) { F1 = -1, F2 = 200 } c; });
  LAYOUT(O(z), struct { char a; struct __attribute__((aligned(16))) { int q; } s[2]; char z; });
  LAYOUT(O(z), union __attribute__((packed)) { char z; int i; long l; });
  LAYOUT(O(z), struct __attribute__((packed)) { char a; int b : 5; short : 0; char z; });
}

// #pragma pack: the text has its lines, the structure is compiled under the same.
#define PACKED(line, offsets, ...) do { typedef __VA_ARGS__ tested; \
  laid_out(line "\n" #__VA_ARGS__, sizeof(tested), __alignof__(tested), (const At[]){offsets {0}}); } while (0)

static void packs(void) {
#pragma pack(push, 1)
  PACKED("#pragma pack(1)", O(b) O(c), struct { char a; int b; double c; });
  PACKED("#pragma pack(push, 1)", O(z), struct { int a : 7; int b : 30; char z; });
  PACKED("#pragma pack(push)\n#pragma pack(1)", O(b), struct { char a; struct { char x; long y; } b; });
  PACKED("#pragma pack(1)", O(b), struct { char a; int b __attribute__((aligned(8))); });
#pragma pack(2)
  PACKED("#pragma pack(push, 1)\n#pragma pack(2)", O(b) O(c) O(d), struct { char a; int b; double c; char d; });
  PACKED("#pragma pack(2)", O(z), struct { int a : 7; int b : 30; char z; });
  PACKED("#pragma pack(2)", O(z), struct { char a; long b : 33; short c : 15; char z; });
  PACKED("#pragma pack(2)", O(z), struct { char a; int : 0; char z; });
#pragma pack(4)
  PACKED("#pragma pack(8)\n#pragma pack(push, 4)", O(b) O(c), struct { char a; double b; long double c; });
  PACKED("#pragma pack(4)", O(z), union { char z; long double l; });
#pragma pack(pop)
  PACKED("#pragma pack(push, 1)\n#pragma pack(pop)", O(b), struct { char a; long b; });
  PACKED("#pragma pack(1)\n#pragma pack()", O(b), struct { char a; long b; });
  PACKED("#pragma pack(push, name, 1)\n#pragma pack(pop, name)", O(b), struct { char a; long b; });
  PACKED("#pragma pack(16)", O(b), struct { char a; __int128 b; });
}

int main(void) {
  plain();
  bits();
  attributes();
  packs();
  return result();
}
