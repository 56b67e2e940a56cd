// prelude.h: what the cases of cases.txt use. Read as plain C, and by fmcc.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __FERMATA__
#include <fermata.h>
#else
#define async
#define throws(x)
#endif
struct S { int a; const int c; unsigned b : 3; int arr[4]; struct { int in; } m; };
struct T { int a; };
struct C { const int a; };
struct bad { int v; };
struct incomplete;
union U { int i; float f; };
enum E { EA, EB, EC };
typedef int number;
extern struct incomplete *far;
extern const int k;
extern int arr[4], *ip, x, y;
extern const char *cs;
extern char *ms;
extern double d;
extern float fl;
extern unsigned u;
extern short sh;
extern long l;
extern enum E e;
extern struct S v;
extern struct T t;
extern struct C cm;
extern union U un;
extern void *vp;
extern int (*fp)(int);
int g(int);
void nothing(void);
int two(int, char *);
void takes(struct T);
void taken(const char *);
void takes_char(char);
void takes_unsigned(unsigned);
void use(int);
void use_pointer(int *);
int old_one(int) __attribute__((deprecated));
int must_use(int) __attribute__((warn_unused_result));
void never_null(char *) __attribute__((nonnull));
void formatted(const char *, ...) __attribute__((format(printf, 1, 2)));
async int h(int);
async int may_fail(int) throws(struct bad);
