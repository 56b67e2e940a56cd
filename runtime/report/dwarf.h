// dwarf.h: reading a program's debug information: numbers, texts, sections. For lines.c, and for
// the names of members in atomicity/members.c.
#ifndef FM_REPORT_DWARF_H
#define FM_REPORT_DWARF_H

#include "report/symbols.h"

#include <string.h>

typedef ElfW(Ehdr) Header;
typedef ElfW(Shdr) Section;

// ---- reading ----
// at == end: nothing is left, or the table is broken.
typedef struct Bytes {
  const unsigned char *at, *end;
} Bytes;

static inline uint64_t number(Bytes *b, size_t n) {
  uint64_t v = 0;
  if ((size_t)(b->end - b->at) < n) {
    b->at = b->end;
    return 0;
  }
  for (size_t i = 0; i < n && i < sizeof v; i++)
    v |= (uint64_t)b->at[i] << (8 * i);
  b->at += n;
  return v;
}

static inline uint64_t uleb(Bytes *b) {
  uint64_t v = 0;
  for (unsigned shift = 0; b->at < b->end; shift += 7) {
    unsigned char c = *b->at++;
    if (shift < 64)
      v |= (uint64_t)(c & 0x7f) << shift;
    if (!(c & 0x80))
      return v;
  }
  return 0;
}

static inline int64_t sleb(Bytes *b) {
  uint64_t v = 0;
  unsigned shift = 0;
  unsigned char c = 0x80;
  while (c & 0x80 && b->at < b->end) {
    c = *b->at++;
    if (shift < 64)
      v |= (uint64_t)(c & 0x7f) << shift;
    shift += 7;
  }
  if (c & 0x40 && shift < 64)
    v |= ~(uint64_t)0 << shift;
  return (int64_t)v;
}

static inline const char *text(Bytes *b) {
  const char *s = (const char *)b->at;
  size_t n = strnlen(s, (size_t)(b->end - b->at));
  if (b->at + n >= b->end) {
    b->at = b->end;
    return "";
  }
  b->at += n + 1;
  return s;
}

// ---- sections ----
static inline Bytes section(const fm__image *image, const char *name) {
  const Header *h = (const Header *)(const void *)image->file;
  const Section *s = (const Section *)(const void *)(image->file + h->e_shoff);
  Bytes none = { NULL, NULL };
  if (h->e_shstrndx >= h->e_shnum)
    return none;
  const Section *names = &s[h->e_shstrndx];
  for (size_t i = 0; i < h->e_shnum; i++) {
    uint64_t at = names->sh_offset + s[i].sh_name;
    if (at >= image->size || s[i].sh_type != SHT_PROGBITS ||
        s[i].sh_flags & SHF_COMPRESSED || s[i].sh_offset > image->size ||
        s[i].sh_size > image->size - s[i].sh_offset ||
        strncmp(image->file + at, name, image->size - at) != 0)
      continue;
    const unsigned char *p =
        (const unsigned char *)image->file + s[i].sh_offset;
    return (Bytes){ p, p + s[i].sh_size };
  }
  return none;
}

static inline const char *
text_in(const fm__image *image, const char *name, size_t at) {
  Bytes b = section(image, name);
  if (at >= (size_t)(b.end - b.at))
    return "";
  b.at += at;
  return text(&b);
}

#endif
