// places.c: addresses of code as lines of the source, and addresses of data as variables, from the
// program's own tables (report/symbols.c, report/lines.c). A search there takes long, so what has
// been found is kept.
#define _GNU_SOURCE
#include "atomicity/atomicity.h"
#include "report/symbols.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

static fm__symbols *take_symbols(void) {
  fm__symbols *all;
  while (!(all = fm__symbols_take()))
    sched_yield();
  return all;
}

// ---- code ----
static fm__code_place *places; // open addressing; pc 0: free
static size_t room;            // a power of two
static size_t used;

static fm__code_place *find(uintptr_t pc) {
  size_t i = pc * (size_t)0x9e3779b97f4a7c15u >> 24 & (room - 1);
  while (places[i].pc && places[i].pc != pc)
    i = (i + 1) & (room - 1);
  return &places[i];
}

static void grow(void) {
  fm__code_place *old = places;
  size_t n = room;
  room = n ? 2 * n : 1024;
  places = fm__ato_pages(room * sizeof *places);
  for (size_t i = 0; i < n; i++)
    if (old[i].pc)
      *find(old[i].pc) = old[i];
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static bool is_library_file(const fm__source_line *l) {
  const char *path = *l->file != '/' && *l->directory ? l->directory : l->file;
  const char *slash = strrchr(l->file, '/');
  const char *name = slash ? slash + 1 : l->file;
  return *l->file == '<' || strcmp(name, "fermata.h") == 0 ||
         strstr(l->file, "/include/fermata/") ||
         (strstr(path, "/include/fermata") && name[0] && strchr(name, 'h')) ||
         begins(path, "runtime/") || begins(path, "library/") ||
         strcmp(path, "runtime") == 0 || strcmp(path, "library") == 0;
}

static void describe(fm__code_place *p) {
  fm__symbols *all = take_symbols();
  fm__source_line l;
  fm__function f;
  if (fm__line_at(all, p->pc - 1, &l)) {
    p->file = l.file;
    p->directory = *l.file != '/' ? l.directory : "";
    p->line = (unsigned)l.line;
    p->library = is_library_file(&l);
  }
  if (fm__function_at(all, p->pc - 1, &f)) {
    p->function = f.name;
    p->length = f.length;
    p->code = f.code;
    p->library |=
        begins(f.name, "fm_") || (f.code && f.code->lands & FM_OF_LIBRARY);
  }
  fm__symbols_release();
}

const fm__code_place *fm__place_at(uintptr_t pc) {
  static const fm__code_place none;
  if (!pc)
    return &none;
  if (2 * used >= room)
    grow();
  fm__code_place *p = find(pc);
  if (!p->pc) {
    p->pc = pc;
    used++;
    describe(p);
  }
  return p;
}

// ---- data ----
typedef struct Variable {
  uintptr_t at; // the granule that was asked for
  uintptr_t low;
  size_t size;
  const char *name; // NULL: none is there
} Variable;

static uintptr_t data_low; // the program's own variables
static uintptr_t data_high;

static const Variable *variable_at(uintptr_t address) {
  enum { SOME = 512 };
  static const Variable none;
  static Variable known[SOME];
  Variable *v = &known[address / 2 % SOME];
  if (address < data_low || address >= data_high)
    return &none;
  if (v->at == address)
    return v;
  size_t offset = 0;
  size_t size = 0;
  fm__symbols *all = take_symbols();
  const char *name = fm__object_at(all, address, &offset, &size);
  fm__symbols_release();
  *v = (Variable){ address, address - offset, size, name };
  return v;
}

bool fm__same_variable(uintptr_t x, uintptr_t y) {
  const Variable *v = variable_at(x);
  uintptr_t low = v->name ? v->low : 0;
  v = variable_at(y);
  return low == (v->name ? v->low : 0);
}

const char *fm__variable_at(uintptr_t address, size_t *offset, size_t *size) {
  const Variable *v = variable_at(address);
  *offset = address - v->low;
  *size = v->size;
  return v->name;
}

const char *fm__part_of_variable(uintptr_t address) {
  static char text[256];
  const Variable *v = variable_at(address);
  fm__symbols *all = take_symbols();
  if (!v->name ||
      !fm__member_of_variable(all, v->low, address - v->low, text, sizeof text))
    *text = '\0';
  fm__symbols_release();
  return text;
}

const char *fm__part_of_block(uintptr_t address, const fm__block_info *b) {
  static char text[256];
  const char *line = fm__source_at(b->pc);
  fm__symbols *all = take_symbols();
  if (!line || !fm__member_of_block(
                   all, line, b->size, address - b->low, text, sizeof text))
    *text = '\0';
  fm__symbols_release();
  return text;
}

const char *fm__source_at(uintptr_t pc) {
  static char line[512];
  const fm__code_place *p = fm__place_at(pc);
  char path[4096];
  if (!p->file)
    return NULL;
  const char *between = *p->directory ? "/" : "";
  snprintf(path, sizeof path, "%s%s%s", p->directory, between, p->file);
  FILE *f = fopen(path, "re");
  if (!f)
    return NULL;
  unsigned n = 0;
  while (n < p->line && fgets(line, sizeof line, f))
    n += strchr(line, '\n') != NULL;
  fclose(f);
  line[strcspn(line, "\n")] = '\0';
  return n == p->line ? line + strspn(line, " \t") : NULL;
}

fm__extent fm__object_around(uintptr_t address) {
  enum { REACH = FM__NEAR * FM__GRANULE };
  const uintptr_t mask = ~(uintptr_t)(FM__GRANULE - 1);
  const Variable *v = variable_at(address);
  if (!v->name)
    return fm__shadow_object(address & mask);
  uintptr_t low = address - v->low > REACH ? address - REACH : v->low;
  uintptr_t high = v->low + v->size;
  if (high - address > REACH)
    high = address + REACH;
  return (fm__extent){ low & mask, (high + FM__GRANULE - 1) & mask, false };
}

static void find_data(const fm__image *image) {
  data_low = UINTPTR_MAX;
  for (size_t i = 0; i < image->count; i++) {
    const ElfW(Sym) *y = &image->symbols[i];
    uintptr_t at = y->st_value + image->bias;
    if ((y->st_info & 0xf) != STT_OBJECT || y->st_shndx == SHN_UNDEF)
      continue;
    data_low = at < data_low ? at : data_low;
    data_high = at + y->st_size > data_high ? at + y->st_size : data_high;
  }
}

// The program itself is the first image; libraries of the system have no variables of its own.
void fm__places_variables(void) {
  static bool done;
  size_t offset;
  size_t size;
  if (done)
    return;
  done = true;
  fm__symbols *all = take_symbols();
  fm__object_at(all, 0, &offset, &size); // reads the images
  if (all->count)
    find_data(&all->images[0]);
  fm__symbols_release();
}
