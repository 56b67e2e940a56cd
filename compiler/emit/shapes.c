// shapes.c: prints start and spill functions that several async functions share. Most functions
// keep a few numbers and pointers. Those of a unit that return and keep values of the same sizes
// have the same shape, and share the functions that make their frames. A shape is a text: a letter
// for the returned type, `_`, and a letter for each field ("p_ppi"). In: the fields that
// frame/fields.c chose. Out: Async.shape, and the text of the shared functions, before the first
// function that uses them.
#include "emit/versions.h"

// ---- the shape of a function ----
// Returns the letter of a type whose values fit into a register; 0: others.
static char letter_of(Unit *u, Type *t) {
  Type *k = canon(t);
  if (k->kind == TY_ENUM)
    k = canon(k->tag->underlying ? k->tag->underlying : t);
  if (k->kind == TY_POINTER)
    return 'p';
  if (k->kind == TY_FLOAT || k->kind == TY_DOUBLE)
    return k->kind == TY_FLOAT ? 'f' : 'd';
  if (k->kind < TY_BOOL || k->kind > TY_ULLONG)
    return 0;
  switch (type_size(u, k)) {
  case 1:
    return 'c';
  case 2:
    return 's';
  case 4:
    return 'i';
  case 8:
    return 'l';
  default:
    return 0;
  }
}

const char *type_of_letter(char letter) {
  switch (letter) {
  case 'p':
    return "void *";
  case 'f':
    return "float ";
  case 'd':
    return "double ";
  case 'c':
    return "unsigned char ";
  case 's':
    return "unsigned short ";
  case 'i':
    return "unsigned int ";
  default:
    return "unsigned long long ";
  }
}

// The type has its usual alignment: no attribute has changed it.
static bool is_aligned(Unit *u, Type *t) {
  Type *k = canon(t);
  if (k->kind == TY_ENUM && k->tag->underlying)
    k = canon(k->tag->underlying);
  return type_align(u, t) ==
         type_align(u,
                    k->kind == TY_POINTER
                        ? type_pointer(u, type_scalar(u, TY_VOID))
                        : type_scalar(u, (TypeKind)k->kind));
}

// Adds the letter of the returned type, and whether it has a sign: otherwise the call of the shared
// function would be no tail call. Returns false if there is no letter for it.
static bool put_returned(Async *a, Buf *key) {
  Type *t = returned(a);
  if (type_is_void(t)) {
    buf_putc(key, 'v');
    return true;
  }
  char letter = letter_of(a->u, t);
  if (!letter || !is_aligned(a->u, t))
    return false;
  buf_putc(key, letter);
  if (canon(t)->kind == TY_BOOL)
    buf_putc(key, 'b');
  else if (type_is_integer(t) && !type_is_unsigned(a->u, t))
    buf_putc(key, 'n');
  return true;
}

// Adds the letters of the first n fields.
static bool put_fields(Async *a, Buf *key, size_t n) {
  buf_putc(key, '_');
  for (size_t i = 0; i < n; i++) {
    Local *k = a->fields.at[i];
    char letter = k->resident ? 0 : letter_of(a->u, k->sym->type);
    if (!letter || !is_aligned(a->u, k->sym->type))
      return false;
    buf_putc(key, letter);
  }
  return true;
}

// Returns the shape with the first n fields; "": the function needs functions of its own.
static const char *key_of(Async *a, size_t n) {
  Buf key = { 0 };
  bool own = a->u->opt.readable || a->frame_on_entry || a->up || a->boundary ||
             a->inner.len || a->jobs.len || has_code_attributes(a);
  bool found = !own && put_returned(a, &key) && put_fields(a, &key, n);
  const char *text = found ? arena_text(&a->u->arena, key.data, key.len) : "";
  buf_free(&key);
  return text;
}

const char *shape_of(Async *a) {
  if (!a->shape)
    a->shape = a->one_body ? "" : key_of(a, a->fields.len);
  return *a->shape ? a->shape : NULL;
}

// If no code of this unit starts the function, a few instructions more do not matter. The
// parameters that have fields must have the first ones, in order.
const char *start_shape(Async *a) {
  size_t n = 0;
  const Symbol *f = a->decl->sym;
  if (!f || f->started || a->type->variadic || is_main(a))
    return NULL;
  for (const Param *q = a->type->params; q; q = q->next) {
    const Local *k = q->sym ? q->sym->local : NULL;
    if (k && k->slot >= 0 && (size_t)k->slot != n++)
      return NULL;
    if (q->copied)
      return NULL;
  }
  const char *key = key_of(a, n);
  return *key ? key : NULL;
}

