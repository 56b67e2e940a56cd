// once.c: one runtime for each process. A program that fmcc links contains the runtime
// (libfermata.a); a shared library with async code needs libfermata.so. Where fmcc sees such a
// library, it links the program with libfermata.so too; it cannot see a library that is loaded
// later. Two copies of the runtime would know nothing of each other: an activity of one would wait
// for ever for an activity of the other. So libfermata.so looks for another copy when it is loaded.
// If there is one, all names here must mean that copy, which they do if the program exports it
// (-rdynamic). Nothing refers to this file, so it is in the shared library only.
#define _GNU_SOURCE
#include "fm.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

typedef struct Search {
  const void *own; // address at which this library begins
  // path of another object with the note; "": the program
  const char *other;
} Search;

static const void *object_of(const void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fbase : NULL;
}

static bool is_ours(const ElfW(Nhdr) * note) {
  return note->n_namesz == sizeof FM__NOTE &&
         memcmp(note + 1, FM__NOTE, sizeof FM__NOTE) == 0;
}

static size_t padded(size_t n) {
  return (n + 3) & ~(size_t)3;
}

static bool has_note(const char *at, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *note = (const void *)at;
    size_t step =
        sizeof *note + padded(note->n_namesz) + padded(note->n_descsz);
    if (step > size)
      return false;
    if (is_ours(note))
      return true;
    at += step;
    size -= step;
  }
  return false;
}

static int look_at(struct dl_phdr_info *object, size_t size, void *arg) {
  Search *s = arg;
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const char *at = (const char *)object->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_NOTE || !has_note(at, part->p_filesz) ||
        object_of(at) == s->own)
      continue;
    s->other = object->dlpi_name;
    return 1;
  }
  return 0;
}

__attribute__((constructor)) static void look_for_another(void) {
  Search s = { .own = object_of((const void *)look_for_another) };
  Dl_info info;
  if (object_of((const void *)fm__here) != s.own ||
      !dl_iterate_phdr(look_at, &s))
    return;
  bool found = dladdr((const void *)look_for_another, &info);
  const char *own = found ? info.dli_fname : "libfermata.so";
  fprintf(stderr,
          "fermata: %s contains a runtime, and %s is a second one; a process "
          "can have only one: link the program with -shared-libfermata, or "
          "with -rdynamic\n",
          *s.other ? s.other : "the program",
          own);
  abort();
}
