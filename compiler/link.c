// link.c: whether a link needs libfermata, and adding it.
// In: the files of a link: ELF objects, shared libraries, archives. Out: yes if some fm_ name is used and defined nowhere.
// The files are only read as far as needed; every offset in them is checked, so that a broken file is the linker's business.
// Objects for link-time optimisation have no symbol table that we can read: there the name in the bytes is enough.
#include "driver.h"

#include <ar.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct Symbols {
  Vec used, defined;                              // names, owned
  bool in_bytes;                                  // an LTO object holds "fm_"
  int depth;                                      // of files open at once: a thin archive names further files
};

typedef struct Bytes {
  const unsigned char *at;
  size_t len;
} Bytes;

// ---- names ----
static bool has_name(const Vec *v, const char *name) {
  for (size_t i = 0; i < v->len; i++)
    if (strcmp(v->at[i], name) == 0) return true;
  return false;
}

static void add_name(Vec *v, const char *name) {
  if (!has_name(v, name)) vec_push(v, xstrdup(name));
}

Symbols *symbols_new(void) {
  Symbols *s = xmalloc(sizeof *s);
  *s = (Symbols){0};
  return s;
}

static void free_names(Vec *v) {
  for (size_t i = 0; i < v->len; i++) free(v->at[i]);
  vec_free(v);
}

void symbols_free(Symbols *s) {
  free_names(&s->used);
  free_names(&s->defined);
  free(s);
}

bool symbols_missing(const Symbols *s) {
  if (s->in_bytes) return true;
  for (size_t i = 0; i < s->used.len; i++)
    if (!has_name(&s->defined, s->used.at[i])) return true;
  return false;
}

// ---- numbers in the file's own byte order ----
typedef struct Elf {
  Bytes file;
  bool wide, big;                                 // 64 bits; most significant byte first
} Elf;

static uint64_t number(const Elf *e, size_t at, size_t size) {
  uint64_t v = 0;
  if (at > e->file.len || size > e->file.len - at) return 0;
  for (size_t i = 0; i < size; i++) v |= (uint64_t)e->file.at[at + i] << 8 * (e->big ? size - 1 - i : i);
  return v;
}

