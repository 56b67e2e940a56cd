// platform.h: what differs between platforms. FM__PAGE: the program is WebAssembly and lives in a
// page or in node (docs/browser.md). It has one thread, which must return to the page: nothing
// waits there, and the engine's stack cannot be measured. runtime/web/ has what is different then;
// the other files of the runtime ask the macros of this header.
#ifndef FM_CORE_PLATFORM_H
#define FM_CORE_PLATFORM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __EMSCRIPTEN__
#  define FM__PAGE 1
// A declaration of a part that a program has only if it uses it: a page has to be small. Nothing
// calls such a function before FM__IS_LINKED has been asked.
#  define FM__IF_USED __attribute__((weak))
#  define FM__IS_LINKED(name) (&(name) != NULL)
// The address of the code that called this function; there it would cost a backtrace.
#  define FM__CALLER NULL
// Of whole numbers and text only; musl's vsnprintf would bring the code for fractions along.
int vsniprintf(char *to, size_t n, const char *format, va_list list);
#  define FM__VSNPRINTF vsniprintf
// Room on the C stack that stands for the engine's frames of the runtime, see fm__low_by in abi.h.
#  define FM__STACK_PAD(bytes) \
    char fm__pad[bytes];       \
    __asm__ volatile("" ::"r"(fm__pad) : "memory")
// An activity goes on with the domain c: see web/fuel.c.
#  define FM__TURN_BEGINS(c) ((c)->given = 0, (c)->fuel = (c)->first)
// Of a large function that is called in several places.
#  define FM__SHARED __attribute__((noinline))
#else
#  define FM__PAGE 0
#  define FM__VSNPRINTF vsnprintf
#  define FM__IF_USED
#  define FM__IS_LINKED(name) true
#  define FM__CALLER __builtin_return_address(0)
#  define FM__STACK_PAD(bytes) ((void)0)
#  define FM__TURN_BEGINS(c) ((void)0)
#  define FM__SHARED
#endif

#endif
