// hoist.c: moves types, enumerators, typedefs and static objects from the body of an async function
// to file scope, because all versions of the function and its frame need them. In: declarations of
// a body, while it is parsed. Out: the same declarations, in their order, before the frame, on the
// user's lines.
//
// They get names that nothing else has. The function's automatic variables do not exist at file
// scope; hoisted text can only use their types (sizeof, typeof, _Alignof, _Generic …). So the name
// of such a variable is replaced by an lvalue of its type, which nothing evaluates:
//
//     char a[12]; enum { N = sizeof a };       enum { N__fm_f1 = sizeof (*(char (*)[12])16) };
//
// Parameters of prototypes in the body are treated in the same way, because their lengths are never
// evaluated either.
#include "fmcc.h"

// ---- detaching: names of automatic variables become lvalues of their types ----
static bool is_automatic(const Symbol *s) {
  return s && s->kind == S_VAR && s->depth > 0 && s->storage != ST_STATIC &&
         s->storage != ST_EXTERN;
}

void note_mention(Unit *u, Node *e) {
  if (u->body->async && is_automatic(e->sym))
    vec_push(&u->body->whole->mentions, e);
}

bool print_detached(Printer *p, const Symbol *s) {
  if (!p->detached || !is_automatic(s))
    return false;
  print_text(p, "(*(");
  print_type(p, type_pointer(p->u, type_fixed(p->u, s->type)), "", 0);
  // not 0: clang warns of that, in the length of a parameter
  print_text(p, ")16)");
  return true;
}

// Returns the text that replaces the name of the variable.
static const char *detached_text(Unit *u, const Symbol *s) {
  Buf b = { 0 };
  Printer p = text_printer(u, &b);
  p.async = u->body->async;
  p.detached = true;
  print_detached(&p, s);
  return take_text(u, &b);
}

void detach(Unit *u, size_t mark, TokIndex from) {
  for (size_t i = mark; i < u->body->whole->mentions.len; i++) {
    Node *e = u->body->whole->mentions.at[i];
    // a variable that this text itself declares
    if (e->sym->tok >= from || canon(e->sym->type)->kind == TY_ERROR)
      continue;
    if (e->sym->local)
      e->sym->local->mentioned = true;
    edit(u, (Range){ e->tok, e->tok + 1 }, detached_text(u, e->sym));
  }
  u->body->whole->mentions.len = mark;
}

// ---- while the body is parsed ----
const char *hoisted_name(Unit *u, const Ident *name) {
  return arena_printf(&u->arena,
                      "%s__fm_%s%d",
                      name ? name->name : "",
                      u->body->async->name,
                      ++u->body->async->nhoisted);
}

static void hoist(Unit *u, Hoisted h) {
  Hoisted *k = NEW(&u->arena, Hoisted);
  *k = h;
  vec_push(&u->body->async->hoisted, k);
}

void hoist_tag(Unit *u, size_t mark, Range definition) {
  // a tag inside the definition of another is hoisted with that
  if (!u->body->async || u->record_depth)
    return;
  detach(u, mark, definition.from);
  hoist(u, (Hoisted){ .range = definition });
}

void hoist_decl(Unit *u, Decl *d) {
  d->sym->emitted = hoisted_name(u, d->name);
  edit(u, (Range){ d->tok, d->tok + 1 }, d->sym->emitted);
  if (type_is_vm(d->type))
    error_at(u,
             d->tok,
             "fmcc cannot keep a variably modified type in an async function: "
             "declare the variable with the type itself, or allocate it");
  hoist(u, (Hoisted){ .decl = d });
}

// ---- at file scope ----
// `async struct s { … } f(void);` becomes several declarations, so the type is defined before them.
void name_definition(Unit *u, const Specs *s, const Ident *declared) {
  Tag *g = s->definition.from < s->definition.to ? canon(s->base)->tag : NULL;
  if (!g || g->name || g->emitted)
    return;
  g->emitted =
      arena_printf(&u->arena, "%s__fm_type", declared ? declared->name : "");
  write_tag(u, g, g->name_at);
}

void print_definition(Printer *p, const Specs *s) {
  if (s->definition.from == s->definition.to)
    return;
  print_range(p, s->definition);
  print_text(p, ";");
}

static void print_object(Printer *p, Decl *d) {
  print_specs(p, d->specs);
  print_text(p, " ");
  print_declarator(p, d->written, d->specs->base, d->sym->emitted, 0);
  print_text(p, " ");
  print_range(p, d->post);
  if (!d->init)
    return;
  print_text(p, "= ");
  print_initializer(p, d->init);
}

void print_hoisted(Printer *p, Async *a) {
  p->detached = true;
  FOR_EACH (Hoisted, h, a->hoisted) {
    // the C compiler's messages about it are about the user's line
    print_lost(p);
    print_sync(p, h->decl ? h->decl->tok : h->range.from);
    if (h->decl)
      print_object(p, h->decl);
    else
      print_range(p, h->range);
    print_text(p, ";");
  }
  p->detached = false;
  print_generated(p);
}
