// symbols.c: the function that an address of code belongs to, for the handler of a signal.
// /proc/self/maps names the file that is mapped there, and the file's own table of symbols has the
// name. So no program has to carry a table, and nothing is done before it is needed. It makes
// system calls only: no locks, no malloc, and little stack. Mapped files stay mapped: the process
// is about to end.
//
// Names are as the user wrote them: f for f__fm_atomic and for f.constprop.0. The descriptor of an
// async function, in the memory of the process, has its file and line.
#define _GNU_SOURCE
#include "report/symbols.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) Header;
typedef ElfW(Phdr) Segment;
typedef ElfW(Shdr) Section;
typedef ElfW(Sym) Symbol;
enum { TYPE = 0xf }; // the bits of st_info that are the type

// ---- /proc/self/maps ----
typedef struct Reader {
  int fd;
  size_t at;
  size_t n;
  char block[1024];
} Reader;

static int next_char(Reader *r) {
  if (r->at == r->n) {
    ssize_t n = read(r->fd, r->block, sizeof r->block);
    if (n <= 0)
      return -1;
    r->n = (size_t)n;
    r->at = 0;
  }
  return (unsigned char)r->block[r->at++];
}

// A line that is too long is cut.
static bool next_line(Reader *r, char *line, size_t room) {
  size_t n = 0;
  int c;
  while ((c = next_char(r)) >= 0 && c != '\n')
    if (n + 1 < room)
      line[n++] = (char)c;
  line[n] = '\0';
  return c >= 0;
}

static const char *read_hex(const char *p, uintptr_t *n) {
  for (*n = 0;; p++) {
    unsigned digit =
        *p >= 'a' ? (unsigned)(*p - 'a' + 10) : (unsigned)(*p - '0');
    if (digit > 15)
      return p;
    *n = *n * 16 + digit;
  }
}

static const char *skip_word(const char *p) {
  p += strcspn(p, " ");
  return p + strspn(p, " ");
}

// "LOW-HIGH PERMISSIONS OFFSET DEVICE INODE   PATH"
static void read_mapping(fm__mapping *m, const char *line) {
  const char *p = read_hex(line, &m->low);
  p = read_hex(*p ? p + 1 : p, &m->high);
  p = skip_word(p);
  m->code = strnlen(p, 4) == 4 && p[2] == 'x';
  p = skip_word(p);
  read_hex(p, &m->offset);
  for (int i = 0; i < 3; i++)
    p = skip_word(p);
  size_t n = strlen(p) < sizeof m->path ? strlen(p) : 0;
  memcpy(m->path, p, n);
  m->path[n] = '\0';
}

static bool next_mapping(Reader *r, fm__mapping *m) {
  char line[sizeof m->path + 128];
  if (!next_line(r, line, sizeof line))
    return false;
  read_mapping(m, line);
  return true;
}

static bool open_maps(Reader *r) {
  r->at = r->n = 0;
  r->fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  return r->fd >= 0;
}

bool fm__mapping_at(uintptr_t address, fm__mapping *m) {
  Reader r;
  bool found = false;
  if (!open_maps(&r))
    return false;
  while (!found && next_mapping(&r, m))
    found = m->low <= address && address < m->high;
  close(r.fd);
  return found;
}

void fm__symbols_begin(fm__symbols *all) {
  fm__mapping m;
  Reader r;
  all->count = 0;
  if (!open_maps(&r))
    return;
  while (all->count < FM__IMAGES && next_mapping(&r, &m))
    if (m.code)
      all->images[all->count++] = (fm__image){ .low = m.low, .high = m.high };
  close(r.fd);
}

static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;

fm__symbols *fm__symbols_take(void) {
  static fm__symbols shared;
  if (pthread_mutex_trylock(&shared_lock) != 0)
    return NULL;
  if (!shared.count)
    fm__symbols_begin(&shared);
  return &shared;
}

void fm__symbols_release(void) {
  pthread_mutex_unlock(&shared_lock);
}

// ---- the file's symbols ----
static const char *map_file(const char *path, size_t *size) {
  struct stat status;
  void *p = MAP_FAILED;
  int fd = *path == '/' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (fd < 0)
    return NULL;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size > (off_t)sizeof(Header)) {
    *size = (size_t)status.st_size;
    p = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
  }
  close(fd);
  return p == MAP_FAILED ? NULL : p;
}

static bool inside(const fm__image *image, uint64_t offset, uint64_t bytes) {
  return offset <= image->size && bytes <= image->size - offset;
}

static bool is_elf(const fm__image *image) {
  const Header *h = (const Header *)image->file;
  return memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
         h->e_phentsize == sizeof(Segment) &&
         h->e_shentsize == sizeof(Section) &&
         inside(image, h->e_phoff, h->e_phnum * sizeof(Segment)) &&
         inside(image, h->e_shoff, h->e_shnum * sizeof(Section));
}

// An address of the process minus the bias is an address of the file.
static bool find_bias(fm__image *image, uintptr_t offset) {
  const Header *h = (const Header *)image->file;
  const Segment *s = (const Segment *)(image->file + h->e_phoff);
  for (size_t i = 0; i < h->e_phnum; i++)
    if (s[i].p_type == PT_LOAD && s[i].p_flags & PF_X &&
        offset < s[i].p_offset + s[i].p_filesz &&
        offset + (image->high - image->low) > s[i].p_offset) {
      image->bias = image->low - (offset - s[i].p_offset + s[i].p_vaddr);
      return true;
    }
  return false;
}

