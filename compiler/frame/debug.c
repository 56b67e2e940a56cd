// debug.c: makes the variables of async functions visible to debuggers. In: functions whose states
// and fields are known. Out: the names of variables in the resume version (always), and with -g two
// kinds of declarations:
//
//     struct f__fm_names   a type whose members are names and take no memory: for each variable
//                          where it is kept, in which lines it is declared, and at which states
//                          its field holds its value. tools/fermata-gdb.py reads it.
//     f__fm_at_x, x        a pointer to a resident, by the user's name, at the head of each
//                          version. There it has a value whatever the code jumps over.
//
// With -g, pauses also keep all variables that the user can see there. If the C compiler optimises,
// there are neither such pauses nor pointers: pointers would change the code, because addresses
// would be known earlier.
#include "fmcc.h"

#include <stdlib.h>

bool for_debugging(const Unit *u) {
  return u->opt.debug && !u->opt.optimise;
}

// The user declared the variable.
static bool is_users(const Local *k) {
  return !k->temp && !k->literal;
}

static bool same_name(const Local *x, const Local *y) {
  return x->sym->name == y->sym->name && is_users(x) && is_users(y);
}

// The token stands in the scope of the variable.
static bool inside(const Local *k, TokIndex t) {
  return t >= k->scope_from && t < k->scope_to;
}

// The name of k means another variable at t.
static bool hidden_there(Async *a, const Local *k, TokIndex t) {
  FOR_EACH (Local, o, a->locals) {
    if (o != k && same_name(k, o) && inside(o, t) &&
        o->scope_from >= k->scope_from)
      return true;
  }
  return false;
}

// Returns the parameter that k is; NULL: it is none.
static Param *param_of(Async *a, const Local *k) {
  Param *q = a->type->params;
  while (q && q->sym != k->sym)
    q = q->next;
  return q;
}

// ---- variables that pauses keep for the user ----
// A variable that is not needed any more is lost at a pause. A user who debugs still wants to see
// it, if it surely has a value. The walk goes through the lowered body, in which declarations stand
// where the C compiler will see them.
typedef struct Seen {
  Async *a;
  Vec stack; // Local *: the variables that are declared where the walk is
} Seen;

// Adds the variables that are visible to State.live. State 0: a call in an atomic, which is no
// pause.
static void seen_at(Seen *w, int64_t state) {
  if (!state)
    return;
  State *s = &w->a->states[state];
  for (size_t i = 0; i < w->stack.len && s->live; i++) {
    Local *k = w->stack.at[i];
    if (k->begins && !k->covered && !k->resident)
      s->live[k->index / 64] |= (uint64_t)1 << k->index % 64;
  }
}

// Sets Local.covered of the variable that the one at i hides.
static void cover(Seen *w, size_t i, bool covered) {
  for (size_t j = i; j-- > 0;) {
    Local *k = w->stack.at[j];
    if (!same_name(k, w->stack.at[i]))
      continue;
    k->covered = covered;
    return;
  }
}

static void push(Seen *w, Symbol *s) {
  // no pause keeps a va_list
  if (s && is_va_list(w->a->u, s->type))
    return;
  if (!s || !s->local)
    return;
  vec_push(&w->stack, s->local);
  cover(w, w->stack.len - 1, true);
}

// Forgets all variables but the first n.
static void pop(Seen *w, size_t n) {
  while (w->stack.len > n) {
    cover(w, w->stack.len - 1, false);
    w->stack.len--;
  }
}

static void see(Seen *w, Node *s);

// Walks over a list of statements, and forgets the variables that they declare.
static void see_block(Seen *w, Node *s) {
  size_t n = w->stack.len;
  for (; s; s = s->next)
    see(w, s);
  pop(w, n);
}

// Walks over a branch or body, and forgets the variables that it declares.
static void see_alone(Seen *w, Node *s) {
  size_t n = w->stack.len;
  if (s)
    see(w, s);
  pop(w, n);
}

