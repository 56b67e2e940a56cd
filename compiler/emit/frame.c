// frame.c: prints the frame of an async function: its type, with the residents and the fields that
// pauses store; f__fm_start, which makes a frame from the arguments; f__fm_spill, which makes it at
// the first pause, stores the live variables and leaves the function. In: the fields that
// frame/fields.c chose.
#include "emit/layout.h"
#include "emit/versions.h"

// ---- variably modified types ----
// The frame holds the lengths of a variably modified variable. If the variable is an array, the
// frame holds a pointer to its elements, not the elements.
int vm_lengths(Type *t, Node **exprs, int most) {
  int n = 0;
  for (t = canon(t); t->kind == TY_ARRAY || t->kind == TY_POINTER;
       t = canon(t->base))
    if (t->kind == TY_ARRAY && t->vla && n < most)
      exprs[n++] = t->len_expr;
  return n;
}

// Prints the declaration of the variable's field.
static void print_field(Printer *p, Async *a, Local *k, const char *name) {
  Type *t = k->sym->type;
  if (!type_is_vm(t)) {
    if (k->resident && k->align)
      print_say(p, "__attribute__((aligned(%u))) ", k->align);
    print_type(p, type_writable(a->u, t), name, 0);
    return;
  }
  Node *exprs[16];
  int n = vm_lengths(t, exprs, 16);
  print_say(p, "void *%s", name);
  for (int i = 0; i < n; i++)
    print_say(p, "; unsigned long %s__n%d", name, i);
}

// Returns the type t with its lengths read from the frame. n: how many lengths have been used.
static Type *with_lengths(Unit *u, Type *t, const char *field, int *n) {
  Type *c = canon(t);
  if (!type_is_vm(c))
    return t;
  Type *r = NEW(&u->arena, Type);
  *r = *c;
  r->canon = r;
  r->unqual = NULL;
  if (c->kind == TY_ARRAY && c->vla) {
    const char *text = arena_printf(&u->arena, "%s__n%d", field, (*n)++);
    r->len_expr = node_new(u, N_CODE, 0);
    r->len_expr->name = intern(u, text, strlen(text));
    r->star = r->is_static = false;
  }
  r->base = with_lengths(u, c->base, field, n);
  return r;
}

static Type *vm_type(Printer *p, Local *k, const char *path) {
  int n = 0;
  return with_lengths(p->u,
                      k->sym->type,
                      arena_printf(&p->u->arena, "%s%s", path, k->name),
                      &n);
}

void print_vm_variable(Printer *p, Local *k, const char *path) {
  bool array = canon(k->sym->type)->kind == TY_ARRAY;
  print_text(p, "(*(");
  print_type(p, type_pointer(p->u, vm_type(p, k, path)), "", 0);
  print_text(p, array ? ")" : ")&");
  buf_printf(p->out, "%s%s)", path, k->name);
}

bool is_vla(const Local *k) {
  return k->resident && canon(k->sym->type)->kind == TY_ARRAY &&
         type_is_vm(k->sym->type);
}

bool has_vla(const Async *a) {
  FOR_EACH (const Local, k, a->locals) {
    if (is_vla(k))
      return true;
  }
  return false;
}

void print_vla_frees(Printer *p) {
  if (p->part)
    return; // the function that has entered the part frees them
  FOR_EACH (Local, k, p->async->locals) {
    if (is_vla(k))
      buf_printf(p->out, "fm__vla_free(fm__f->%s); ", k->name);
  }
}

void print_vm_declaration(Printer *p, Local *k) {
  Node *exprs[16];
  int n = vm_lengths(k->sym->type, exprs, 16);
  for (int i = 0; i < n; i++) {
    buf_printf(p->out, "fm__f->%s__n%d = (unsigned long)(", k->name, i);
    if (exprs[i])
      print_expr(p, exprs[i], L_COMMA);
    else
      print_text(p, "1");
    print_text(p, "); ");
  }
  if (!is_vla(k))
    return;
  buf_printf(p->out,
             "fm__f->%s = fm__vla(fm__f->%s, sizeof(",
             k->name,
             k->name);
  print_type(p, vm_type(p, k, "fm__f->"), "", 0);
  print_text(p, "));");
  print_pointer_again(p, k);
}

