// wasm-objects.c: the fm_ names in an object of WebAssembly, for link.c. In: the bytes of a file.
// Out: its names, used or defined. A symbol that is not defined has the name of its import; the
// others have their names in the symbol table, a part of the custom section "linking". Every offset
// is checked; a broken file is ignored, and the linker reports it.
#include "driver/driver.h"

typedef struct Reader {
  const unsigned char *at, *end;
} Reader;

typedef struct Name {
  const char *text;
  size_t len;
} Name;

typedef struct Object {
  Symbols *symbols;
  Vec imports; // of Name *: the imported functions, by index
  Arena arena;
} Object;

// A number in LEB128. After the end of the bytes it is 0.
static uint64_t number(Reader *r) {
  uint64_t v = 0;
  for (int shift = 0; r->at < r->end && shift < 64; shift += 7) {
    unsigned char byte = *r->at++;
    v |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return v;
  }
  r->at = r->end;
  return 0;
}

static unsigned byte(Reader *r) {
  return r->at < r->end ? *r->at++ : 0;
}

// The next n bytes, as a reader of their own; *r goes on after them.
static Reader part(Reader *r, uint64_t n) {
  if (n > (uint64_t)(r->end - r->at))
    n = (uint64_t)(r->end - r->at);
  Reader p = { r->at, r->at + n };
  r->at = p.end;
  return p;
}

static Name name(Reader *r) {
  Reader p = part(r, number(r));
  return (Name){ (const char *)p.at, (size_t)(p.end - p.at) };
}

static bool is_named(Name n, const char *text) {
  return n.len == strlen(text) && memcmp(n.text, text, n.len) == 0;
}

// ---- imports ----
enum { IMPORT_FUNCTION, IMPORT_TABLE, IMPORT_MEMORY, IMPORT_GLOBAL };

static void skip_limits(Reader *r) {
  bool has_most = number(r) & 1;
  number(r);
  if (has_most)
    number(r);
}

static void skip_import(Reader *r, unsigned kind) {
  if (kind == IMPORT_TABLE)
    byte(r);
  if (kind == IMPORT_TABLE || kind == IMPORT_MEMORY) {
    skip_limits(r);
    return;
  }
  byte(r); // the type of a global; the attribute of a tag
  number(r);
}

static void read_imports(Object *o, Reader r) {
  for (uint64_t n = number(&r); n > 0 && r.at < r.end; n--) {
    name(&r); // the module
    Name field = name(&r);
    unsigned kind = byte(&r);
    if (kind != IMPORT_FUNCTION) {
      skip_import(&r, kind);
      continue;
    }
    number(&r); // its type
    Name *keep = NEW(&o->arena, Name);
    *keep = field;
    vec_push(&o->imports, keep);
  }
}

// ---- the symbol table ----
enum { SYMBOL_FUNCTION, SYMBOL_DATA, SYMBOL_GLOBAL, SYMBOL_SECTION };
enum { BINDING = 3, LOCAL = 2, UNDEFINED = 0x10, EXPLICIT_NAME = 0x40 };

static void note(Object *o, uint64_t flags, Name n) {
  if ((flags & BINDING) != LOCAL)
    symbols_note(o->symbols, flags & UNDEFINED, n.text, n.len);
}

static void read_data_symbol(Object *o, Reader *r, uint64_t flags) {
  note(o, flags, name(r));
  for (int i = 0; i < 3 && !(flags & UNDEFINED); i++)
    number(r); // segment, offset, size
}

static void read_indexed(Object *o, Reader *r, unsigned kind, uint64_t flags) {
  uint64_t index = number(r);
  if (!(flags & UNDEFINED) || flags & EXPLICIT_NAME)
    note(o, flags, name(r));
  else if (kind == SYMBOL_FUNCTION && index < o->imports.len)
    note(o, flags, *(Name *)o->imports.at[index]);
}

static void read_symbols(Object *o, Reader r) {
  for (uint64_t n = number(&r); n > 0 && r.at < r.end; n--) {
    unsigned kind = byte(&r);
    uint64_t flags = number(&r);
    if (kind == SYMBOL_DATA)
      read_data_symbol(o, &r, flags);
    else if (kind == SYMBOL_SECTION)
      number(&r);
    else
      read_indexed(o, &r, kind, flags);
  }
}

static void read_linking(Object *o, Reader r) {
  enum { SYMBOL_TABLE = 8 };
  number(&r); // the version of this section
  while (r.at < r.end) {
    unsigned kind = byte(&r);
    Reader p = part(&r, number(&r));
    if (kind == SYMBOL_TABLE)
      read_symbols(o, p);
  }
}

// ---- the object ----
bool scan_wasm(Symbols *s, const unsigned char *at, size_t len) {
  static const char magic[] = { 0, 'a', 's', 'm' };
  enum { HEAD = 8, CUSTOM = 0, IMPORTS = 2 };
  if (len < HEAD || memcmp(at, magic, sizeof magic) != 0)
    return false;
  Object o = { .symbols = s };
  Reader r = { at + HEAD, at + len };
  while (r.at < r.end) {
    unsigned id = byte(&r);
    Reader p = part(&r, number(&r));
    if (id == IMPORTS)
      read_imports(&o, p);
    else if (id == CUSTOM && is_named(name(&p), "linking"))
      read_linking(&o, p);
  }
  vec_free(&o.imports);
  arena_free(&o.arena);
  return true;
}