static void see_inside(Seen *w, Node *s) {
  Children parts = children(s, PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    see_alone(w, k);
}

static void see(Seen *w, Node *s) {
  size_t n = w->stack.len;
  switch (s->kind) {
  case N_COMPOUND:
    see_block(w, s->a);
    break;
  case N_DECL:
    for (Decl *d = s->decl; d; d = d->next)
      push(w, d->sym);
    break;
  case N_FOR:
    if (s->a)
      see(w, s->a);
    see_alone(w, s->d);
    pop(w, n);
    break;
  // the next statements see a declaration after a label
  case N_CASE:
  case N_DEFAULT:
  case N_LABEL:
    if (s->c)
      see(w, s->c);
    break;
  case N_PAUSE:
    seen_at(w, s->val);
    if (has_second_state(s))
      seen_at(w, s->val + 1);
    break;
  case N_YIELD:
  case N_AUTO:
  case N_TAIL:
    seen_at(w, s->val);
    break;
  default:
    see_inside(w, s);
    break;
  }
}

void keep_visible(Async *a) {
  Seen w = { .a = a };
  if (!for_debugging(a->u))
    return;
  for (Param *q = a->type->params; q; q = q->next)
    if (q->sym && q->sym->local) {
      q->sym->local->begins = true;
      push(&w, q->sym);
    }
  see(&w, a->body);
  vec_free(&w.stack);
}

// ---- names ----
// The resume version declares all variables in one block. A variable may keep its name there if the
// name means nothing else in the function: it is the only one of its name, or it has the same type
// as those of that name in other blocks. Then they become one variable.

// The identifier at t is not that of a member or tag.
static bool names_a_variable(Unit *u, TokIndex t) {
  TokenKind before = kind_at(u, t - 1);
  return before != P_DOT && before != P_ARROW && before != K_STRUCT &&
         before != K_UNION && before != K_ENUM;
}

// The variable hides a type or a constant, which may be printed where the user did not write it.
static bool hides_a_type(Async *a, const Local *k) {
  Symbol *o = k->sym->outer;
  while (o && o->local && o->local->owner == a)
    o = o->outer;
  return o && o->kind != S_VAR && o->kind != S_FUNC && o->kind != S_BUILTIN;
}

static bool same_type(Unit *u, Type *x, Type *y) {
  x = type_unqual(u, x);
  y = type_unqual(u, y);
  return type_compatible(u, x, y) &&
         strcmp(type_spelled(u, x), type_spelled(u, y)) == 0;
}

// The variables of one name, in the order of their declarations: each begins where the one before
// does, or later.
typedef struct Group {
  const Ident *name;
  Vec locals; // Local *
  // while find_other_meanings() walks: how many of them begin before the token, and the end of
  // their scopes
  size_t seen;
  TokIndex covered;
  bool otherwise; // somewhere the name means something else
  // the first that has the name in the resume version; NULL: none has
  Local *kept;
  TokIndex kept_to; // the end of the scopes of those that have the name
  // one of them is declared at the head of the function
  bool declared;
} Group;
typedef struct Groups {
  Group *at;
  size_t len;
} Groups;

static int by_name(const void *x, const void *y) {
  const Ident *a = ((const Group *)x)->name;
  const Ident *b = ((const Group *)y)->name;
  return a < b ? -1 : a > b;
}

static Group *group_of(const Groups *g, const Ident *name) {
  return bsearch(
      &(Group){ .name = name }, g->at, g->len, sizeof *g->at, by_name);
}

// Puts the user's variables into groups, sorted by name.
static void make_groups(Async *a, Groups *g) {
  size_t n = 0;
  g->at = arena_alloc(&a->u->arena, (a->locals.len + 1) * sizeof *g->at);
  FOR_EACH (Local, k, a->locals) {
    if (is_users(k))
      g->at[g->len++].name = k->sym->name;
  }
  qsort(g->at, g->len, sizeof *g->at, by_name);
  for (size_t i = 0; i < g->len; i++)
    if (n == 0 || g->at[n - 1].name != g->at[i].name)
      g->at[n++] = g->at[i];
  g->len = n;
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    if (is_users(k))
      vec_push(&group_of(g, k->sym->name)->locals, k);
  }
}

// Sets Group.otherwise of each name that means something else at some token of the text.
static void find_other_meanings(Async *a, Groups *g, Range text) {
  for (TokIndex t = text.from; t < text.to; t++) {
    Ident *id = tok_at(a->u, t)->id;
    Group *k = id && names_a_variable(a->u, t) ? group_of(g, id) : NULL;
    if (!k)
      continue;
    for (; k->seen < k->locals.len; k->seen++) {
      Local *o = k->locals.at[k->seen];
      if (o->scope_from > t)
        break;
      if (o->scope_to > k->covered)
        k->covered = o->scope_to;
    }
    k->otherwise |= t >= k->covered;
  }
}

// k can be one variable with those of its group that have the name already.
static bool can_join(Async *a, const Group *g, const Local *k) {
  // with one body, only variables that share no field (worth_sharing() in fields.c) can be one:
  // their fields all get the same value
  enum { SMALL = 16 };
  int64_t size = type_size(a->u, k->sym->type);
  if (a->one_body && (size <= 0 || size > SMALL))
    return false;
  if (k->resident || g->kept->resident || k->scope_from < g->kept_to)
    return false;
  return same_type(a->u, k->sym->type, g->kept->sym->type);
}

