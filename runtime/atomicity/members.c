// members.c: what a part of an object is called: `[2].balance` of an array of structures. In: the
// variable's address, or the name of a structure type, and a place in it. Out: the text, from the
// program's own debug information (.debug_info, DWARF 4 and 5, 32 bits). Reports ask for it, so it
// is searched each time, and nothing is kept.
#include "atomicity/atomicity.h"
#include "report/dwarf.h"

#include <ctype.h>
#include <stdio.h>

// The numbers of DWARF's tables.
enum {
  TAG_POINTER = 0x0f,
  TAG_ARRAY = 0x01,
  TAG_MEMBER = 0x0d,
  TAG_STRUCT = 0x13,
  TAG_TYPEDEF = 0x16
};
enum {
  TAG_UNION = 0x17,
  TAG_SUBRANGE = 0x21,
  TAG_CONST = 0x26,
  TAG_VARIABLE = 0x34
};
enum { TAG_VOLATILE = 0x35, TAG_RESTRICT = 0x37, TAG_ATOMIC = 0x47 };
enum {
  AT_LOCATION = 0x02,
  AT_NAME = 0x03,
  AT_SIZE = 0x0b,
  AT_UPPER = 0x2f,
  AT_COUNT = 0x37
};
enum {
  AT_MEMBER = 0x38,
  AT_DECLARES = 0x3c,
  AT_SPECIFIES = 0x47,
  AT_TYPE = 0x49
};
enum { AT_BIT_OFFSET = 0x6b, AT_TEXTS = 0x72, AT_ADDRESSES = 0x73 };
enum { OP_ADDRESS = 0x03, OP_ADDRESS_X = 0xa1 };
enum { CODES = 2048, DEEP = 32 };

typedef struct Unit {
  const fm__image *image;
  const unsigned char *begin; // of its head: references count from here
  Bytes entries;
  unsigned version;
  size_t address_size;
  uint64_t texts, addresses;         // where its parts of these sections begin
  const unsigned char *codes[CODES]; // of the abbreviations; NULL: none
} Unit;

typedef struct Entry {
  uint64_t tag; // 0: the end of a list of children
  bool has_children, declares;
  const char *name;         // "": none
  uint64_t type, specifies; // offsets in the unit; 0: none
  uint64_t address;         // of a variable; 0: none
  uint64_t size, count;     // 0: not known
  uint64_t offset;          // of a member
} Entry;

typedef struct Value {
  uint64_t number;
  const char *text;
  Bytes block;
} Value;

// ---- forms ----
static uint64_t in_table(
    const Unit *u, const char *name, uint64_t base, uint64_t i, size_t size) {
  Bytes b = section(u->image, name);
  uint64_t at = base + i * size;
  if (at > (uint64_t)(b.end - b.at))
    return 0;
  b.at += at;
  return number(&b, size);
}

static const char *text_x(const Unit *u, uint64_t i) {
  return text_in(u->image,
                 ".debug_str",
                 in_table(u, ".debug_str_offsets", u->texts, i, 4));
}

static Bytes block(Bytes *b, uint64_t n) {
  uint64_t rest = (uint64_t)(b->end - b->at);
  Bytes is = { b->at, b->at + (n < rest ? n : rest) };
  b->at = is.end;
  return is;
}

static bool read_block(Bytes *b, uint64_t form, Value *v) {
  switch (form) {
  case 0x03: // block2
    v->block = block(b, number(b, 2));
    return true;
  case 0x04: // block4
    v->block = block(b, number(b, 4));
    return true;
  case 0x09: // block
  case 0x18: // exprloc
    v->block = block(b, uleb(b));
    return true;
  case 0x0a: // block1
    v->block = block(b, number(b, 1));
    return true;
  case 0x1e: // data16
    v->block = block(b, 16);
    return true;
  }
  return false;
}

static bool read_text(const Unit *u, Bytes *b, uint64_t form, Value *v) {
  switch (form) {
  case 0x08: // string
    v->text = text(b);
    return true;
  case 0x0e: // strp
    v->text = text_in(u->image, ".debug_str", number(b, 4));
    return true;
  case 0x1f: // line_strp
    v->text = text_in(u->image, ".debug_line_str", number(b, 4));
    return true;
  case 0x1a: // strx
    v->text = text_x(u, uleb(b));
    return true;
  case 0x25: // strx1 to strx4
  case 0x26:
  case 0x27:
  case 0x28:
    v->text = text_x(u, number(b, form - 0x24));
    return true;
  }
  return false;
}

