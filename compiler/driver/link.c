// link.c: whether a link needs libfermata, and which one. In: the files of a link: ELF objects,
// objects of WebAssembly (wasm-objects.c), shared libraries, archives. Out: yes if some fm_ name is
// used and defined nowhere.
//
// A process has one runtime. Programs contain it (libfermata.a: the fastest); a shared library
// needs libfermata.so, and so does a program that is linked with such a library. Each sanitizer has
// libraries of its own, the shared ones with the same soname in another directory: a program and
// libraries of different kinds still share the one that is loaded first, the program's.
//
// The files are read only as far as needed. Every offset in them is checked; a broken file is
// ignored, and the linker reports it. Objects for link-time optimisation have no symbol table that
// fmcc can read: a name among their bytes is enough.
#include "driver/driver.h"

#include <ar.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct Symbols {
  Vec used, defined; // names, owned
  bool in_bytes;     // an LTO object or assembler text holds "fm_"
  bool shared;       // a shared library needs libfermata.so
  // how many files are open at once: a thin archive names further files
  int depth;
};

typedef struct Bytes {
  const unsigned char *at;
  size_t len;
} Bytes;

// ---- names ----
static bool has_name(const Vec *v, const char *name) {
  for (size_t i = 0; i < v->len; i++)
    if (strcmp(v->at[i], name) == 0)
      return true;
  return false;
}

static void add_name(Vec *v, const char *name) {
  if (!has_name(v, name))
    vec_push(v, xstrdup(name));
}

void symbols_note(Symbols *s, bool used, const char *name, size_t len) {
  if (len <= 3 || memcmp(name, "fm_", 3) != 0)
    return;
  Arena a = { 0 };
  add_name(used ? &s->used : &s->defined, arena_text(&a, name, len));
  arena_free(&a);
}

Symbols *symbols_new(void) {
  Symbols *s = xmalloc(sizeof *s);
  *s = (Symbols){ 0 };
  return s;
}

static void free_names(Vec *v) {
  for (size_t i = 0; i < v->len; i++)
    free(v->at[i]);
  vec_free(v);
}

void symbols_free(Symbols *s) {
  free_names(&s->used);
  free_names(&s->defined);
  free(s);
}

bool symbols_shared(const Symbols *s) {
  return s->shared;
}

bool symbols_missing(const Symbols *s) {
  if (s->in_bytes)
    return true;
  FOR_EACH (const char, name, s->used) {
    if (!has_name(&s->defined, name))
      return true;
  }
  return false;
}

// ---- numbers in the file's own byte order ----
typedef struct Elf {
  Bytes file;
  bool wide, big; // 64 bits; most significant byte first
} Elf;

static uint64_t number(const Elf *e, size_t at, size_t size) {
  uint64_t v = 0;
  if (at > e->file.len || size > e->file.len - at)
    return 0;
  for (size_t i = 0; i < size; i++)
    v |= (uint64_t)e->file.at[at + i] << 8 * (e->big ? size - 1 - i : i);
  return v;
}

