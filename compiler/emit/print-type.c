// print-type.c: prints types as C declarations. A type is printed as the user wrote it, with its
// typedef names, attributes and expressions. With Printer.spell it is printed for a place where the
// user did not write it: there a typedef name that a body hides is replaced by its type, and a type
// that cannot be written sets Printer.unspeakable.
#include "fmcc.h"

#include <ctype.h>

// The type is written with a declarator: a pointer, an array or a plain function.
static bool derived(Type *t) {
  return t->kind == TY_POINTER || t->kind == TY_ARRAY ||
         (t->kind == TY_FUNC && !t->is_async);
}

static void print_quals(Printer *p, unsigned quals) {
  if (quals & Q_CONST)
    print_text(p, "const ");
  if (quals & Q_VOLATILE)
    print_text(p, "volatile ");
  if (quals & Q_RESTRICT)
    print_text(p, "__restrict ");
  if (quals & Q_ATOMIC)
    print_text(p, "_Atomic ");
}

static bool is_tag_word(TokenKind k) {
  return k == K_STRUCT || k == K_UNION || k == K_ENUM;
}

// Prints `*` for each pointer and array between the type t and the structure g: applied to a
// variable of type t, these operators give a g. Returns false if they do not lead to g.
static bool print_steps(Printer *p, Type *t, const Tag *g) {
  for (t = canon(t); t->kind == TY_POINTER || t->kind == TY_ARRAY;
       t = canon(t->base))
    print_text(p, "*");
  return t->tag == g && !t->quals;
}

static void print_tag(Printer *p, Type *t);

// Prints a structure without a name as the type of a member or a variable: `typeof(…)`. Returns
// false if there is none.
static bool print_by_home(Printer *p, const Tag *g) {
  size_t before = p->out->len;
  Tag *home = g->home;
  bool fits = false;
  print_text(p, "__typeof__(");
  if (home && g->home_member) {
    fits = print_steps(p, g->home_member->type, g);
    while (home && !home->name && !home->emitted && !home->typedef_sym &&
           !home->home_member && home->home)
      home = home->home;
    print_text(p, "((");
    print_tag(p, home->type);
    print_text(p, "*)16)->");
    print_text(p, g->home_member->name->name);
  } else if (g->home_sym && !g->home_sym->shadowed) {
    fits = print_steps(p, g->home_sym->type, g);
    print_text(p, g->home_sym->name->name);
  }
  print_text(p, ")");
  if (fits)
    return true;
  p->out->len = before;
  p->out->data[before] = 0;
  return false;
}

// g is the structure that __builtin_va_list is an array of. It has no name in C.
static bool is_va_list_element(Unit *u, const Tag *g) {
  Type *list = u->va_list_type ? canon(u->va_list_type) : NULL;
  return list && list->base && canon(list->base)->tag == g;
}

static void print_tag_name(Printer *p, Type *t, const char *name) {
  // clang-format off
  static const char *const words[] = {
    [TY_ENUM] = "enum",
    [TY_STRUCT] = "struct",
    [TY_UNION] = "union",
  };
  // clang-format on
  print_text(p, words[t->kind]);
  print_text(p, name);
}

// Prints the name that fmcc gave to the tag. Returns false if it has none, or if the user's name is
// to be shown: in messages and in the witness.
static bool print_emitted_tag(Printer *p, Type *t) {
  Tag *g = t->tag;
  bool has_own_name = g->name || g->typedef_sym;
  if (!g->emitted || ((p->user || p->erased) && has_own_name))
    return false;
  p->unspeakable |= p->erased;
  print_tag_name(p, t, g->emitted);
  return true;
}

static void print_tag(Printer *p, Type *t) {
  Tag *g = t->tag;
  if (!p->user && is_va_list_element(p->u, g)) {
    print_text(p, "__typeof__((*(__builtin_va_list *)0)[0])");
    return;
  }
  if (print_emitted_tag(p, t))
    return;
  if (!g->name && g->typedef_sym && !(p->spell && g->typedef_sym->shadowed)) {
    print_text(p, g->typedef_sym->name->name);
    return;
  }
  if (!g->name && !p->user && print_by_home(p, g))
    return;
  if (!g->name || (p->spell && g->shadowed))
    p->unspeakable = true;
  print_tag_name(p, t, g->name ? g->name->name : "<unnamed>");
}

