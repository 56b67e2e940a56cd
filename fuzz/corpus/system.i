typedef struct _IO_FILE FILE; extern FILE *stdin; typedef unsigned long size_t; typedef __builtin_va_list __gnuc_va_list;
extern int printf (const char *__restrict __format, ...); extern void *memcpy (void *__restrict __dest, const void *__restrict __src, size_t __n) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));
extern __inline __attribute__ ((__gnu_inline__)) int getchar (void) { return 0; }
typedef struct { int __val[2]; } __fsid_t; typedef union { char __size[40]; long int __align; } pthread_mutex_t;
typedef void (*__sighandler_t) (int); extern __sighandler_t signal (int __sig, __sighandler_t __handler) __attribute__ ((__nothrow__));
__extension__ typedef long long quad; typedef int word __attribute__ ((__mode__ (__word__)));
extern int scan (const char *__restrict, ...) __asm__ ("" "__isoc99_scanf") ; typedef struct __attribute__((__aligned__(8))) { long long __max_align_ll __attribute__((__aligned__(__alignof__(long long)))); } max_align_t;
