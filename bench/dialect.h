// dialect.h: one text, two languages. A benchmark's functions are written once and compiled twice:
// by fmcc as Fermata, and by the C compiler alone, with -DPLAIN, as the plain C that Fermata is
// measured against.
//
// NAME(f) is f with the prefix of this compilation (-DPREFIX=plain_), so that one program holds
// them all. Calls cross translation units on both sides: a compiler that does not see a body cannot
// inline it.
#ifndef DIALECT_H
#define DIALECT_H

#ifdef PLAIN
#define async __attribute__((noinline))
#define atomic
#define yield
#else
#include <fermata.h>
#endif

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(PREFIX, f)
#endif