// new_local() may have given the name to another variable.
static bool looks_numbered(const char *name) {
  return strstr(name, "__") != NULL;
}

static bool may_keep_name(Async *a, const Group *g, Local *k) {
  const char *name = k->sym->name->name;
  if (k->hides || k->hidden || k->scope_to <= k->scope_from ||
      hides_a_type(a, k))
    return false;
  if (strncmp(name, "fm_", 3) == 0 || looks_numbered(name) || g->otherwise)
    return false;
  return !g->kept || can_join(a, g, k);
}

static void name_group(Async *a, Group *g) {
  FOR_EACH (Local, k, g->locals) {
    bool has = k->name == k->sym->name->name;
    if (!has && !may_keep_name(a, g, k))
      continue;
    k->name = k->sym->name->name;
    k->again = g->declared;
    g->declared |= !k->placed;
    if (!g->kept)
      g->kept = k;
    if (k->scope_to > g->kept_to)
      g->kept_to = k->scope_to;
  }
}

void name_locals(Async *a, Range text) {
  Groups g = { 0 };
  if (text.from >= text.to)
    return;
  make_groups(a, &g);
  find_other_meanings(a, &g, text);
  for (size_t i = 0; i < g.len; i++) {
    name_group(a, &g.at[i]);
    vec_free(&g.at[i].locals);
  }
}

// ---- f__fm_names ----
// A variable is the member `char fm__v_KIND_NUMBER_FROM_TO_STATES_NAME[0];`, a parameter is
// fm__p_…. For an array of variable length, the type of the member is a pointer to an element.
//     KIND     r: in the frame under its own name; vNd4d: the same, an array of variable length,
//              N by 4; s3: in field fm__s3; n: in no field
//     NUMBER   in the frame and in the resume version the variable is called NAME__NUMBER; with an
//              x before: NAME
//     FROM TO  the lines of its scope
//     STATES   at which its field has its value: 1t4x7 is 1 to 4, and 7

static void print_kind(Printer *p, const Local *k) {
  if (!k->resident) {
    print_say(p, k->slot >= 0 ? "s%d" : "n", k->slot);
    return;
  }
  Type *t = canon(k->sym->type);
  bool vla = is_vla(k);
  print_say(p, vla ? "v" : "r");
  for (; vla && t->kind == TY_ARRAY; t = canon(t->base)) {
    if (t->vla)
      print_say(p, "Nd");
    else
      print_say(p, "%lldd", (long long)t->len);
  }
}

static void print_states(Printer *p, Async *a, const Local *k) {
  bool any = false;
  for (int i = 0, to; i < a->nstates && !k->resident && k->slot >= 0;
       i = to + 1) {
    for (to = i; to < a->nstates && live_at(&a->states[to], k); to++) {
    }
    if (to == i)
      continue;
    print_say(p, "%s%d", any ? "x" : "", i);
    if (to > i + 1)
      print_say(p, "t%d", to - 1);
    any = true;
  }
}

// Returns the type of the elements of a variable array; void: it cannot be written here.
static Type *element(Unit *u, const Local *k) {
  Type *t = canon(k->sym->type);
  while (t->kind == TY_ARRAY)
    t = canon(t->base);
  return type_is_vm(t) ? type_scalar(u, TY_VOID) : t;
}

// Prints the type of the member.
static void print_element(Printer *p, Async *a, const Local *k) {
  print_say(p, is_vla(k) ? "  __typeof__(" : "  char ");
  if (!is_vla(k))
    return;
  print_type(p, type_pointer(a->u, element(a->u, k)), "", 0);
  print_say(p, ") ");
}

static bool has_a_name(const Local *k) {
  return is_users(k) && k->scope_to > k->scope_from;
}

void print_names(Printer *p, Async *a) {
  if (!a->u->opt.debug)
    return;
  print_say(p, "struct %s__fm_names {\n", a->name);
  FOR_EACH (Local, k, a->locals) {
    if (!has_a_name(k))
      continue;
    print_element(p, a, k);
    print_say(p, param_of(a, k) ? "fm__p_" : "fm__v_");
    print_kind(p, k);
    print_say(p,
              "_%s%d_",
              strcmp(k->name, k->sym->name->name) == 0 ? "x" : "",
              k->index);
    print_say(p,
              "%u_%u_",
              tok_at(a->u, k->sym->tok)->line,
              tok_at(a->u, k->scope_to - 1)->line);
    print_states(p, a, k);
    print_say(p, "_%s[0];\n", k->sym->name->name);
  }
  print_say(p, "};\n");
}