// ---- names of fields ----
// Adds a name to a list of names, unless it is there already.
static void add_name(Buf *names, const char *name, const char *between) {
  size_t n = strlen(name);
  for (const char *s = names->data; s && (s = strstr(s, name)); s++) {
    bool whole = s == names->data || s[-1] == '_' || s[-1] == ' ';
    if (whole && (!s[n] || s[n] == '_' || s[n] == ','))
      return;
  }
  buf_printf(names, "%s%s", names->len ? between : "", name);
}

static const char *name_for_readers(Async *a, const Local *k) {
  const char *name = k->sym->name->name;
  const char *ours = readable_name(a->u, name, strlen(name), false);
  return ours ? ours : name;
}

// Returns the names of the first variables that share the field.
static const char *names_in_slot(Async *a, int slot, const char *between) {
  enum { MOST = 3 };
  Buf names = { 0 };
  int n = 0;
  for (size_t i = 0; i < a->locals.len && n < MOST; i++) {
    Local *k = a->locals.at[i];
    size_t before = names.len;
    if (k->slot == slot)
      add_name(&names, name_for_readers(a, k), between);
    n += names.len > before;
  }
  const char *text = arena_text(&a->u->arena, names.data, names.len);
  buf_free(&names);
  return text;
}

// The name is that of a resident, or of a field before `slot`.
static bool is_field(Async *a, int slot, const char *name) {
  for (int i = 0; i < slot; i++)
    if (a->slot_names[i] && strcmp(a->slot_names[i], name) == 0)
      return true;
  FOR_EACH (Local, k, a->locals) {
    if (k->resident && strcmp(k->name, name) == 0)
      return true;
  }
  return false;
}

// Names all fields: fm__s0 and so on; for readers after their variables.
static void name_slots(Async *a) {
  int n = slot_count(a);
  a->slot_names = arena_alloc(&a->u->arena, (size_t)(n + 1) * sizeof(char *));
  for (int i = 0; i < n; i++) {
    if (!a->u->opt.readable) {
      a->slot_names[i] = arena_printf(&a->u->arena, "fm__s%d", i);
      continue;
    }
    if (!slot_first(a, i))
      continue;
    const char *name = names_in_slot(a, i, "_or_");
    while (is_field(a, i, name))
      name = arena_printf(&a->u->arena, "%s_%d", name, i);
    a->slot_names[i] = name;
  }
}

const char *slot_name(Async *a, int slot) {
  if (!a->slot_names)
    name_slots(a);
  return a->slot_names[slot];
}

// ---- notes about fields, for readers ----
// A set of lines.
typedef struct Lines {
  uint32_t at[4];
  uint32_t first;
  uint32_t last;
  int n; // how many there are; those beyond at[] are only counted
} Lines;

static void add_line(Lines *l, uint32_t line) {
  enum { ROOM = sizeof l->at / sizeof *l->at };
  for (int i = 0; i < l->n && i < ROOM; i++)
    if (l->at[i] == line)
      return;
  if (l->n < ROOM)
    l->at[l->n] = line;
  l->n += l->n < ROOM || line < l->first || line > l->last;
  l->first = l->n == 1 || line < l->first ? line : l->first;
  l->last = l->n == 1 || line > l->last ? line : l->last;
}

// Returns the lines in which the function pauses while the field has a value.
static Lines lines_of(Async *a, int slot) {
  Lines found = { .n = 0 };
  for (int s = 1; s < a->nstates; s++) {
    bool live = false;
    for (size_t i = 0; i < a->locals.len && a->states[s].used; i++) {
      Local *k = a->locals.at[i];
      live |= k->slot == slot && live_at(&a->states[s], k);
    }
    if (live)
      add_line(&found, tok_at(a->u, a->states[s].tok)->line);
  }
  return found;
}