// How many bytes a number of this form has; 0: it has another form.
static size_t fixed_size(const Unit *u, uint64_t form) {
  switch (form) {
  case 0x0b: // data1, flag, ref1, addrx1
  case 0x0c:
  case 0x11:
  case 0x29:
    return 1;
  case 0x05: // data2, ref2, addrx2
  case 0x12:
  case 0x2a:
    return 2;
  case 0x2b: // addrx3
    return 3;
  case 0x06: // data4, ref4, sec_offset, ref_addr, addrx4
  case 0x13:
  case 0x17:
  case 0x10:
  case 0x2c:
    return 4;
  case 0x07: // data8, ref8, ref_sig8
  case 0x14:
  case 0x20:
    return 8;
  case 0x01: // addr
    return u->address_size;
  }
  return 0;
}

// Forms that are not known end the unit: what follows cannot be read.
static Value
read_value(const Unit *u, Bytes *b, uint64_t form, int64_t constant) {
  Value v = { 0, "", { NULL, NULL } };
  size_t size = fixed_size(u, form);
  if (form == 0x16) // indirect
    form = uleb(b);
  if (size)
    v.number = number(b, size);
  else if (form == 0x0d) // sdata
    v.number = (uint64_t)sleb(b);
  else if (form == 0x0f || form == 0x15 || form == 0x1b || form == 0x22 ||
           form == 0x23)
    v.number = uleb(b);  // udata, ref_udata, addrx, loclistx, rnglistx
  else if (form == 0x19) // flag_present
    v.number = 1;
  else if (form == 0x21) // implicit_const
    v.number = (uint64_t)constant;
  else if (!read_block(b, form, &v) && !read_text(u, b, form, &v))
    b->at = b->end;
  return v;
}

// ---- entries ----
static void take_location(const Unit *u, Bytes b, Entry *e) {
  unsigned op = (unsigned)number(&b, 1);
  if (op == OP_ADDRESS)
    e->address = number(&b, u->address_size);
  if (op == OP_ADDRESS_X)
    e->address =
        in_table(u, ".debug_addr", u->addresses, uleb(&b), u->address_size);
}

static void take(Unit *u, uint64_t attribute, Value v, Entry *e) {
  switch (attribute) {
  case AT_NAME:
    e->name = v.text;
    break;
  case AT_TYPE:
    e->type = v.number;
    break;
  case AT_SPECIFIES:
    e->specifies = v.number;
    break;
  case AT_SIZE:
    e->size = v.number;
    break;
  case AT_UPPER:
    e->count = v.number + 1;
    break;
  case AT_COUNT:
    e->count = v.number;
    break;
  case AT_MEMBER:
    e->offset = v.number;
    break;
  case AT_BIT_OFFSET:
    e->offset = v.number / 8;
    break;
  case AT_DECLARES:
    e->declares = true;
    break;
  case AT_LOCATION:
    if (v.block.at)
      take_location(u, v.block, e);
    break;
  case AT_TEXTS:
    u->texts = v.number;
    break;
  case AT_ADDRESSES:
    u->addresses = v.number;
    break;
  }
}

static Entry read_entry(Unit *u, Bytes *b) {
  Entry e = { .name = "" };
  uint64_t code = uleb(b);
  if (!code)
    return e;
  if (code >= CODES || !u->codes[code]) {
    b->at = b->end;
    return e;
  }
  Bytes a = section(u->image, ".debug_abbrev");
  a.at = u->codes[code];
  e.tag = uleb(&a);
  e.has_children = number(&a, 1);
  while (a.at < a.end && b->at < b->end) {
    uint64_t attribute = uleb(&a);
    uint64_t form = uleb(&a);
    int64_t constant = form == 0x21 ? sleb(&a) : 0;
    if (!attribute && !form)
      break;
    take(u, attribute, read_value(u, b, form, constant), &e);
  }
  return e;
}