static void print_vector(Printer *p, Type *t) {
  int64_t size = type_size(p->u, t->base);
  int64_t bytes = size * t->len;
  char text[80];
  bool odd = size <= 0 || t->len <= 0 || (bytes & (bytes - 1));
  if (odd)
    snprintf(text,
             sizeof text,
             "__attribute__((ext_vector_type(%lld))) ",
             (long long)t->len);
  else
    snprintf(text,
             sizeof text,
             "__attribute__((vector_size(%lld))) ",
             (long long)bytes);
  if (odd && !p->u->opt.clang)
    p->unspeakable = true;
  print_text(p, text);
  print_type(p, t->base, "", 0);
}

static void print_typeof(Printer *p, Type *t) {
  bool outer = p->unevaluated;
  p->unevaluated = true;
  print_text(p, "__typeof__(");
  if (t->operand)
    print_type_name(p, t->operand);
  else
    print_expr(p, t->len_expr, L_COMMA);
  print_text(p, ")");
  p->unevaluated = outer;
}

static void print_detached_typeof(Printer *p, Type *t) {
  bool outer = p->detached;
  p->detached = true;
  print_typeof(p, t);
  p->detached = outer;
}

static void print_bitint(Printer *p, Type *t) {
  char text[48];
  snprintf(text,
           sizeof text,
           "%s_BitInt(%d)",
           t->kind == TY_UBITINT ? "unsigned " : "",
           t->bits);
  print_text(p, text);
}

static void print_task(Printer *p, Type *t) {
  static const char *const words[] = { "task(", "job(", "fm_completion(" };
  static const char *const names[] = { "fm_task", "fm_job", "fm_completion" };
  print_text(p, p->user ? words[t->kind - TY_TASK] : names[t->kind - TY_TASK]);
  if (!p->user)
    return;
  print_type(p, t->base, "", 0);
  print_text(p, ")");
  print_text(p, throws_text(p->u, t->throws));
}

static void print_params(Printer *p, Type *f);

// The type of an async function is in C that of its descriptor.
static void print_async_type(Printer *p, Type *t) {
  p->unspeakable |= p->erased;
  print_text(p, p->user ? "async " : "const fm_fn");
  if (!p->user)
    return;
  print_type(p, t->base, "", 0);
  print_params(p, t);
}

// The name of the type cannot be used here; the type that it names is printed.
static bool looked_through(Printer *p, Type *t) {
  return p->spell &&
         (t->kind == TY_TYPEOF || (t->kind == TY_TYPEDEF && t->sym->shadowed));
}

static bool tag_has_name(const Tag *g) {
  if (g->name || g->emitted || g->typedef_sym || g->home_sym)
    return true;
  return g->home_member && tag_has_name(g->home);
}

// The type can be written outside of the body, too.
static bool has_name(Type *t) {
  for (; t->kind == TY_POINTER || t->kind == TY_ARRAY; t = canon(t->base)) {
  }
  // the types of all descriptors are fm_fn
  if (t->kind == TY_FUNC && t->is_async)
    return true;
  for (Param *p = t->kind == TY_FUNC ? t->params : NULL; p; p = p->next)
    if (!has_name(canon(p->type)))
      return false;
  if (t->kind == TY_FUNC)
    return has_name(canon(t->base));
  return t->kind != TY_VECTOR && (!t->tag || tag_has_name(t->tag));
}

// Prints `typeof (x)` of an async function by its type, because x is not known where the type is
// hoisted to, nor in the frame, nor at the head of a plain function with temporaries. Returns false
// for other types. (A variably modified type is not hoisted.)
static bool print_typed(Printer *p, Type *t) {
  Type *c = canon(t);
  bool inner = derived(c); // a declarator may follow
  bool known = !t->hoisted && !p->at_head;
  if (t->kind != TY_TYPEOF || !t->len_expr || known || p->user || p->erased ||
      type_is_vm(c) || c->kind == TY_ERROR)
    return false;
  print_quals(p, t->quals);
  if (!has_name(c)) {
    print_detached_typeof(p, t);
    return true;
  }
  if (inner)
    print_text(p, "__typeof__(");
  print_type(p, t->base, "", 0);
  if (inner)
    print_text(p, ")");
  return true;
}

