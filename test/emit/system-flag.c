// What comes from a system header keeps the flag that silences warnings about it, before and after a reprinted body.
#include <stddef.h>
int f(void) { return sizeof(size_t); }
// emits: stddef.h" 1 3 4
// emits: # 3 "system-flag.c" 2
// emits-not: "system-flag.c" 3
