# 0 "file.c"
# 0 "<built-in>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "file.c"
#line 20 "other.c"
int a;
# 3 "file.c" 2
#pragma pack(push, 1)
struct S { char c; int i; };
#pragma pack(pop)
#ident "x"
_Pragma("GCC diagnostic ignored \"-Wall\"") int b;