// Notes when the field has a value.
static void note_field(Printer *p, Async *a, const Local *first) {
  if (!for_readers(p))
    return;
  if (first->resident) {
    print_end_note(p, "lives here: its address is used, or it is an array");
    return;
  }
  Lines l = lines_of(a, first->slot);
  const char *names = names_in_slot(a, first->slot, ", ");
  const char *what = "";
  if (strchr(names, ','))
    what = arena_printf(&a->u->arena, "%s: ", names);
  else if (first->temp)
    what = "a value in between: ";
  if (!l.n)
    print_end_note(p, "%skept until the function begins", what);
  else if (l.n == 1)
    print_end_note(p, "%skept at the pauses of line %u", what, l.at[0]);
  else if (l.n > 3)
    print_end_note(
        p, "%skept at pauses of lines %u to %u", what, l.first, l.last);
  else
    print_end_note(p,
                   l.n == 2 ? "%skept at the pauses of lines %u and %u"
                            : "%skept at the pauses of lines %u, %u and %u",
                   what,
                   l.at[0],
                   l.at[1],
                   l.at[2]);
}

// Notes what the frame is for, and when it is made.
static void note_frame(Printer *p, Async *a) {
  Token *t = tok_at(a->u, a->decl->tok);
  const char *file = strrchr(a->u->files[t->file].name, '/');
  file = file ? file + 1 : a->u->files[t->file].name;
  print_note(p,
             "---- %s, %s:%u ----\n"
             "%s %s %s",
             a->decl->name->name,
             file,
             t->line,
             a->nstates > 1 ? "The frame: what is kept while it is paused. It"
                            : "The frame, for a spawn. It",
             "is made",
             a->nstates == 1     ? "when the function is started."
             : a->frame_on_entry ? "when the function is called."
                                 : "at the first pause.");
}

void print_frame(Printer *p, Async *a) {
  note_frame(p, a);
  print_names(p, a);
  print_say(p, "typedef struct %s__fm_frame {\n  fm_frame fm__h;\n", a->name);
  print_end_note(p, "the caller's frame, the code, and the state: the pause");
  if (a->u->opt.debug)
    print_say(p, "  struct %s__fm_names fm__names[0];\n", a->name);
  if (a->up)
    print_say(p, "  struct %s__fm_frame *fm__up;\n", a->up->name);
  if (a->up)
    print_end_note(p, "the function around it, whose variables it shares");
  for (int i = 0; i < a->ngroups; i++)
    print_say(p, "  fm_share_group fm__g%d;\n", i);
  if (a->ngroups)
    print_end_note(p, "activities that share variables of a block of it");
  if (!returns_void(a)) {
    print_type(p, returned(a), "fm__ret", 0);
    print_say(p, ";\n");
    print_end_note(p, "what it returns");
  }
  FOR_EACH (Local, k, a->fields) {
    print_field(p, a, k, k->resident ? k->name : slot_name(a, k->slot));
    print_say(p, for_readers(p) ? ";" : ";  // %s\n", k->name);
    note_field(p, a, k);
  }
  print_say(p, "} %s__fm_frame;\n", a->name);
  print_pointer_types(p, a);
}

// ---- fields ----
// Returns the variable whose value the field holds at that pause, or NULL.
static Local *slot_owner(Async *a, int state, int slot) {
  FOR_EACH (Local, k, a->locals) {
    if (k->slot == slot && !k->resident && live_at(&a->states[state], k))
      return k;
  }
  return NULL;
}

int slot_count(Async *a) {
  return (int)a->fields.len;
}

Local *slot_first(Async *a, int slot) {
  return slot < 0 ? NULL : a->fields.at[slot];
}