// ---- the shared functions ----
static void print_returned_type(Printer *p, const char *shape) {
  char sign = shape[1];
  if (*shape == 'v')
    print_say(p, "void ");
  else if (sign == 'b')
    print_say(p, "_Bool ");
  else if (sign == 'n')
    print_say(p,
              *shape == 'c'   ? "signed char "
              : *shape == 's' ? "short "
              : *shape == 'i' ? "int "
                              : "long long ");
  else
    print_say(p, "%s", type_of_letter(*shape));
}

static void print_shape_frame(Printer *p, const char *shape) {
  print_say(p,
            "typedef struct __attribute__((may_alias)) fm__%s__fm_frame { "
            "fm_frame fm__h; ",
            shape);
  if (*shape != 'v') {
    print_returned_type(p, shape);
    print_say(p, "fm__ret; ");
  }
  int n = 0;
  for (const char *s = strchr(shape, '_') + 1; *s; s++)
    print_say(p, "%sfm__s%d; ", type_of_letter(*s), n++);
  print_say(p, "} fm__%s__fm_frame;\n", shape);
}

// Prints a parameter for each field, and the statements that store them.
static void print_field_params(Printer *p, const char *fields) {
  for (int i = 0; fields[i]; i++)
    print_say(p, ", %sfm__v%d", type_of_letter(fields[i]), i);
}

static void print_field_stores(Printer *p, const char *fields) {
  for (int i = 0; fields[i]; i++)
    print_say(p, "fm__f->fm__s%d = fm__v%d; ", i, i);
}

static void print_shape_spill(Printer *p, const char *shape) {
  const char *fields = strchr(shape, '_') + 1;
  const char *dummy = *shape == 'v' ? "return; " : "return 0; ";
  print_say(p, "static __attribute__((cold, noinline, noipa)) ");
  print_returned_type(p, shape);
  print_say(p, "fm__%s__fm_spill(fm_domain *fm__c, uint32_t fm__st", shape);
  print_field_params(p, fields);
  print_say(p,
            ") { const fm_code *fm__k = (const fm_code *)fm__c->result; "
            "if (fm__unwinds(fm__c)) { fm__passes(fm__k, fm__st & "
            "FM_STATE); %s} ",
            dummy);
  print_say(p,
            "fm__%s__fm_frame *fm__f = (fm__%s__fm_frame *)fm__frame_sized("
            "fm__c, fm__k, sizeof *fm__f); ",
            shape,
            shape);
  print_field_stores(p, fields);
  print_say(p, "fm__stop_fast(fm__c, &fm__f->fm__h, fm__st); %s}\n", dummy);
}

// Returns true the first time that it is called with this name.
static bool is_new(Unit *u, const char *name) {
  FOR_EACH (const char, printed, u->shapes) {
    if (strcmp(printed, name) == 0)
      return false;
  }
  vec_push(&u->shapes, (void *)name);
  return true;
}

static void print_frame_once(Printer *p, const char *shape) {
  if (is_new(p->u, shape))
    print_shape_frame(p, shape);
}

void print_shape(Printer *p, Async *a) {
  const char *shape = shape_of(a);
  if (!is_new(p->u, arena_printf(&p->u->arena, "spill %s", shape)))
    return;
  print_frame_once(p, shape);
  print_shape_spill(p, shape);
}

void print_start_shape(Printer *p, const char *shape) {
  const char *fields = strchr(shape, '_') + 1;
  if (!is_new(p->u, arena_printf(&p->u->arena, "start %s", shape)))
    return;
  print_frame_once(p, shape);
  print_say(p,
            "static __attribute__((cold, noinline, noipa)) fm_frame "
            "*fm__%s__fm_start(fm_domain *fm__c",
            shape);
  print_field_params(p, fields);
  print_say(p,
            ") { fm__%s__fm_frame *fm__f = (fm__%s__fm_frame *)fm__frame_new("
            "fm__c, (const fm_code *)fm__c->result); ",
            shape,
            shape);
  print_field_stores(p, fields);
  print_say(p, "return &fm__f->fm__h; }\n");
}
