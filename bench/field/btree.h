// btree.h: what btree.c has, once as plain C (prefix plain_) and once with every function async
// (prefix fm_). Unlike ../dialect.h, plain C may inline here: whoever makes functions async loses
// that, and is to see what it costs.
#ifndef PREFIX
#  error "PREFIX: plain_ or fm_"
#endif
#ifdef PLAIN
#  define async
#else
#  include <fermata.h>
#endif
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(PREFIX, f)

async void NAME(fill)(int n); // a new tree of n keys
async int NAME(found)(int n); // how many of these keys are in it
async void NAME(drop)(void);  // frees it
async long NAME(fib)(int n);