#define FIELD(e, at, Type, member)                           \
  ((e)->wide ? number(e,                                     \
                      (at) + offsetof(Elf64_##Type, member), \
                      sizeof(((Elf64_##Type *)0)->member))   \
             : number(e,                                     \
                      (at) + offsetof(Elf32_##Type, member), \
                      sizeof(((Elf32_##Type *)0)->member)))

// ---- ELF ----
static bool
is_fm_name(const Elf *e, uint64_t table, uint64_t size, uint64_t name) {
  if (table > e->file.len || size > e->file.len - table || name >= size)
    return false;
  const unsigned char *p = e->file.at + table + name;
  return size - name > 3 && memcmp(p, "fm_", 3) == 0 &&
         memchr(p, 0, size - name);
}

static void
read_symbols(Symbols *s, const Elf *e, size_t section, size_t strings) {
  uint64_t at = FIELD(e, section, Shdr, sh_offset);
  uint64_t size = FIELD(e, section, Shdr, sh_size);
  uint64_t names = FIELD(e, strings, Shdr, sh_offset);
  uint64_t names_size = FIELD(e, strings, Shdr, sh_size);
  size_t step = e->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
  if (at > e->file.len || size > e->file.len - at)
    return;
  for (uint64_t p = at; p + step <= at + size; p += step) {
    uint64_t name = FIELD(e, p, Sym, st_name);
    if (!is_fm_name(e, names, names_size, name))
      continue;
    if (ELF64_ST_BIND(FIELD(e, p, Sym, st_info)) == STB_LOCAL)
      continue;
    bool undefined = FIELD(e, p, Sym, st_shndx) == SHN_UNDEF;
    add_name(undefined ? &s->used : &s->defined,
             (const char *)e->file.at + names + name);
  }
}

static void search_bytes(Symbols *s, Bytes b) {
  const unsigned char *p = b.at;
  const unsigned char *end = b.at + b.len;
  while (!s->in_bytes && (p = memchr(p, 'f', (size_t)(end - p)))) {
    if (end - p >= 3 && memcmp(p, "fm_", 3) == 0)
      s->in_bytes = true;
    p++;
  }
}

static bool open_elf(Elf *e, Bytes b) {
  if (b.len < sizeof(Elf32_Ehdr) || memcmp(b.at, ELFMAG, SELFMAG) != 0)
    return false;
  *e = (Elf){ b, b.at[EI_CLASS] == ELFCLASS64, b.at[EI_DATA] == ELFDATA2MSB };
  return !e->wide || b.len >= sizeof(Elf64_Ehdr);
}

static bool section_named_lto(const Elf *e, size_t section, uint64_t names) {
  static const char prefix[] = ".gnu.lto_";
  uint64_t at = names + FIELD(e, section, Shdr, sh_name);
  return at < e->file.len && e->file.len - at > sizeof prefix &&
         memcmp(e->file.at + at, prefix, sizeof prefix - 1) == 0;
}

static bool
is_runtime_name(const Elf *e, uint64_t table, uint64_t size, uint64_t name) {
  static const char runtime[] = "libfermata.so";
  if (table > e->file.len || size > e->file.len - table || name >= size)
    return false;
  return size - name >= sizeof runtime &&
         memcmp(e->file.at + table + name, runtime, sizeof runtime - 1) == 0;
}

// Whether the section .dynamic of a shared library names libfermata.so.
static bool needs_shared_runtime(const Elf *e, size_t section, size_t strings) {
  uint64_t at = FIELD(e, section, Shdr, sh_offset);
  uint64_t size = FIELD(e, section, Shdr, sh_size);
  uint64_t names = FIELD(e, strings, Shdr, sh_offset);
  uint64_t names_size = FIELD(e, strings, Shdr, sh_size);
  size_t step = e->wide ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);
  if (at > e->file.len || size > e->file.len - at)
    return false;
  for (uint64_t p = at; p + step <= at + size; p += step)
    if (FIELD(e, p, Dyn, d_tag) == DT_NEEDED &&
        is_runtime_name(e, names, names_size, FIELD(e, p, Dyn, d_un.d_val)))
      return true;
  return false;
}

typedef struct Sections {
  uint64_t at;
  uint64_t count;
  uint64_t step;
} Sections;

static bool find_sections(const Elf *e, Sections *t) {
  size_t least = e->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  t->at = FIELD(e, 0, Ehdr, e_shoff);
  t->count = FIELD(e, 0, Ehdr, e_shnum);
  t->step = FIELD(e, 0, Ehdr, e_shentsize);
  if (!t->at || t->at >= e->file.len || t->step < least)
    return false;
  if (e->file.len - t->at < least)
    return false;
  // more than 65279 sections
  if (t->count == 0)
    t->count = FIELD(e, t->at, Shdr, sh_size);
  return t->count <= (e->file.len - t->at) / t->step;
}

// Whether a shared library contains a runtime. Its uses of fm_ names then do not matter.
static bool brings_runtime(const Elf *e, const Sections *t) {
  for (uint64_t i = 0; i < t->count; i++) {
    size_t section = t->at + i * t->step;
    uint64_t type = FIELD(e, section, Shdr, sh_type);
    uint64_t link = FIELD(e, section, Shdr, sh_link);
    if (type != SHT_DYNAMIC || link >= t->count)
      continue;
    if (needs_shared_runtime(e, section, t->at + link * t->step))
      return true;
  }
  return false;
}

// A symbol table of an object (.symtab) or of a shared library (.dynsym).
static void scan_elf(Symbols *s, const Elf *e) {
  Sections t;
  if (!find_sections(e, &t))
    return;
  if (brings_runtime(e, &t)) {
    s->shared = true;
    return;
  }
  uint64_t table = t.at;
  uint64_t count = t.count;
  uint64_t step = t.step;
  uint64_t strings = FIELD(e, 0, Ehdr, e_shstrndx);
  uint64_t lto_names =
      strings < count ? FIELD(e, table + strings * step, Shdr, sh_offset) : 0;
  for (uint64_t i = 0; i < count; i++) {
    size_t section = table + i * step;
    uint64_t type = FIELD(e, section, Shdr, sh_type);
    uint64_t link = FIELD(e, section, Shdr, sh_link);
    if ((type == SHT_SYMTAB || type == SHT_DYNSYM) && link < count)
      read_symbols(s, e, section, table + link * step);
    else if (lto_names && section_named_lto(e, section, lto_names))
      search_bytes(s, e->file);
  }
}

static bool scan_object(Symbols *s, Bytes b) {
  Elf e;
  if (open_elf(&e, b)) {
    scan_elf(s, &e);
    return true;
  }
  if (scan_wasm(s, b.at, b.len))
    return true;
  bool bitcode = b.len > 4 && (memcmp(b.at, "BC\xC0\xDE", 4) == 0 ||
                               memcmp(b.at, "\xDE\xC0\x17\x0B", 4) == 0);
  if (bitcode)
    search_bytes(s, b);
  return bitcode;
}

// ---- archives ----
static uint64_t member_size(const struct ar_hdr *h) {
  uint64_t n = 0;
  for (size_t i = 0;
       i < sizeof h->ar_size && h->ar_size[i] >= '0' && h->ar_size[i] <= '9';
       i++)
    n = n * 10 + (uint64_t)(h->ar_size[i] - '0');
  return n;
}

// A thin archive has headers only; its members are files beside it, named in the member "//".
static void scan_thin_member(Symbols *s,
                             const char *archive,
                             Bytes names,
                             const struct ar_hdr *h) {
  uint64_t at = strtoull(h->ar_name + 1, NULL, 10);
  if (h->ar_name[0] != '/' || at >= names.len)
    return;
  const char *name = (const char *)names.at + at;
  const char *end = memchr(name, '\n', names.len - at);
  const char *slash = strrchr(archive, '/');
  if (!end || end == name)
    return;
  Buf path = { 0 };
  if (*name != '/' && slash)
    buf_add(&path, archive, (size_t)(slash - archive) + 1);
  buf_add(&path, name, (size_t)(end - name) - (end[-1] == '/'));
  symbols_scan(s, path.data);
  buf_free(&path);
}

static void scan_archive(Symbols *s, const char *path, Bytes b, bool thin) {
  Bytes names = { 0 };
  for (size_t at = SARMAG; at + sizeof(struct ar_hdr) <= b.len;) {
    struct ar_hdr h;
    memcpy(&h, b.at + at, sizeof h);
    if (memcmp(h.ar_fmag, ARFMAG, 2) != 0)
      return;
    at += sizeof h;
    uint64_t size = member_size(&h);
    bool index =
        h.ar_name[0] == '/' &&
        (h.ar_name[1] == ' ' || h.ar_name[1] == '/' || h.ar_name[1] == 'S');
    bool stored = !thin || index;
    if (stored && size > b.len - at)
      return;
    if (index && h.ar_name[1] == '/')
      names = (Bytes){ b.at + at, size };
    else if (!index && thin)
      scan_thin_member(s, path, names, &h);
    else if (!index)
      scan_object(s, (Bytes){ b.at + at, size });
    if (stored)
      at += size + (size & 1);
  }
}

// ---- files ----
static void scan_bytes(Symbols *s, const char *path, Bytes b) {
  if (scan_object(s, b) || b.len < SARMAG)
    return;
  bool thin = memcmp(b.at, "!<thin>\n", SARMAG) == 0;
  if (thin || memcmp(b.at, ARMAG, SARMAG) == 0)
    scan_archive(s, path, b, thin);
}

void symbols_scan(Symbols *s, const char *path) {
  enum { DEEPEST = 2 };
  int fd =
      s->depth < DEEPEST ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  struct stat st;
  if (fd < 0)
    return;
  s->depth++;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
      out_of_memory();
    scan_bytes(s, path, (Bytes){ p, (size_t)st.st_size });
    munmap(p, (size_t)st.st_size);
  }
  s->depth--;
  close(fd);
}

// ---- the link ----
static void scan_in(Symbols *s, Arena *a, const char *dir, const char *name) {
  if (name[0] == ':') {
    symbols_scan(s, arena_printf(a, "%s/%s", dir, name + 1));
    return;
  }
  symbols_scan(s, arena_printf(a, "%s/lib%s.so", dir, name));
  symbols_scan(s, arena_printf(a, "%s/lib%s.a", dir, name));
}

// Scans -lNAME in the user's -L directories and in those where fmcc is installed. Libraries of the
// system have no async code.
static void
scan_library(Symbols *s, const Options *o, const char *root, const char *name) {
  Arena a = { 0 };
  FOR_EACH (const Item, it, o->items) {
    if (it->id == OPT_LIBDIR && it->value)
      scan_in(s, &a, it->value, name);
  }
  if (root && strcmp(root, "/usr") != 0)
    scan_in(s, &a, arena_printf(&a, "%s/lib", root), name);
  if (!root || strcmp(root, "/usr/local") != 0)
    scan_in(s, &a, "/usr/local/lib", name);
  arena_free(&a);
}

// In assembler text fm_ names are visible; in other languages nothing is known.
static bool is_assembler(const Item *it) {
  if (it->lang)
    return strncmp(it->lang, "assembler", 9) == 0;
  const char *dot = strrchr(it->value, '.');
  return dot && (strcmp(dot, ".s") == 0 || strcmp(dot, ".S") == 0 ||
                 strcmp(dot, ".sx") == 0);
}

static bool scan_source(Symbols *s, const Item *it) {
  Buf text = { 0 };
  bool assembler = is_assembler(it);
  if (assembler && buf_read_file(&text, it->value))
    search_bytes(s, (Bytes){ (const unsigned char *)text.data, text.len });
  buf_free(&text);
  return assembler;
}

Runtime runtime_needed(const Options *o, const char *root, const Vec *objects) {
  if (o->no_runtime || o->stage != STAGE_LINK)
    return (Runtime){ 0 };
  Symbols *s = symbols_new();
  bool unknown = false;
  FOR_EACH (const Item, it, o->items) {
    if (it->id == OPT_INPUT && it->kind == INPUT_LINKER)
      symbols_scan(s, it->value);
    if (it->id == OPT_INPUT && it->kind == INPUT_SOURCE)
      unknown |= !scan_source(s, it);
    if (it->id == OPT_LIB && it->value)
      scan_library(s, o, root, it->value);
  }
  for (size_t i = 0; i < objects->len; i++)
    symbols_scan(s, objects->at[i]);
  Runtime needed = {
    .yes = symbols_missing(s) || (o->atomicity && !o->shared),
    .perhaps = unknown,
    .shared = s->shared,
    .main = has_name(&s->used, "fm__main"),
  };
  symbols_free(s);
  return needed;
}

// ---- which library ----
static const char *sanitizer_of(const Options *o) {
  return o->atomicity ? "atomicity"
         : o->msan    ? "msan"
         : o->tsan    ? "tsan"
         : o->asan    ? "asan"
                      : NULL;
}

typedef enum {
  ARCHIVE,
  SHARED_LIBRARY,
} LibraryForm;

// The library for the sanitizer in use. With the plain library, ThreadSanitizer would report races
// in its synchronisation, MemorySanitizer would not see its stores, and AddressSanitizer would not
// know which frames have ended. NULL: there is none.
static char *find_library(Options *o,
                          const char *root,
                          const char *sanitizer,
                          LibraryForm form) {
  Arena *a = &o->arena;
  bool shared = form == SHARED_LIBRARY;
  char *lib =
      arena_printf(a, "%s/lib/libfermata.%s", root, shared ? "so" : "a");
  if (sanitizer && shared)
    lib = arena_printf(a, "%s/lib/fermata/%s/libfermata.so", root, sanitizer);
  if (sanitizer && !shared)
    lib = arena_printf(a, "%s/lib/libfermata-%s.a", root, sanitizer);
  return access(lib, R_OK) == 0 ? lib : NULL;
}

static char *choose_library(Options *o, const char *root, LibraryForm form) {
  const char *sanitizer = sanitizer_of(o);
  char *lib = sanitizer ? find_library(o, root, sanitizer, form) : NULL;
  if (lib)
    return lib;
  lib = find_library(o, root, NULL, form);
  if (o->atomicity)
    advise("there is no libfermata-atomicity.a in %s/lib (`make variants` "
           "builds it), or a shared library needs libfermata.so: "
           "-fsanitize=atomicity works with the archive alone",
           root);
  else if (lib && sanitizer)
    advise("there is no libfermata for this sanitizer in %s/lib (`make "
           "variants` builds it): "
           "its reports about async functions may be wrong",
           root);
  return lib;
}

// ---- static linking ----
// Whether the linker finds libNAME.a in the user's directories or in the compiler's.
static bool has_archive(const Toolchain *t, Options *o, const char *name) {
  char *file = arena_printf(&o->arena, "lib%s.a", name);
  FOR_EACH (const Item, it, o->items) {
    if (it->id != OPT_LIBDIR || !it->value)
      continue;
    if (access(arena_printf(&o->arena, "%s/%s", it->value, file), R_OK) == 0)
      return true;
  }
  Vec words = { 0 };
  Buf answer = { 0 };
  int said = capture_open();
  for (size_t i = 0; i < t->cc.len; i++)
    vec_push(&words, t->cc.at[i]);
  vec_push(&words, arena_printf(&o->arena, "-print-file-name=%s", file));
  bool found = run_command(&words, (Redirect){ .out = said }) == 0;
  capture_read(said, &answer);
  found = found && strchr(answer.data, '/');
  buf_free(&answer);
  vec_free(&words);
  return found;
}

// Debian calls the archive of libuv libuv_a.a.
static void add_static_libraries(const Toolchain *t,
                                 Options *o,
                                 const Vec *libs,
                                 Vec *words) {
  for (size_t i = 0; i < libs->len; i++) {
    char *word = libs->at[i];
    char *other = arena_printf(&o->arena, "%s_a", word);
    bool missing = strncmp(word, "-l", 2) == 0 && !has_archive(t, o, word + 2);
    vec_push(words, missing && has_archive(t, o, other + 2) ? other : word);
  }
  vec_push(words, "-lpthread");
  vec_push(words, "-ldl");
  vec_push(words, "-lrt");
}

// ---- adding it ----
// lib/libfermata.libs, written by the build, names the libraries that the runtime needs:
// "-luv -ldl".
static void add_archive(const Toolchain *t, Options *o, char *lib, Vec *words) {
  Buf text = { 0 };
  Vec libs = { 0 };
  vec_push(words, lib);
  if (buf_read_file(&text,
                    arena_printf(&o->arena, "%s/lib/libfermata.libs", t->root)))
    split_words(&o->arena, text.data, &libs);
  if (o->static_link) {
    add_static_libraries(t, o, &libs, words);
  } else {
    vec_push(words, "-lpthread");
    for (size_t i = 0; i < libs.len; i++)
      vec_push(words, libs.at[i]);
  }
  vec_free(&libs);
  buf_free(&text);
}

// The output stores the directory of the library, unless the loader looks there anyway.
static void add_shared(const Toolchain *t, Options *o, char *lib, Vec *words) {
  size_t dir = (size_t)(strrchr(lib, '/') - lib);
  vec_push(words, lib);
  if (o->no_rpath || strcmp(t->root, "/usr") == 0)
    return;
  vec_push(words, arena_printf(&o->arena, "-Wl,-rpath,%.*s", (int)dir, lib));
}

// The command of the compiler may turn a sanitizer on: --cc='clang -fsanitize=thread'.
static void read_compiler_words(const Toolchain *t, Options *o) {
  for (size_t i = 0; i < t->cc.len; i++) {
    Item *it = classify(&o->arena, t->cc.at[i], NULL);
    if (it->id == OPT_SANITIZE && it->value)
      options_note_sanitizer(o, it->value);
  }
}

static void
add_library(const Toolchain *t, Options *o, Runtime needed, Vec *words) {
  bool shared =
      (o->shared || needed.shared || o->shared_runtime) && !o->static_link;
  char *lib = shared ? choose_library(o, t->root, SHARED_LIBRARY) : NULL;
  add_atomicity_libs(o, words);
  if (lib)
    add_shared(t, o, lib, words);
  else if (!o->shared && (lib = choose_library(o, t->root, ARCHIVE)))
    add_archive(t, o, lib, words);
}

// Without an installed library nothing is added. A plain program may have fm_ names of its own; the
// linker decides.
void add_runtime(const Toolchain *t, Options *o, Runtime needed, Vec *words) {
  if (!t->root || !(needed.yes || needed.perhaps))
    return;
  if (toolchain_is_emscripten(t)) {
    add_emscripten_library(t, o, needed, words);
    return;
  }
  size_t before = words->len;
  read_compiler_words(t, o);
  vec_push(words, "-x"); // ends the user's -x: the library is no source
  vec_push(words, "none");
  if (!needed.yes)
    vec_push(words, "-Wl,--push-state,--as-needed");
  size_t start = words->len;
  add_library(t, o, needed, words);
  if (words->len == start)
    words->len = before;
  else if (!needed.yes)
    vec_push(words, "-Wl,--pop-state");
}

int print_libs(const Toolchain *t, Options *o) {
  Vec words = { 0 };
  Buf line = { 0 };
  read_compiler_words(t, o);
  Runtime all = { .yes = true, .main = true };
  if (t->root && toolchain_is_emscripten(t))
    add_emscripten_library(t, o, all, &words);
  else if (t->root)
    add_library(t, o, all, &words);
  if (!words.len)
    complain(
        "libfermata is missing: fmcc looks for it in the directory ../lib next "
        "to its own; build and install both together");
  quote_words(&words, &line);
  if (words.len)
    fprintf(stdout, "%s\n", line.data);
  bool ok = words.len && stdout_written();
  vec_free(&words);
  buf_free(&line);
  return ok ? 0 : 1;
}
