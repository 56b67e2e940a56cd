// Sizes, alignments and offsets of many structures, printed by the program and (in test/sample/assert.sh) asserted by fmcc:
// packed, aligned, bit-fields, #pragma pack, unions, nested.
#include <stddef.h>
#include <stdio.h>

struct s1 { char a; int b; char c; };
struct s2 { char a; double b; short c; long double d; };
struct s3 { char a[3]; short b; struct s1 c; };
struct s4 { int a : 3, b : 10; char c; int d : 20; };
struct s5 { char a; int b : 4; int : 0; int c : 4; };
struct s6 { long a : 40; int b : 20; char c : 3; };
struct s7 { unsigned char a : 4, b : 4, c : 1; };
struct s8 { char a; long long b : 33; short c; };
struct s9 { short a; int : 12; char b; };
struct s10 { char a; _Bool b : 1; _Bool c : 1; short d : 9; };
union u1 { char a[5]; int b; short c : 5; };
union u2 { struct s1 a; double b; };
struct p1 { char a; int b; char c; } __attribute__((packed));
struct p2 { char a; int b; char c; } __attribute__((packed, aligned(4)));
struct p3 { char a; int b __attribute__((packed)); short c; };
struct p4 { char a; char b __attribute__((aligned(16))); int c; };
struct p5 { int a : 3; int b : 30; char c; long d : 50; } __attribute__((packed));
struct p6 { char a; struct p1 b; short c; };
struct p7 { char a; struct s1 b; } __attribute__((packed));
struct p8 { char a; _Alignas(8) char b; _Alignas(double) int c; };
struct p9 { char a; union { char c; int i; }; struct { short s; char t; }; };
struct f1 { int a; char b; char data[]; };
struct f2 { char a; double data[0]; };
struct e1 { char a; enum { SMALL } b; enum __attribute__((packed)) { TINY } c; };
typedef int aligned_int __attribute__((aligned(16)));
typedef int low_int __attribute__((aligned(2)));
struct t1 { char a; aligned_int b; char c; };
struct t2 { char a; low_int b; char c; };
#pragma pack(push, 1)
struct k1 { char a; int b; double c; };
#pragma pack(2)
struct k2 { char a; int b; double c; char d; };
struct k3 { int a : 7; int b : 30; char c; };
#pragma pack(push, 4)
struct k4 { char a; double b; long double c; };
#pragma pack(pop)
struct k5 { char a; int b; };
#pragma pack(pop)
struct k6 { char a; int b; };
#pragma pack(1)
struct k7 { short a; union { char c; long l; } u; struct s1 in; };
#pragma pack()
struct k8 { char a; long b; };
struct q1 { char a; __int128 b; };
struct q2 { char a; _Complex double b; float _Complex c; };
struct q3 { char a; void (*b)(void); char *c[2]; };
struct q4 { char a; int __attribute__((vector_size(16))) b; };

#define SHOW(t) printf("%-10s %zu %zu", #t, sizeof(t), __alignof__(t))
#define AT(t, m) printf(" %s%zu", #m, offsetof(t, m))

