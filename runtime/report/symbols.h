// symbols.h: the function that an address of code belongs to, for handlers of signals. See
// symbols.c.
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include <elf.h>
#include <fermata/abi.h>
#include <link.h>

typedef struct fm__mapping { // a line of /proc/self/maps
  uintptr_t low, high;
  uintptr_t offset; // in the file
  bool code;        // it can be executed
  char path[512];   // empty: no file, or its name is longer
} fm__mapping;

typedef struct fm__image { // code that is mapped somewhere
  uintptr_t low, high;
  bool seen;        // the next fields have been looked for
  const char *file; // all of it, mapped once more
  size_t size;
  uintptr_t bias; // difference of an address in memory and in the file
  bool full;      // it is not stripped: all symbols are there
  const ElfW(Sym) * symbols;
  size_t count; // 0: it has none
  const char *names;
  size_t names_size;
} fm__image;

enum { FM__IMAGES = 64 };
typedef struct fm__symbols {
  size_t count;
  fm__image images[FM__IMAGES];
} fm__symbols;

typedef struct fm__function {
  uintptr_t low, high; // its addresses
  const char *name;    // its first `length` characters are the user's
  size_t length;
  bool atomic;         // it is the atomic version of an async function
  bool full;           // of its image
  const fm_code *code; // NULL: not async, or not known
} fm__function;

bool fm__mapping_at(uintptr_t address, fm__mapping *m);
void fm__symbols_begin(fm__symbols *all); // reads what is mapped now
// The symbols that all reports of the process share, which keep their files mapped. NULL: another
// thread uses them now. Not for handlers of signals.
fm__symbols *fm__symbols_take(void);
void fm__symbols_release(void);
// The variable with a fixed place in memory that the address is in; NULL: none is known.
const char *fm__object_at(fm__symbols *all,
                          uintptr_t address,
                          size_t *offset,
                          size_t *size);

// ---- lines.c ----
typedef struct fm__source_line {
  const char *directory, *file; // directory: "", or before a relative file
  uint64_t line;
} fm__source_line;
bool fm__line_in(const fm__image *image, uintptr_t address, fm__source_line *l);
bool fm__line_at(fm__symbols *all, uintptr_t address, fm__source_line *l);
// Generated code, and the inline functions that it calls, have no line of the program.
bool fm__line_is_generated(const fm__source_line *l);

// false: not known.
bool fm__function_at(fm__symbols *all, uintptr_t address, fm__function *f);
#endif