static Entry entry_at(Unit *u, uint64_t offset, Bytes *rest) {
  Entry none = { .name = "" };
  *rest = (Bytes){ u->begin + offset, u->entries.end };
  if (!offset || offset >= (uint64_t)(u->entries.end - u->begin))
    return none;
  return read_entry(u, rest);
}

// ---- units ----
static void read_codes(Unit *u, uint64_t offset) {
  Bytes a = section(u->image, ".debug_abbrev");
  memset(u->codes, 0, sizeof u->codes);
  if (offset > (uint64_t)(a.end - a.at))
    return;
  a.at += offset;
  for (uint64_t code; (code = uleb(&a));) {
    if (code < CODES)
      u->codes[code] = a.at;
    uleb(&a);
    number(&a, 1);
    for (uint64_t attribute = 1, form = 1; attribute || form;) {
      attribute = uleb(&a);
      form = uleb(&a);
      if (form == 0x21)
        sleb(&a);
    }
  }
}

// false: there is none left. Units of other kinds have no entries here.
static bool next_unit(Unit *u, Bytes *all) {
  enum { COMPILE = 1 };
  u->begin = all->at;
  uint64_t length = number(all, 4);
  if (all->at == all->end || length > (uint64_t)(all->end - all->at))
    return false;
  Bytes b = { all->at, all->at + length };
  all->at = b.end;
  u->version = (unsigned)number(&b, 2);
  uint64_t kind = u->version >= 5 ? number(&b, 1) : COMPILE;
  uint64_t codes = 0;
  if (u->version >= 5) {
    u->address_size = number(&b, 1);
    codes = number(&b, 4);
  } else {
    codes = number(&b, 4);
    u->address_size = number(&b, 1);
  }
  u->entries = b;
  if (kind != COMPILE || u->version < 4 || u->version > 5)
    u->entries.at = b.end;
  u->texts = u->addresses = 8; // without an attribute: after the head
  read_codes(u, codes);
  return true;
}

// ---- types ----
static Entry plain_type(Unit *u, uint64_t offset, Bytes *children) {
  Entry e = entry_at(u, offset, children);
  for (int i = 0; i < DEEP; i++) {
    bool other = e.tag == TAG_TYPEDEF || e.tag == TAG_CONST ||
                 e.tag == TAG_VOLATILE || e.tag == TAG_RESTRICT ||
                 e.tag == TAG_ATOMIC;
    if (!other)
      break;
    e = entry_at(u, e.type, children);
  }
  return e;
}

// The next child of an entry, at the first level; tag 0: there is none left.
static Entry next_child(Unit *u, Bytes *b) {
  Entry e = read_entry(u, b);
  Bytes skip = *b;
  int depth = e.has_children;
  while (depth && skip.at < skip.end) {
    Entry inner = read_entry(u, &skip);
    depth += inner.tag ? inner.has_children : -1;
  }
  *b = skip;
  return e;
}

static uint64_t size_of(Unit *u, uint64_t type, int deep) {
  Bytes b;
  Entry e = plain_type(u, type, &b);
  if (e.tag == TAG_POINTER)
    return u->address_size;
  if (e.size || e.tag != TAG_ARRAY || deep == DEEP)
    return e.size;
  uint64_t size = size_of(u, e.type, deep + 1);
  for (Entry c; e.has_children && (c = next_child(u, &b)).tag;)
    if (c.tag == TAG_SUBRANGE)
      size *= c.count;
  return size;
}

// ---- text ----
typedef struct Text {
  char *at;
  size_t room;
} Text;

static void add(Text *t, const char *text) {
  int n = snprintf(t->at, t->room, "%s", text);
  size_t added = n < 0                 ? 0
                 : (size_t)n < t->room ? (size_t)n
                                       : t->room - (t->room > 0);
  t->at += added;
  t->room -= added;
}

static void add_index(Text *t, uint64_t i) {
  char text[32];
  snprintf(text, sizeof text, "[%llu]", (unsigned long long)i);
  add(t, text);
}

static bool
describe(Unit *u, uint64_t type, uint64_t offset, Text *t, int deep);