// ---- start ----
// A function with large residents is started in a small frame, which holds the arguments alone:
// many activities may be started before the first one runs. The small frame's resume function calls
// the call version. A function that ends without a pause needs no other frame.
static bool starts_small(Async *a) {
  enum { WORTH_IT = 64 };
  int64_t bytes = 0;
  // bodies of activates, arms and jobs have no call version
  if (!a->frame_on_entry || a->up || a->boundary)
    return false;
  if (a->type->variadic)
    return false;
  for (Param *q = a->type->params; q; q = q->next)
    if (q->copied || type_is_vm(q->type))
      return false;
  FOR_EACH (Local, k, a->locals) {
    int64_t size =
        k->resident && slot_first(a, k->slot) == k && !type_is_vm(k->sym->type)
            ? type_size(a->u, k->sym->type)
            : 0;
    if (size > 0)
      bytes += size;
  }
  return bytes >= WORTH_IT;
}

Generated full_start(Async *a) {
  return starts_small(a) || a->type->variadic ? GEN_FULL : GEN_START;
}

// The function ends before it makes its frame in some cases. Many activities may do nothing else:
// they take no way through the call version. The code can be run twice (lower/entry.c). With -g a
// breakpoint in it would stop twice.
static bool has_short_way(Async *a) {
  return a->frame_late && !a->u->opt.debug;
}

// f__fm_begin: the resume function of the small frame
static void print_begin(Printer *p, Async *a) {
  print_note(p,
             "%s, begun from its small frame, which its own one replaces when "
             "it pauses.",
             a->decl->name->name);
  print_say(
      p,
      "static%s void %s__fm_begin(fm_domain *fm__c, fm_frame *fm__h) {\n  "
      "%s__fm_args *fm__f = "
      "(%s__fm_args *)fm__h;\n  ",
      has_short_way(a) ? " __attribute__((noinline))" : "",
      a->name,
      a->name,
      a->name);
  if (!returns_void(a)) {
    print_type(p, returned(a), "fm__v", 0);
    print_say(p, " = ");
  }
  print_say(p, "%s__fm_call(fm__c", a->name);
  int n = 0;
  for (Param *q = a->type->params; q; q = q->next)
    print_say(p, ", fm__f->fm__a%d", n++);
  print_say(p,
            ");\n  if (fm__pausing(fm__c)) {\n    if (!fm__unwinds(fm__c)) "
            "fm__tail(fm__c, "
            "fm__h);\n    return;\n  }\n");
  if (returns_void(a))
    print_say(p, "  (void)fm__f;\n}\n");
  else
    print_say(
        p,
        "  __builtin_memcpy((void *)&fm__f->fm__ret, &fm__v, sizeof fm__v);\n"
        "}\n");
}

// f__fm_short: what the function does before it makes its frame, then f__fm_begin
static void print_short_way(Printer *p, Async *a) {
  Printer q = *p;
  int n = 0;
  print_note(p, "%s, begun: it may end at once.", a->decl->name->name);
  begin_version(&q, a, V_CALL);
  q.begins = true;
  q.quiet = true;
  print_say(&q,
            "static void %s__fm_short(fm_domain *fm__c, fm_frame *fm__h) { "
            "%s__fm_args *fm__f = (%s__fm_args *)fm__h; %s",
            a->name,
            a->name,
            a->name,
            returns_void(a) && !a->type->params ? "(void)fm__f; " : "");
  for (Param *k = a->type->params; k; k = k->next, n++)
    if (k->sym) {
      print_type(&q, k->type, call_name(k->sym->local), 0);
      print_say(&q, " __attribute__((unused)) = fm__f->fm__a%d; ", n);
    }
  print_temps(&q, a);
  for (Node *s = a->body->a; s != a->entry; s = s->next) {
    print_text(&q, " ");
    print_statement(&q, s);
  }
  print_say(&q, " %s__fm_begin(fm__c, fm__h); }", a->name);
  print_generated(&q);
  p->line = q.line;
}

void print_stored_args(Printer *p, Async *a) {
  int n = 0;
  for (Param *q = a->type->params; q; q = q->next, n++) {
    char field[40];
    char given[32];
    snprintf(field, sizeof field, "fm__f->fm__a%d", n);
    snprintf(given, sizeof given, "fm__p%d", n);
    print_copy(p, q->type, field, q->name ? q->name->name : given);
  }
}