#define FIELD(e, at, Type, member) \
  ((e)->wide ? number(e, (at) + offsetof(Elf64_##Type, member), sizeof(((Elf64_##Type *)0)->member)) \
             : number(e, (at) + offsetof(Elf32_##Type, member), sizeof(((Elf32_##Type *)0)->member)))

// ---- ELF ----
static bool is_fm_name(const Elf *e, uint64_t table, uint64_t size, uint64_t name) {
  if (table > e->file.len || size > e->file.len - table || name >= size) return false;
  const unsigned char *p = e->file.at + table + name;
  return size - name > 3 && memcmp(p, "fm_", 3) == 0 && memchr(p, 0, size - name);
}

static void read_symbols(Symbols *s, const Elf *e, size_t section, size_t strings) {
  uint64_t at = FIELD(e, section, Shdr, sh_offset), size = FIELD(e, section, Shdr, sh_size);
  uint64_t names = FIELD(e, strings, Shdr, sh_offset), names_size = FIELD(e, strings, Shdr, sh_size);
  size_t step = e->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
  if (at > e->file.len || size > e->file.len - at) return;
  for (uint64_t p = at; p + step <= at + size; p += step) {
    uint64_t name = FIELD(e, p, Sym, st_name);
    if (!is_fm_name(e, names, names_size, name)) continue;
    if (ELF64_ST_BIND(FIELD(e, p, Sym, st_info)) == STB_LOCAL) continue;
    bool undefined = FIELD(e, p, Sym, st_shndx) == SHN_UNDEF;
    add_name(undefined ? &s->used : &s->defined, (const char *)e->file.at + names + name);
  }
}

static void search_bytes(Symbols *s, Bytes b) {
  const unsigned char *p = b.at, *end = b.at + b.len;
  while (!s->in_bytes && (p = memchr(p, 'f', (size_t)(end - p)))) {
    if (end - p >= 3 && memcmp(p, "fm_", 3) == 0) s->in_bytes = true;
    p++;
  }
}

static bool open_elf(Elf *e, Bytes b) {
  if (b.len < sizeof(Elf32_Ehdr) || memcmp(b.at, ELFMAG, SELFMAG) != 0) return false;
  *e = (Elf){b, b.at[EI_CLASS] == ELFCLASS64, b.at[EI_DATA] == ELFDATA2MSB};
  return !e->wide || b.len >= sizeof(Elf64_Ehdr);
}

static bool section_named_lto(const Elf *e, size_t section, uint64_t names) {
  static const char prefix[] = ".gnu.lto_";
  uint64_t at = names + FIELD(e, section, Shdr, sh_name);
  return at < e->file.len && e->file.len - at > sizeof prefix && memcmp(e->file.at + at, prefix, sizeof prefix - 1) == 0;
}

// A symbol table of an object (.symtab) or of a shared library (.dynsym).
static void scan_elf(Symbols *s, const Elf *e) {
  uint64_t table = FIELD(e, 0, Ehdr, e_shoff), count = FIELD(e, 0, Ehdr, e_shnum), step = FIELD(e, 0, Ehdr, e_shentsize);
  size_t least = e->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  if (!table || table >= e->file.len || step < least || e->file.len - table < least) return;
  if (count == 0) count = FIELD(e, table, Shdr, sh_size); // more than 65279 sections
  if (count > (e->file.len - table) / step) return;
  uint64_t strings = FIELD(e, 0, Ehdr, e_shstrndx), lto_names = strings < count ? FIELD(e, table + strings * step, Shdr, sh_offset) : 0;
  for (uint64_t i = 0; i < count; i++) {
    size_t section = table + i * step;
    uint64_t type = FIELD(e, section, Shdr, sh_type), link = FIELD(e, section, Shdr, sh_link);
    if ((type == SHT_SYMTAB || type == SHT_DYNSYM) && link < count) read_symbols(s, e, section, table + link * step);
    else if (lto_names && section_named_lto(e, section, lto_names)) search_bytes(s, e->file);
  }
}

static bool scan_object(Symbols *s, Bytes b) {
  Elf e;
  if (open_elf(&e, b)) {
    scan_elf(s, &e);
    return true;
  }
  bool bitcode = b.len > 4 && (memcmp(b.at, "BC\xC0\xDE", 4) == 0 || memcmp(b.at, "\xDE\xC0\x17\x0B", 4) == 0);
  if (bitcode) search_bytes(s, b);
  return bitcode;
}

// ---- archives ----
static uint64_t member_size(const struct ar_hdr *h) {
  uint64_t n = 0;
  for (size_t i = 0; i < sizeof h->ar_size && h->ar_size[i] >= '0' && h->ar_size[i] <= '9'; i++)
    n = n * 10 + (uint64_t)(h->ar_size[i] - '0');
  return n;
}

// A thin archive has headers only; its members are files beside it, named in the member "//".
static void scan_thin_member(Symbols *s, const char *archive, Bytes names, const struct ar_hdr *h) {
  uint64_t at = strtoull(h->ar_name + 1, NULL, 10);
  if (h->ar_name[0] != '/' || at >= names.len) return;
  const char *name = (const char *)names.at + at, *end = memchr(name, '\n', names.len - at);
  const char *slash = strrchr(archive, '/');
  if (!end || end == name) return;
  Buf path = {0};
  if (*name != '/' && slash) buf_add(&path, archive, (size_t)(slash - archive) + 1);
  buf_add(&path, name, (size_t)(end - name) - (end[-1] == '/'));
  symbols_scan(s, path.data);
  buf_free(&path);
}

static void scan_archive(Symbols *s, const char *path, Bytes b, bool thin) {
  Bytes names = {0};
  for (size_t at = SARMAG; at + sizeof(struct ar_hdr) <= b.len;) {
    struct ar_hdr h;
    memcpy(&h, b.at + at, sizeof h);
    if (memcmp(h.ar_fmag, ARFMAG, 2) != 0) return;
    at += sizeof h;
    uint64_t size = member_size(&h);
    bool index = h.ar_name[0] == '/' && (h.ar_name[1] == ' ' || h.ar_name[1] == '/' || h.ar_name[1] == 'S');
    bool stored = !thin || index;
    if (stored && size > b.len - at) return;
    if (index && h.ar_name[1] == '/') names = (Bytes){b.at + at, size};
    else if (!index && thin) scan_thin_member(s, path, names, &h);
    else if (!index) scan_object(s, (Bytes){b.at + at, size});
    if (stored) at += size + (size & 1);
  }
}

// ---- files ----
static void scan_bytes(Symbols *s, const char *path, Bytes b) {
  if (scan_object(s, b) || b.len < SARMAG) return;
  bool thin = memcmp(b.at, "!<thin>\n", SARMAG) == 0;
  if (thin || memcmp(b.at, ARMAG, SARMAG) == 0) scan_archive(s, path, b, thin);
}

void symbols_scan(Symbols *s, const char *path) {
  enum { DEEPEST = 2 };
  int fd = s->depth < DEEPEST ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  struct stat st;
  if (fd < 0) return;
  s->depth++;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p != MAP_FAILED) {
      scan_bytes(s, path, (Bytes){p, (size_t)st.st_size});
      munmap(p, (size_t)st.st_size);
    }
  }
  s->depth--;
  close(fd);
}

// ---- the link ----
// -lNAME in the user's own -L directories: a library of the system does not use the runtime.
static void scan_library(Symbols *s, const Options *o, const char *name) {
  Arena a = {0};
  for (size_t i = 0; i < o->items.len; i++) {
    const Item *it = o->items.at[i];
    if (it->id != OPT_LIBDIR || !it->value) continue;
    if (name[0] == ':') {
      symbols_scan(s, arena_printf(&a, "%s/%s", it->value, name + 1));
    } else {
      symbols_scan(s, arena_printf(&a, "%s/lib%s.so", it->value, name));
      symbols_scan(s, arena_printf(&a, "%s/lib%s.a", it->value, name));
    }
  }
  arena_free(&a);
}

bool needs_runtime(const Options *o, const Vec *objects) {
  if (o->no_runtime || o->stage != STAGE_LINK) return false;
  Symbols *s = symbols_new();
  for (size_t i = 0; i < o->items.len; i++) {
    const Item *it = o->items.at[i];
    if (it->id == OPT_INPUT && it->kind == INPUT_LINKER) symbols_scan(s, it->value);
    if (it->id == OPT_LIB && it->value) scan_library(s, o, it->value);
  }
  for (size_t i = 0; i < objects->len; i++) symbols_scan(s, objects->at[i]);
  bool missing = symbols_missing(s);
  symbols_free(s);
  return missing;
}

// ThreadSanitizer would take the library's own synchronisation for races, MemorySanitizer what it writes for nothing: then one that is
// built with it is linked. NULL: there is none.
static char *runtime_library(Options *o, const char *root) {
  char *lib = arena_printf(&o->arena, "%s/lib/libfermata-%s.a", root, o->msan ? "msan" : "tsan");
  if ((o->tsan || o->msan) && access(lib, R_OK) == 0) return lib;
  lib = arena_printf(&o->arena, "%s/lib/libfermata.a", root);
  return access(lib, R_OK) == 0 ? lib : NULL;
}

// The runtime's build says in lib/libfermata.libs what else it needs, as "-luv -ldl".
// Without a library there is nothing to add: a plain program may have fm_ names of its own, for the linker to judge.
void add_runtime(Options *o, const char *root, Vec *words) {
  char *lib = root ? runtime_library(o, root) : NULL;
  if (!lib) return;
  vec_push(words, "-x");                          // whatever -x was in force, this is no source
  vec_push(words, "none");
  vec_push(words, lib);
  vec_push(words, "-lpthread");
  Buf libs = {0};
  if (buf_read_file(&libs, arena_printf(&o->arena, "%s/lib/libfermata.libs", root))) split_words(&o->arena, libs.data, words);
  buf_free(&libs);
}