static void print_typedef(Printer *p, Type *t) {
  bool ours = t->sym->emitted && !p->user && !p->erased;
  print_text(p, ours ? t->sym->emitted : t->sym->name->name);
}

static void print_complex(Printer *p, Type *t) {
  print_text(p, "_Complex ");
  print_type(p, t->base, "", 0);
}

static void print_unknown(Printer *p, Type *t) {
  p->unspeakable = true;
  print_text(p, scalar_names[t->kind]);
}

// The functions for types that are not derived. Others have their text in scalar_names.
// clang-format off
static void (*const base_printers[])(Printer *, Type *) = {
  [TY_BITINT] = print_bitint,
  [TY_COMPLETION] = print_task,
  [TY_COMPLEX] = print_complex,
  [TY_ENUM] = print_tag,
  [TY_ERROR] = print_unknown,
  [TY_FUNC] = print_async_type,
  [TY_JOB] = print_task,
  [TY_STRUCT] = print_tag,
  [TY_TASK] = print_task,
  [TY_TYPEDEF] = print_typedef,
  [TY_TYPEOF] = print_typeof,
  [TY_UBITINT] = print_bitint,
  [TY_UNION] = print_tag,
  [TY_VECTOR] = print_vector,
};
// clang-format on
enum { BASE_PRINTERS = COUNT(base_printers) };

// Prints a derived type inside typeof, because a declarator may follow.
static void print_looked_through(Printer *p, Type *t) {
  bool inner = derived(t);
  if (inner)
    print_text(p, "__typeof__(");
  print_type(p, t, "", 0);
  if (inner)
    print_text(p, ")");
}

// Prints a type that is not derived.
static void print_base(Printer *p, Type *t) {
  if (!p->spell && print_typed(p, t))
    return;
  if (looked_through(p, t)) {
    print_looked_through(p, canon(t));
    return;
  }
  print_quals(p, t->quals);
  if (t->kind < BASE_PRINTERS && base_printers[t->kind])
    base_printers[t->kind](p, t);
  else
    print_text(p, scalar_names[t->kind]);
}

// ---- derived types: the text before the name, and after it ----
// The pointer points to an array or function, so it needs parentheses.
static bool wraps(Type *t, Type *stop) {
  return t->base != stop && t->base->kind != TY_POINTER && derived(t->base);
}

static void print_before(Printer *p, Type *t, Type *stop) {
  if (t == stop || !derived(t))
    return;
  print_before(p, t->base, stop);
  if (t->kind != TY_POINTER)
    return;
  char last = p->out->len ? p->out->data[p->out->len - 1] : ' ';
  if (isalnum((unsigned char)last) || last == '_' || last == ')')
    buf_putc(p->out, ' ');
  if (wraps(t, stop)) {
    print_text(p, "(");
    if (!p->spell)
      print_range(p, t->paren_attrs);
  }
  print_text(p, "*");
  if (!p->spell)
    print_range(p, t->attrs);
  print_quals(p, t->quals);
}

static void print_array(Printer *p, Type *t) {
  print_text(p, "[");
  if (t->is_static)
    print_text(p, "static ");
  print_quals(p, t->array_quals);
  // the length may use names that are not visible here
  if (p->spell && t->vla)
    p->unspeakable = true;
  if (t->star)
    print_text(p, "*");
  else if (t->len_expr && (t->vla || t->len < 0))
    print_expr(p, t->len_expr, L_ASSIGN);
  // in a frame, names of the body are not known
  else if (t->len_expr && !p->spell && !p->async)
    print_expr(p, t->len_expr, L_ASSIGN);
  else if (!t->incomplete && t->len >= 0) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)t->len);
    print_text(p, text);
  }
  print_text(p, "]");
}

static void print_param(Printer *p, Type *f, Param *a) {
  bool written = a->range.from < a->range.to && !p->spell;
  if (f->oldstyle && p->spell)
    return;
  if (f->oldstyle)
    print_text(p, a->name->name);
  else if (written)
    print_range(p, a->range);
  else
    print_type(p, a->type, "", 0);
}