// The type of the small frame, and f__fm_start, which makes it.
static void print_small_start(Printer *p, Async *a) {
  const char *first = has_short_way(a) ? "short" : "begin";
  int n = 0;
  print_note(p,
             "%s begins in a small frame, with its arguments alone: its own "
             "frame is large.",
             a->decl->name->name);
  print_say(p, "typedef struct %s__fm_args {\n  fm_frame fm__h;\n", a->name);
  if (!returns_void(a)) {
    print_type(p, returned(a), "fm__ret", 0);
    print_say(p, ";\n");
  }
  for (Param *q = a->type->params; q; q = q->next) {
    char name[32];
    snprintf(name, sizeof name, "fm__a%d", n++);
    print_type(p, type_unqual(a->u, q->type), name, 0);
    print_say(p, ";\n");
  }
  print_say(p, "} %s__fm_args;\n", a->name);
  print_code_attributes(p, a, false);
  print_say(p,
            "static void %s__fm_%s(fm_domain *, fm_frame *);\nstatic const "
            "fm_code "
            "%s__fm_args_code = ",
            a->name,
            first,
            a->name);
  print_code_of(p, a, first, 1, "args", 0);
  print_note(p, "Starts %s: a frame with its arguments.", a->decl->name->name);
  print_header(p, a, GEN_START);
  print_say(p,
            " {\n  %s__fm_args *fm__f = (%s__fm_args *)fm__frame_new(fm__c, "
            "&%s__fm_args_code);\n",
            a->name,
            a->name,
            a->name);
  print_stored_args(p, a);
  print_say(p, "  return &fm__f->fm__h;\n}\n");
  print_begin(p, a);
  if (has_short_way(a))
    print_short_way(p, a);
}

// Stores a parameter in the new frame.
static void print_stored_param(Printer *p, Async *a, Param *q) {
  Local *k = q->sym->local;
  const char *name = q->name->name;
  if (q->copied) {
    print_say(p,
              "  __builtin_memcpy(fm__f->%s, %s, sizeof fm__f->%s);\n",
              k->name,
              name,
              k->name);
  } else if (k->resident && type_is_vm(k->sym->type)) {
    print_say(p, "  fm__f->%s = %s;\n  ", k->name, name);
    print_vm_declaration(p, k);
    print_say(p, "\n");
  } else {
    const char *field = k->resident ? k->name : slot_name(a, k->slot);
    field = arena_printf(&p->u->arena, "fm__f->%s", field);
    print_copy(p, k->sym->type, field, name);
  }
}

static bool has_field(const Param *q) {
  return q->sym && q->sym->local->slot >= 0;
}

static void print_unused_params(Printer *p, Async *a) {
  int n = 0;
  for (Param *q = a->type->params; q; q = q->next, n++)
    if (!q->name)
      print_say(p, "  (void)fm__p%d;\n", n);
    else if (!has_field(q))
      print_say(p, "  (void)%s;\n", q->name->name);
}

static void print_start_heading(Printer *p, Async *a) {
  // only generated code of this function calls f__fm_full
  bool own = full_start(a) == GEN_FULL;
  if (own)
    print_code_attributes(p, a, false);
  print_note(p,
             own ? "The frame of %s, with its arguments."
                 : "Starts %s: a frame with its arguments; nothing runs yet.",
             a->decl->name->name);
  if (own && !is_internal(a->decl))
    print_say(p, "static __attribute__((unused)) ");
  print_header(p, a, full_start(a));
}

// f__fm_start of a function that has a shape: a call of the shared function
static void print_shared_start(Printer *p, Async *a, const char *shape) {
  print_start_shape(p, shape);
  print_say(p, "__attribute__((cold)) ");
  print_header(p, a, GEN_START);
  print_say(p, " {\n  fm__spills(fm__c, &%s__fm_code);\n", a->name);
  print_say(p, "  return fm__%s__fm_start(fm__c", shape);
  const char *letters = strchr(shape, '_') + 1;
  for (Param *q = a->type->params; q; q = q->next)
    if (has_field(q))
      print_say(p, ", (%s)%s", type_of_letter(*letters++), q->name->name);
  print_say(p, ");\n}\n");
}

