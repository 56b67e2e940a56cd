// lines.c: the file and line that an address of code belongs to: the table of lines in the
// program's own debug information (.debug_line, DWARF 2 to 5), as symbols.c has mapped it. Without
// -g there is none, and compressed tables are not read. It makes no system calls but those of
// symbols.c, takes no locks and no memory, so that handlers of signals may call it.
#include "report/dwarf.h"

// ---- the head of a unit ----
typedef struct Unit {
  const fm__image *image;
  unsigned version;
  size_t offset_size; // 4 or 8
  unsigned min_length, line_range, opcode_base;
  int line_base;
  const unsigned char *lengths; // of standard opcodes
  Bytes names;                  // directories and files
  Bytes program;
} Unit;

static bool read_head(Unit *u, Bytes *all) {
  uint64_t length = number(all, 4);
  u->offset_size = length == 0xffffffff ? 8 : 4;
  if (u->offset_size == 8)
    length = number(all, 8);
  if (length > (size_t)(all->end - all->at))
    return false;
  Bytes b = { all->at, all->at + length };
  all->at = b.end;
  u->version = (unsigned)number(&b, 2);
  if (u->version >= 5)
    number(&b, 2);
  uint64_t rest = number(&b, u->offset_size);
  if (u->version < 2 || u->version > 5 || rest > (size_t)(b.end - b.at))
    return false;
  u->program = (Bytes){ b.at + rest, b.end };
  b.end = b.at + rest;
  u->min_length = (unsigned)number(&b, 1);
  if (u->version >= 4)
    number(&b, 1);
  number(&b, 1);
  u->line_base = (signed char)number(&b, 1);
  u->line_range = (unsigned)number(&b, 1);
  u->opcode_base = (unsigned)number(&b, 1);
  u->lengths = b.at;
  number(&b, u->opcode_base ? u->opcode_base - 1 : 0);
  u->names = b;
  return u->line_range && u->opcode_base;
}

// ---- names of files ----
enum { LNCT_PATH = 1, LNCT_DIRECTORY = 2 };
enum {
  FORM_BLOCK = 9,
  FORM_DATA1 = 0x0b,
  FORM_DATA2 = 5,
  FORM_DATA4 = 6,
  FORM_DATA8 = 7,
  FORM_DATA16 = 0x1e,
  FORM_STRING = 8,
  FORM_UDATA = 0x0f,
  FORM_STRP = 0x0e,
  FORM_LINE_STRP = 0x1f,
};

static const char *read_form(Unit *u, uint64_t form, uint64_t *n) {
  static const unsigned char sizes[] = { [FORM_DATA1] = 1,
                                         [FORM_DATA2] = 2,
                                         [FORM_DATA4] = 4,
                                         [FORM_DATA8] = 8,
                                         [FORM_DATA16] = 16 };
  Bytes *b = &u->names;
  switch (form) {
  case FORM_STRING:
    return text(b);
  case FORM_STRP:
    return text_in(u->image, ".debug_str", number(b, u->offset_size));
  case FORM_LINE_STRP:
    return text_in(u->image, ".debug_line_str", number(b, u->offset_size));
  case FORM_UDATA:
    *n = uleb(b);
    return "";
  case FORM_BLOCK:
    number(b, uleb(b));
    return "";
  }
  if (form < sizeof sizes && sizes[form])
    *n = number(b, sizes[form]);
  else
    b->at = b->end;
  return "";
}

// DWARF 5: entry `want` of the list that comes next; the list is passed over.
static void
read_list(Unit *u, uint64_t want, const char **path, uint64_t *directory) {
  enum { MOST = 8 };
  uint64_t types[MOST];
  uint64_t forms[MOST];
  uint64_t kinds = number(&u->names, 1);
  for (uint64_t i = 0; i < kinds && i < MOST; i++) {
    types[i] = uleb(&u->names);
    forms[i] = uleb(&u->names);
  }
  if (kinds > MOST)
    u->names.at = u->names.end;
  uint64_t count = uleb(&u->names);
  for (uint64_t i = 0; i < count && u->names.at < u->names.end; i++)
    for (uint64_t k = 0; k < kinds; k++) {
      uint64_t n = 0;
      const char *s = read_form(u, forms[k], &n);
      if (i == want && types[k] == LNCT_PATH)
        *path = s;
      if (i == want && types[k] == LNCT_DIRECTORY)
        *directory = n;
    }
}