// ---- pointers ----
// The variable gets a pointer. Variables of the library's macros get none, because all of one name
// share a field.
static bool pointed_at(const Local *k) {
  return k->resident && has_a_name(k) && strncmp(k->name, "fm__", 4) != 0;
}

static void print_pointer_type(Printer *p, Async *a, Local *k) {
  const char *name =
      arena_printf(&a->u->arena, "%s__fm_at_%s", a->name, k->name);
  Type *t = canon(k->sym->type);
  print_say(p, "typedef ");
  if (is_vla(k)) {
    print_type(p, type_pointer(a->u, element(a->u, k)), name, 0);
  } else {
    print_say(p,
              "__typeof__(&((%s__fm_frame *)0)->%s%s) %s",
              a->name,
              k->name,
              t->kind == TY_ARRAY && !type_is_vm(t) ? "[0]" : "",
              name);
  }
  print_say(p, ";\n");
}

void print_pointer_types(Printer *p, Async *a) {
  for (size_t i = 0; i < a->locals.len && for_debugging(a->u); i++)
    if (pointed_at(a->locals.at[i]))
      print_pointer_type(p, a, a->locals.at[i]);
}

bool moves_to_frame(Printer *p, Param *q) {
  Async *a = p->async;
  if (!a || !for_debugging(a->u) || p->version != V_CALL || !q->sym ||
      !q->sym->local || !pointed_at(q->sym->local))
    return false;
  // the length of another parameter may name this one
  for (Param *o = a->type->params; o; o = o->next)
    if (type_is_vm(o->written ? o->written : o->type))
      return false;
  return true;
}

// The call version has declarations of the user as well, which must not hide the pointer:
// -Wshadow would warn of it.
static bool name_in_use(Printer *p, const Local *k) {
  Async *a = p->async;
  Param *q = param_of(a, k);
  if (p->version != V_CALL)
    return false;
  if (q)
    return !moves_to_frame(p, q);
  FOR_EACH (Local, o, a->locals) {
    if (o != k && !o->resident && same_name(k, o))
      return true;
  }
  return false;
}

static const char *pointer_name(Printer *p, const Local *k) {
  bool numbered = strcmp(k->name, k->sym->name->name) != 0;
  return numbered || !name_in_use(p, k) ? k->name
                                        : unused_name(p->u, k->name, k->index);
}

static void print_pointer(
    Printer *p, Async *of, const Local *k, const char *name, const char *path) {
  bool array = canon(k->sym->type)->kind == TY_ARRAY;
  print_say(p,
            "%s__fm_at_%s %s __attribute__((unused)) = %s%s%s%s; ",
            of->name,
            k->name,
            name,
            is_vla(k) ? "" : "&",
            path,
            k->name,
            array && !is_vla(k) ? "[0]" : "");
}

// A variable of the functions from `from` out to `to`, without `to`, has the name of k.
static bool named_below(Async *from, Async *to, const Local *k) {
  for (Async *a = from; a != to; a = a->up)
    FOR_EACH (Local, o, a->locals) {
      if (same_name(k, o) || strcmp(o->name, k->sym->name->name) == 0)
        return true;
    }
  return false;
}

// Prints pointers to the variables of the functions around the body of an activate.
static void print_outer_pointers(Printer *p, Async *a) {
  Buf path = { 0 };
  buf_puts(&path, "fm__f->");
  for (Async *of = a->up; of; of = of->up) {
    buf_puts(&path, "fm__up->");
    FOR_EACH (Local, k, of->locals) {
      if (pointed_at(k) && k->captured && inside(k, a->decl->tok) &&
          !hidden_there(of, k, a->decl->tok) && !named_below(a, of, k))
        print_pointer(p, of, k, k->sym->name->name, path.data);
    }
  }
  buf_free(&path);
}

void print_pointers(Printer *p, Async *a) {
  bool quiet = p->quiet;
  if (!for_debugging(a->u))
    return;
  p->quiet = true;
  print_sync(p, a->decl->tok);
  FOR_EACH (Local, k, a->locals) {
    if (pointed_at(k))
      print_pointer(p, a, k, pointer_name(p, k), "fm__f->");
  }
  print_outer_pointers(p, a);
  p->quiet = quiet;
}

void print_pointer_again(Printer *p, Local *k) {
  if (for_debugging(p->u) && pointed_at(k) &&
      (p->version == V_CALL || p->version == V_RESUME))
    print_say(p, " %s = fm__f->%s;", pointer_name(p, k), k->name);
}