int main(void) {
  SHOW(struct s1); AT(struct s1, b); AT(struct s1, c); puts(""); // expect: struct s1  12 4 b4 c8
  SHOW(struct s2); AT(struct s2, b); AT(struct s2, c); AT(struct s2, d); puts(""); // expect: struct s2  48 16 b8 c16 d32
  SHOW(struct s3); AT(struct s3, b); AT(struct s3, c); puts(""); // expect: struct s3  20 4 b4 c8
  SHOW(struct s4); AT(struct s4, c); puts(""); // expect: struct s4  8 4 c2
  SHOW(struct s5); puts(""); // expect: struct s5  8 4
  SHOW(struct s6); puts(""); // expect: struct s6  8 8
  SHOW(struct s7); puts(""); // expect: struct s7  2 1
  SHOW(struct s8); AT(struct s8, c); puts(""); // expect: struct s8  8 8 c6
  SHOW(struct s9); AT(struct s9, b); puts(""); // expect: struct s9  6 2 b4
  SHOW(struct s10); puts(""); // expect: struct s10 4 2
  SHOW(union u1); AT(union u1, b); puts(""); // expect: union u1   8 4 b0
  SHOW(union u2); AT(union u2, b); puts(""); // expect: union u2   16 8 b0
  SHOW(struct p1); AT(struct p1, b); AT(struct p1, c); puts(""); // expect: struct p1  6 1 b1 c5
  SHOW(struct p2); AT(struct p2, b); AT(struct p2, c); puts(""); // expect: struct p2  8 4 b1 c5
  SHOW(struct p3); AT(struct p3, b); AT(struct p3, c); puts(""); // expect: struct p3  8 2 b1 c6
  SHOW(struct p4); AT(struct p4, b); AT(struct p4, c); puts(""); // expect: struct p4  32 16 b16 c20
  SHOW(struct p5); AT(struct p5, c); puts(""); // expect: struct p5  13 1 c5
  SHOW(struct p6); AT(struct p6, b); AT(struct p6, c); puts(""); // expect: struct p6  10 2 b1 c8
  SHOW(struct p7); AT(struct p7, b); puts(""); // expect: struct p7  13 1 b1
  SHOW(struct p8); AT(struct p8, b); AT(struct p8, c); puts(""); // expect: struct p8  24 8 b8 c16
  SHOW(struct p9); AT(struct p9, c); AT(struct p9, s); AT(struct p9, t); AT(struct p9, i); puts(""); // expect: struct p9  12 4 c4 s8 t10 i4
  SHOW(struct f1); AT(struct f1, b); AT(struct f1, data); puts(""); // expect: struct f1  8 4 b4 data5
  SHOW(struct f2); AT(struct f2, data); puts(""); // expect: struct f2  8 8 data8
  SHOW(struct e1); AT(struct e1, b); AT(struct e1, c); puts(""); // expect: struct e1  12 4 b4 c8
  SHOW(struct t1); AT(struct t1, b); AT(struct t1, c); puts(""); // expect: struct t1  32 16 b16 c20
  SHOW(struct t2); AT(struct t2, b); AT(struct t2, c); puts(""); // expect: struct t2  8 2 b2 c6
  SHOW(struct k1); AT(struct k1, b); AT(struct k1, c); puts(""); // expect: struct k1  13 1 b1 c5
  SHOW(struct k2); AT(struct k2, b); AT(struct k2, c); AT(struct k2, d); puts(""); // expect: struct k2  16 2 b2 c6 d14
  SHOW(struct k3); AT(struct k3, c); puts(""); // expect: struct k3  6 2 c5
  SHOW(struct k4); AT(struct k4, b); AT(struct k4, c); puts(""); // expect: struct k4  28 4 b4 c12
  SHOW(struct k5); AT(struct k5, b); puts(""); // expect: struct k5  6 2 b2
  SHOW(struct k6); AT(struct k6, b); puts(""); // expect: struct k6  8 4 b4
  SHOW(struct k7); AT(struct k7, u); AT(struct k7, in); puts(""); // expect: struct k7  22 1 u2 in10
  SHOW(struct k8); AT(struct k8, b); puts(""); // expect: struct k8  16 8 b8
  SHOW(struct q1); AT(struct q1, b); puts(""); // expect: struct q1  32 16 b16
  SHOW(struct q2); AT(struct q2, b); AT(struct q2, c); puts(""); // expect: struct q2  32 8 b8 c24
  SHOW(struct q3); AT(struct q3, b); AT(struct q3, c); puts(""); // expect: struct q3  32 8 b8 c16
  SHOW(struct q4); AT(struct q4, b); puts(""); // expect: struct q4  32 16 b16
  return 0;
}