void print_start(Printer *p, Async *a) {
  const char *shape = start_shape(a);
  if (shape) {
    print_shared_start(p, a, shape);
    return;
  }
  if (starts_small(a))
    print_small_start(p, a);
  print_start_heading(p, a);
  print_say(p,
            " {\n  %s__fm_frame *fm__f = (%s__fm_frame *)fm__frame_new(fm__c, "
            "&%s__fm_code);\n",
            a->name,
            a->name,
            a->name);
  for (int i = 0; i < a->ngroups; i++)
    print_say(
        p,
        "  __builtin_memset(&fm__f->fm__g%d, 0, sizeof fm__f->fm__g%d);\n",
        i,
        i);
  for (Param *q = a->type->params; q; q = q->next)
    if (has_field(q))
      print_stored_param(p, a, q);
  FOR_EACH (const Local, k, a->locals) {
    if (is_vla(k))
      print_say(p, "  fm__f->%s = 0;\n", k->name);
  }
  print_unused_params(p, a);
  print_say(p, "  return &fm__f->fm__h;\n}\n");
}

// ---- leaving ----
void print_dummy(Printer *p, Async *a) {
  if (returns_void(a)) {
    print_say(p, "return;");
    return;
  }
  if (for_readers(p)) {
    bool scalar = type_is_scalar(canon(returned(a)));
    print_say(p, scalar ? "return " : "return (");
    if (!scalar)
      print_type(p, returned(a), "", 0);
    print_say(p, scalar ? "0;" : ")%s;", type_zero(returned(a)));
    print_end_note(p, "means nothing");
    return;
  }
  print_type(p, returned(a), "fm__dummy", 0);
  print_say(p,
            "; __builtin_memset((void *)&fm__dummy, 0, sizeof fm__dummy); "
            "return fm__dummy;");
}

// Returns the variable that gives the field its type; NULL: the field is a resident, which needs no
// spill.
static Local *spilled(Async *a, int slot) {
  Local *k = slot_first(a, slot);
  return k && !k->resident ? k : NULL;
}

// At the head of the spill: the callee did not pause, but unwinds.
static void print_unwound(Printer *p, Async *a) {
  print_say(p,
            "  if (fm__unwinds(fm__c)) { fm__passes(&%s__fm_code, fm__st & "
            "FM_STATE); ",
            a->name);
  if (a->frame_on_entry) {
    print_vla_frees(p);
    print_say(p, "fm__frame_free(fm__c, &fm__f->fm__h); ");
  }
  print_dummy(p, a);
  print_say(p, " }\n");
}

// f__fm_spill(fm_domain *fm__c, f__fm_frame *fm__f, uint32_t fm__st, the fields); with a shape
// there is no frame yet
static void print_spill_heading(Printer *p, Async *a) {
  Buf name = { 0 };
  Printer q = without_lines(p, &name);
  buf_printf(&name, "%s__fm_spill(fm_domain *fm__c, ", a->name);
  if (!shape_of(a))
    buf_printf(&name, "%s__fm_frame *fm__f, ", a->name);
  buf_printf(&name, "uint32_t fm__st");
  for (int i = 0, n = slot_count(a); i < n; i++) {
    Local *k = spilled(a, i);
    if (!k)
      continue;
    print_text(&q, ", ");
    print_type(&q, type_unqual(a->u, k->sym->type), slot_name(a, i), 0);
  }
  print_text(&q, ")");
  print_code_attributes(p, a, true);
  print_text(p,
             for_readers(p) ? "static FM_COLD "
                            : "static __attribute__((cold, noinline)) ");
  print_type(p, returned(a), name.data, 0);
  buf_free(&name);
}