static bool take_symbols(fm__image *image, uint32_t type) {
  const Header *h = (const Header *)image->file;
  const Section *s = (const Section *)(image->file + h->e_shoff);
  for (size_t i = 0; i < h->e_shnum; i++) {
    if (s[i].sh_type != type || s[i].sh_link >= h->e_shnum)
      continue;
    const Section *names = &s[s[i].sh_link];
    if (!inside(image, s[i].sh_offset, s[i].sh_size) ||
        !inside(image, names->sh_offset, names->sh_size))
      return false;
    image->symbols = (const Symbol *)(image->file + s[i].sh_offset);
    image->count = s[i].sh_size / sizeof(Symbol);
    image->names = image->file + names->sh_offset;
    image->names_size = names->sh_size;
    return image->names_size && !image->names[image->names_size - 1];
  }
  return false;
}

static void read_image(fm__image *image) {
  fm__mapping m;
  image->seen = true;
  if (!fm__mapping_at(image->low, &m) ||
      !(image->file = map_file(m.path, &image->size)))
    return;
  if (!is_elf(image) || !find_bias(image, m.offset))
    return;
  image->full = take_symbols(image, SHT_SYMTAB);
  if (!image->full && !take_symbols(image, SHT_DYNSYM))
    image->count = 0;
}

static const fm__image *image_at(fm__symbols *all, uintptr_t address) {
  for (size_t i = 0; i < all->count; i++)
    if (all->images[i].low <= address && address < all->images[i].high) {
      if (!all->images[i].seen)
        read_image(&all->images[i]);
      return &all->images[i];
    }
  return NULL;
}

// ---- an async function's descriptor ----
// Global or weak.
static bool is_global(const Symbol *s) {
  return s->st_info >> 4 != STB_LOCAL;
}

static const char *name_of(const fm__image *image, const Symbol *s) {
  return s->st_name < image->names_size ? image->names + s->st_name : "";
}

static bool is_object(const fm__image *image,
                      const Symbol *s,
                      const char *name,
                      size_t n,
                      const char *rest) {
  const char *own = name_of(image, s);
  size_t more = strlen(rest);
  return (s->st_info & TYPE) == STT_OBJECT && s->st_shndx != SHN_UNDEF &&
         strncmp(own, name, n) == 0 && strncmp(own + n, rest, more) == 0 &&
         (!own[n + more] || own[n + more] == '.');
}

// The fm_code of a static function is one of the symbols of the same unit, which follow the unit's
// name.
static const fm_code *
code_of_static(const fm__image *image, size_t at, const char *name, size_t n) {
  size_t i = at;
  while (i > 0 && (image->symbols[i].st_info & TYPE) != STT_FILE)
    i--;
  for (i++; i < image->count && (image->symbols[i].st_info & TYPE) != STT_FILE;
       i++)
    if (is_object(image, &image->symbols[i], name, n, "__fm_code") &&
        image->symbols[i].st_size == sizeof(fm_code))
      return (const fm_code *)(image->symbols[i].st_value + image->bias);
  return NULL;
}

// A function with linkage has a fm_fn with its own name.
static const fm_code *
code_of_global(const fm__image *image, const char *name, size_t n) {
  for (size_t i = 0; i < image->count; i++)
    if (is_global(&image->symbols[i]) &&
        is_object(image, &image->symbols[i], name, n, "") &&
        image->symbols[i].st_size == sizeof(fm_fn))
      return ((const fm_fn *)(image->symbols[i].st_value + image->bias))->code;
  return NULL;
}

// ---- a function ----
static bool holds(const Symbol *s, uintptr_t address) {
  return (s->st_info & TYPE) == STT_FUNC && s->st_shndx != SHN_UNDEF &&
         s->st_value <= address && address - s->st_value < s->st_size;
}

static void describe(const fm__image *image, size_t at, fm__function *f) {
  const Symbol *s = &image->symbols[at];
  const char *name = name_of(image, s);
  const char *generated = strstr(name, "__fm_");
  *f = (fm__function){
    .low = s->st_value + image->bias,
    .name = name,
    .full = image->full,
  };
  f->high = f->low + s->st_size;
  if (generated && generated > name) {
    f->length = (size_t)(generated - name);
    f->atomic = strncmp(generated, "__fm_atomic", 11) == 0;
    f->code = is_global(s) ? code_of_global(image, name, f->length)
                           : code_of_static(image, at, name, f->length);
  } else
    f->length = strcspn(name, ".");
}

bool fm__function_at(fm__symbols *all, uintptr_t address, fm__function *f) {
  const fm__image *image = image_at(all, address);
  if (image)
    for (size_t i = 0; i < image->count; i++)
      if (holds(&image->symbols[i], address - image->bias)) {
        describe(image, i, f);
        return f->length;
      }
  return false;
}

bool fm__line_at(fm__symbols *all, uintptr_t address, fm__source_line *l) {
  const fm__image *image = image_at(all, address);
  return image && fm__line_in(image, address, l);
}

// ---- an object ----
static const Symbol *object_in(const fm__image *image, uintptr_t address) {
  for (size_t i = 0; i < image->count; i++) {
    const Symbol *s = &image->symbols[i];
    if ((s->st_info & TYPE) == STT_OBJECT && s->st_shndx != SHN_UNDEF &&
        s->st_value <= address && address - s->st_value < s->st_size)
      return s;
  }
  return NULL;
}

const char *fm__object_at(fm__symbols *all,
                          uintptr_t address,
                          size_t *offset,
                          size_t *size) {
  for (size_t i = 0; i < all->count; i++) {
    const fm__image *image = image_at(all, all->images[i].low);
    const Symbol *s = object_in(image, address - image->bias);
    if (!s)
      continue;
    *offset = address - image->bias - s->st_value;
    *size = s->st_size;
    return name_of(image, s);
  }
  return NULL;
}