static void name_5(Unit *u, uint64_t file, fm__source_line *l) {
  const unsigned char *start = u->names.at;
  uint64_t directory = 0;
  read_list(u, UINT64_MAX, &l->directory, &directory);
  read_list(u, file, &l->file, &directory);
  u->names.at = start;
  if (directory)
    read_list(u, directory, &l->directory, &directory);
}

static void name_4(Unit *u, uint64_t file, fm__source_line *l) {
  const unsigned char *start = u->names.at;
  uint64_t directory = 0;
  while (*text(&u->names))
    continue;
  for (uint64_t i = 1; u->names.at < u->names.end; i++) {
    const char *name = text(&u->names);
    uint64_t its = uleb(&u->names);
    uleb(&u->names);
    uleb(&u->names);
    if (!*name)
      return;
    if (i != file)
      continue;
    l->file = name;
    directory = its;
    break;
  }
  u->names.at = start;
  for (uint64_t i = 0; i < directory; i++)
    l->directory = text(&u->names);
}

// ---- the program of a unit ----
typedef struct Row {
  uint64_t address, file, line;
} Row;

typedef struct Walk {
  Row now, before; // before.address 0: the sequence has just begun
  uint64_t want;
  bool found; // `before` is the row of the address
} Walk;

static void emit_row(Walk *w) {
  if (w->before.address && w->before.address <= w->want &&
      w->want < w->now.address)
    w->found = true;
  else
    w->before = w->now;
}

static void advance(Walk *w, const Unit *u, uint64_t operations) {
  w->now.address += operations * u->min_length;
}

static void extended(Walk *w, Bytes *b) {
  enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };
  uint64_t n = uleb(b);
  const unsigned char *next = n > (size_t)(b->end - b->at) ? b->end : b->at + n;
  unsigned op = (unsigned)number(b, 1);
  if (op == END_SEQUENCE) {
    emit_row(w);
    if (!w->found)
      w->before = w->now = (Row){ 0, 1, 1 };
  } else if (op == SET_ADDRESS && n > 1) {
    w->now.address = number(b, (size_t)n - 1);
  }
  b->at = next;
}

static void standard(Walk *w, const Unit *u, Bytes *b, unsigned op) {
  enum {
    COPY = 1,
    ADVANCE_PC,
    ADVANCE_LINE,
    SET_FILE,
    CONST_ADD_PC = 8,
    FIXED_ADVANCE_PC
  };
  switch (op) {
  case COPY:
    emit_row(w);
    return;
  case ADVANCE_PC:
    advance(w, u, uleb(b));
    return;
  case ADVANCE_LINE:
    w->now.line += (uint64_t)sleb(b);
    return;
  case SET_FILE:
    w->now.file = uleb(b);
    return;
  case CONST_ADD_PC:
    advance(w, u, (255 - u->opcode_base) / u->line_range);
    return;
  case FIXED_ADVANCE_PC:
    w->now.address += number(b, 2);
    return;
  }
  for (unsigned i = 0; i < u->lengths[op - 1]; i++)
    uleb(b);
}

static void special(Walk *w, const Unit *u, unsigned op) {
  unsigned n = op - u->opcode_base;
  advance(w, u, n / u->line_range);
  w->now.line += (uint64_t)(u->line_base + (int)(n % u->line_range));
  emit_row(w);
}

static bool run_program(Unit *u, Walk *w) {
  Bytes *b = &u->program;
  w->now = w->before = (Row){ 0, 1, 1 };
  while (b->at < b->end && !w->found) {
    unsigned op = (unsigned)number(b, 1);
    if (op >= u->opcode_base)
      special(w, u, op);
    else if (op)
      standard(w, u, b, op);
    else
      extended(w, b);
  }
  return w->found;
}

bool fm__line_in(const fm__image *image,
                 uintptr_t address,
                 fm__source_line *l) {
  if (!image->count)
    return false;
  Bytes all = section(image, ".debug_line");
  while (all.at < all.end) {
    Unit u = { .image = image };
    Walk w = { .want = address - image->bias };
    if (!read_head(&u, &all) || !run_program(&u, &w))
      continue;
    *l =
        (fm__source_line){ .file = "", .directory = "", .line = w.before.line };
    if (u.version >= 5)
      name_5(&u, w.before.file, l);
    else
      name_4(&u, w.before.file, l);
    return *l->file && l->line;
  }
  return false;
}

bool fm__line_is_generated(const fm__source_line *l) {
  const char *file = l->file;
  return *file == '<' || strstr(file, "fermata/abi") ||
         strncmp(file, "abi.h", 5) == 0 || strncmp(file, "abi-", 4) == 0;
}