static bool describe_element(
    Unit *u, const Entry *e, Bytes b, uint64_t offset, Text *t, int deep) {
  uint64_t counts[DEEP];
  size_t n = 0;
  uint64_t size = size_of(u, e->type, deep);
  for (Entry c; e->has_children && n < DEEP && (c = next_child(u, &b)).tag;)
    if (c.tag == TAG_SUBRANGE)
      counts[n++] = c.count;
  if (!size || !n)
    return false;
  for (size_t i = 0; i < n; i++) {
    uint64_t step = size;
    for (size_t k = i + 1; k < n; k++)
      step *= counts[k];
    if (!step)
      return false;
    add_index(t, offset / step);
    offset %= step;
  }
  return describe(u, e->type, offset, t, deep + 1);
}

static bool
describe_member(Unit *u, Bytes b, uint64_t offset, Text *t, int deep) {
  for (Entry c; (c = next_child(u, &b)).tag;) {
    uint64_t size = c.tag == TAG_MEMBER ? size_of(u, c.type, deep) : 0;
    if (offset < c.offset || offset - c.offset >= size)
      continue;
    if (*c.name) {
      add(t, ".");
      add(t, c.name);
    }
    return describe(u, c.type, offset - c.offset, t, deep + 1);
  }
  return false;
}

// true: the text says which part of the object is at the offset.
static bool
describe(Unit *u, uint64_t type, uint64_t offset, Text *t, int deep) {
  Bytes b;
  Entry e = plain_type(u, type, &b);
  if (deep == DEEP)
    return false;
  if (e.tag == TAG_ARRAY)
    return describe_element(u, &e, b, offset, t, deep);
  if ((e.tag == TAG_STRUCT || e.tag == TAG_UNION) && e.has_children)
    return describe_member(u, b, offset, t, deep);
  return e.tag && (!offset || offset < e.size);
}

// ---- search ----
typedef struct Wanted {
  uint64_t address; // of a variable; or:
  uint64_t size;    // of a structure
  const char *line; // source text that mentions the structure; NULL: any
} Wanted;

static bool is_in_name(char c) {
  return c == '_' || isalnum((unsigned char)c);
}

static bool mentions(const char *line, const char *name) {
  size_t n = strlen(name);
  for (const char *p = line; n && (p = strstr(p, name)); p += n)
    if ((p == line || !is_in_name(p[-1])) && !is_in_name(p[n]))
      return true;
  return false;
}

static bool is_wanted(const Wanted *w, const Entry *e) {
  if (w->address)
    return e->tag == TAG_VARIABLE && e->address == w->address;
  return e->tag == TAG_STRUCT && !e->declares && *e->name &&
         e->size == w->size && mentions(w->line, e->name);
}

// The entry's offset in its unit; 0: there is none.
static uint64_t search(Unit *u, const Wanted *w, Entry *e) {
  Bytes b = u->entries;
  while (b.at < b.end) {
    uint64_t offset = (uint64_t)(b.at - u->begin);
    *e = read_entry(u, &b);
    if (is_wanted(w, e))
      return offset;
  }
  return 0;
}

static const fm__image *program(fm__symbols *all) {
  return all->count && all->images[0].file ? &all->images[0] : NULL;
}

bool fm__member_of_variable(
    fm__symbols *all, uintptr_t low, size_t offset, char *to, size_t room) {
  static Unit u; // callers hold the lock
  const fm__image *image = program(all);
  Entry e;
  Bytes b;
  if (!image)
    return false;
  Wanted w = { .address = low - image->bias };
  Text t = { to, room };
  u.image = image;
  for (Bytes units = section(image, ".debug_info"); next_unit(&u, &units);) {
    if (!search(&u, &w, &e))
      continue;
    uint64_t type = e.type ? e.type : entry_at(&u, e.specifies, &b).type;
    return describe(&u, type, offset, &t, 0);
  }
  return false;
}

bool fm__member_of_block(fm__symbols *all,
                         const char *line,
                         size_t size,
                         size_t offset,
                         char *to,
                         size_t room) {
  static Unit u;
  const fm__image *image = program(all);
  Wanted w = { .size = size, .line = line };
  Text t = { to, room };
  Entry e;
  if (!image)
    return false;
  u.image = image;
  for (Bytes units = section(image, ".debug_info"); next_unit(&u, &units);) {
    uint64_t type = search(&u, &w, &e);
    if (!type)
      continue;
    add(&t, e.name);
    return describe(&u, type, offset, &t, 0);
  }
  return false;
}