static void print_spill_end(Printer *p, Async *a) {
  if (for_readers(p)) {
    print_dummy(p, a);
  } else if (!returns_void(a)) {
    print_type(p, returned(a), "fm__dummy", 0);
    print_say(p,
              ";\n  __builtin_memset(&fm__dummy, 0, sizeof fm__dummy);\n  "
              "return fm__dummy;\n");
  }
}

// f__fm_spill of a function that has a shape: a call of the shared function
static void print_shared_spill(Printer *p, Async *a) {
  print_shape(p, a);
  print_spill_heading(p, a);
  print_say(p, " {\n  fm__spills(fm__c, &%s__fm_code);\n  ", a->name);
  if (!returns_void(a)) {
    print_text(p, "return (");
    print_type(p, returned(a), "", 0);
    print_text(p, ")");
  }
  print_say(p, "fm__%s__fm_spill(fm__c, fm__st", shape_of(a));
  const char *letters = strchr(shape_of(a), '_') + 1;
  for (int i = 0, n = slot_count(a); i < n; i++)
    print_say(p, ", (%s)%s", type_of_letter(letters[i]), slot_name(a, i));
  print_say(p, ");\n}\n");
}

void print_spill(Printer *p, Async *a) {
  if (shape_of(a)) {
    print_shared_spill(p, a);
    return;
  }
  print_note(p,
             "%s has been called, and is to leave at the pause `state`: it "
             "makes its frame, stores what it still needs, and returns to a "
             "caller that will do the same.",
             a->decl->name->name);
  print_spill_heading(p, a);
  print_say(p, " {\n");
  print_unwound(p, a);
  print_say(p,
            "  if (!fm__f) fm__f = (%s__fm_frame *)fm__frame_new(fm__c, "
            "&%s__fm_code);\n",
            a->name,
            a->name);
  for (int i = 0, n = slot_count(a); i < n; i++) {
    Local *k = spilled(a, i);
    if (!k)
      continue;
    const char *name = slot_name(a, i);
    const char *field = arena_printf(&a->u->arena, "fm__f->%s", name);
    print_copy(p, k->sym->type, field, name);
  }
  print_say(p, "  fm__stop_fast(fm__c, &fm__f->fm__h, fm__st);\n");
  print_spill_end(p, a);
  print_say(p, "}\n");
}

// Prints the argument for a field that has no value at this pause: zero. With a shape, nobody reads
// it, so it is whatever a register holds, which costs no instruction.
static void print_no_value(Printer *p, Async *a, const Local *first, int n) {
  Type *t = canon(first->sym->type);
  bool any = t->kind == TY_POINTER || type_is_integer(t);
  if (any && shape_of(a)) {
    print_text(p, "(");
    print_type(p, type_unqual(a->u, first->sym->type), "", 0);
    print_say(p, ")fm__any(%d)", n);
  } else if (type_is_scalar(t)) {
    print_text(p, "0");
  } else {
    print_text(p, "(");
    print_type(p, type_unqual(a->u, first->sym->type), "", 0);
    print_text(p, ")");
    print_text(p, type_zero(t));
  }
}

// f__fm_spill(c, frame, state, the variables that are live there)
static void print_spill_call(Printer *p, int state, const char *flag) {
  Async *a = p->async;
  print_say(p, "%s__fm_spill(fm__c, ", a->name);
  if (!shape_of(a))
    print_text(p, a->frame_on_entry ? "fm__f, " : "0, ");
  print_say(p, "%d%s", state, flag);
  int n = slot_count(a);
  for (int i = 0; i < n; i++) {
    Local *first = slot_first(a, i);
    Local *k = slot_owner(a, state, i);
    if (!first || first->resident)
      continue;
    print_text(p, ", ");
    if (k)
      print_text(p, call_name(k));
    else
      print_no_value(p, a, first, state * n + i);
  }
  print_text(p, ")");
}

void print_return_spill(Printer *p, int state, const char *flag) {
  // ISO C has no `return` with an expression in a function that returns void
  bool is_void = returns_void(p->async);
  print_say(p, is_void ? "" : "return ");
  print_spill_call(p, state, flag);
  print_say(p, is_void ? "; return;" : ";");
}