static void print_params(Printer *p, Type *f) {
  bool ellipsis = f->variadic && !f->oldstyle;
  bool named = !(f->oldstyle && p->spell);
  print_text(p, "(");
  for (Param *a = f->params; a; a = a->next) {
    print_param(p, f, a);
    if ((a->next && named) || ellipsis)
      print_text(p, ", ");
  }
  if (ellipsis)
    print_text(p, "...");
  if (!f->params && !f->oldstyle && !f->variadic)
    print_text(p, "void");
  print_text(p, ")");
}

static void print_after(Printer *p, Type *t, Type *stop) {
  for (; t != stop && derived(t); t = t->base) {
    if (t->kind == TY_ARRAY)
      print_array(p, t);
    else if (t->kind == TY_FUNC)
      print_params(p, t);
    else if (wraps(t, stop))
      print_text(p, ")");
  }
}

// `x [[…]] [2]`
static void print_name_attributes(Printer *p, TokIndex t) {
  while (kind_at(p->u, t) == P_LBRACKET && kind_at(p->u, t + 1) == P_LBRACKET) {
    TokIndex after = skip_balanced(p->u, t);
    print_range(p, (Range){ t, after });
    t = after;
  }
}

void print_declarator(
    Printer *p, Type *t, Type *stop, const char *name, TokIndex tok) {
  print_before(p, t, stop);
  if (tok)
    print_sync(p, tok);
  print_text(p, name);
  if (tok)
    print_name_attributes(p, tok + 1);
  print_after(p, t, stop);
}

void print_type(Printer *p, Type *t, const char *name, TokIndex tok) {
  if (looked_through(p, t))
    t = canon(t);
  Type *base = t;
  while (derived(base))
    base = base->base;
  print_base(p, base);
  print_declarator(p, t, base, name, tok);
}

void print_type_name(Printer *p, TypeName *n) {
  if (n->verbatim && !(n->defines && p->async))
    print_range(p, n->range);
  else
    print_type(p, n->type, "", 0);
}

void print_attributes(Printer *p, Range r) {
  for (TokIndex t = r.from; t < r.to; t++) {
    if (kind_at(p->u, t) != K_ATTRIBUTE)
      continue;
    print_range(p, (Range){ t, skip_balanced(p->u, t + 1) });
    print_text(p, " ");
  }
}

// Prints the attributes of the variables: those before the tag, and an alignment. Attributes after
// the tag belong to the type, which is defined elsewhere.
static void print_own_attributes(Printer *p, Specs *s) {
  Range before = { s->range.from, s->range.from };
  while (before.to < s->range.to && !is_tag_word(kind_at(p->u, before.to)))
    before.to++;
  print_attributes(p, before);
  if (!s->attr_align)
    return;
  char text[64];
  snprintf(text, sizeof text, "__attribute__((aligned(%u))) ", s->attr_align);
  print_text(p, text);
}

void print_specs(Printer *p, Specs *s) {
  // clang-format off
  static const char *const storage[] = {
    [ST_NONE] = "",
    [ST_TYPEDEF] = "typedef ",
    [ST_EXTERN] = "extern ",
    [ST_STATIC] = "static ",
    [ST_AUTO] = "auto ",
    [ST_REGISTER] = "register ",
  };
  // clang-format on
  if (s->verbatim && !s->is_async && !(s->defines && p->async)) {
    print_range(p, s->range);
    return;
  }
  if (s->is_async)
    print_attributes(p, s->range);
  else if (s->defines)
    print_own_attributes(p, s);
  if (s->extension)
    print_text(p, "__extension__ ");
  print_text(p, storage[s->storage]);
  if (s->thread_local_)
    print_text(p, "__thread ");
  if (s->is_inline)
    print_text(p, "__inline__ ");
  if (s->is_noreturn && !s->is_async)
    print_text(p, "_Noreturn ");
  if (s->is_async)
    print_text(p, "const fm_fn ");
  else if (s->auto_type)
    print_text(p, "__auto_type ");
  else
    print_type(p, s->base, "", 0);
}
