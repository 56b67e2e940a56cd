// record.c: struct, union and enum specifiers.
//
//     record = ("struct" | "union") [ attributes ] [ tag ]
//              [ "{" { member-declaration } "}" [ attributes ] ]
//     enum   = "enum" [ attributes ] [ tag ] [ ":" type ]
//              [ "{" name [ "=" constant ] { "," … } "}" [ attributes ] ]
#include "fmcc.h"

// ---- tags ----
// A nameless structure without a declarator. Its members belong to the structure around it, so it
// must stay nameless.
static bool is_anonymous_member(Unit *u, TypeKind kind) {
  if (!u->record_depth || kind == TY_ENUM || cur(u) != P_LBRACE)
    return false;
  TokIndex back = u->p;
  u->p = skip_balanced(u, back);
  for (TokIndex at = 0; at != u->p;) {
    at = u->p;
    skip_attributes(u);
    while (cur(u) == K_CONST || cur(u) == K_VOLATILE || cur(u) == K_ATOMIC)
      u->p++;
  }
  bool anonymous = cur(u) == P_SEMI || cur(u) == P_RBRACE;
  u->p = back;
  return anonymous;
}

static Tag *new_tag(Unit *u, TypeKind kind, Ident *name, TokIndex tok) {
  Tag *g = NEW(&u->arena, Tag);
  g->kind = (uint8_t)kind;
  g->name = name;
  g->tok = tok;
  g->local = u->scope_depth > 0;
  g->type = type_new(u, kind, NULL);
  g->type->tag = g;
  if (name)
    declare_tag(u, name, g, tok);
  if (!u->body->async || (!name && is_anonymous_member(u, kind)))
    return g;
  g->emitted = hoisted_name(u, name);
  return g;
}

// The name of the tag in the generated C. The name of a nameless one is put before the token `at`,
// after the attributes.
void write_tag(Unit *u, Tag *g, TokIndex at) {
  g->name_at = at;
  if (!g->emitted)
    return;
  const char *rest = g->name ? "" : kind_at(u, at) == P_COLON ? " :" : " {";
  edit(u,
       (Range){ at, at + 1 },
       arena_printf(&u->arena, "%s%s", g->emitted, rest));
}

// `struct s {` and `struct s;` make a tag of this scope; `struct s x` uses a visible tag.
static Tag *
find_tag(Unit *u, TypeKind kind, Ident *name, TokIndex tok, bool own) {
  Symbol *s = name ? name->tag : NULL;
  if (!s || s->tag->kind != kind || (own && !in_this_scope(u, s)))
    return new_tag(u, kind, name, tok);
  return s->tag;
}

// ---- #pragma pack, up to the current token ----
static void pack_one(Unit *u, const Pragma *g) {
  char line[160];
  snprintf(line, sizeof line, "%.*s", (int)g->len, u->text + g->pos);
  char *s = strstr(line, "pack");
  if (!strstr(line, "pragma") || !s || !(s = strchr(s, '(')))
    return;
  bool push = strstr(s, "push") != NULL;
  bool pop = strstr(s, "pop") != NULL;
  char *digits = strpbrk(s, "0123456789");
  if (push && u->pack_depth < 64)
    u->pack_stack[u->pack_depth++] = u->pack;
  if (pop && u->pack_depth > 0)
    u->pack = u->pack_stack[--u->pack_depth];
  if (digits) {
    unsigned v = 0;
    sscanf(digits, "%u", &v);
    u->pack = v;
  } else if (!push && !pop) {
    u->pack = 0;
  }
}

static uint32_t pack_now(Unit *u) {
  for (; u->pack_pragma < u->npragmas &&
         u->pragmas[u->pack_pragma].before <= u->p;
       u->pack_pragma++)
    pack_one(u, &u->pragmas[u->pack_pragma]);
  return u->pack;
}

// ---- members ----
static Member *
add_member(Unit *u, Member ***tail, Type *t, Ident *name, TokIndex tok) {
  Member *m = NEW(&u->arena, Member);
  *m = (Member){
    .name = name,
    .type = t,
    .tok = tok,
    .width = -1,
  };
  **tail = m;
  *tail = &m->next;
  return m;
}

// Generated text can name a nameless structure as the type of the member that has it.
static void settle(Type *t, Tag *home, Member *m) {
  Tag *g = canon(t)->tag;
  if (!g || g->name || g->home || g == home)
    return;
  g->home = home;
  g->home_member = m && m->width < 0 && m->name ? m : NULL;
}

static void one_member(Unit *u, Specs *s, Tag *home, Member ***tail) {
  Declarator d = { .type = s->base, .tok = u->p };
  Attrs at = { 0 };
  int64_t width = -1;
  parse_attributes(u, &at);
  if (cur(u) != P_COLON)
    parse_declarator(u, s->base, &d, NAME_REQUIRED);
  if (s->is_async)
    mark_async(u, &d, s->base);
  if (s->is_async && canon(d.type)->kind == TY_FUNC) {
    u->hold_errors = false;
    error_at(u,
             d.tok,
             "a structure cannot have a function as its member; a pointer to "
             "one is declared "
             "`async T (*name)(…)`");
  }
  if (s->is_async)
    edit_declarator(u, s, &d);
  bool bits = accept(u, P_COLON);
  if (bits && (!parse_constant(u, &width) || width < 0 || width > 65535))
    width = 1;
  if (u->body->async && type_is_vm(d.type))
    error_at(u,
             d.tok,
             "a structure of an async function cannot have a member of "
             "variable length: its size has to "
             "be known when the function is compiled; make this a pointer, or "
             "the length a constant");
  parse_attributes(u, &at);
  if (s->is_noreturn || at.noreturn)
    hide_noreturn(u, d.type, (Range){ s->range.from, u->p });
  Member *m =
      add_member(u, tail, apply_attributes(u, d.type, &at), d.name, d.tok);
  m->packed = at.packed || d.attrs.packed;
  if (d.attrs.align > at.align)
    at.align = d.attrs.align;
  m->attr_align = at.align > s->attr_align ? at.align : s->attr_align;
  if (bits)
    m->width = (int)width;
  settle(s->base, home, m);
}

static void member_declaration(Unit *u, Tag *home, Member ***tail) {
  if (accept(u, P_SEMI))
    return;
  if (cur(u) == K_STATIC_ASSERT) {
    parse_static_assert(u);
    return;
  }
  Specs *s = parse_specs(u);
  if (cur(u) == P_SEMI) {
    if (type_is_record(s->base))
      add_member(u, tail, s->base, NULL, u->p)->attr_align = s->attr_align;
    if (type_is_record(s->base))
      settle(s->base, home, NULL);
  } else {
    do
      one_member(u, s, home, tail);
    while (accept(u, P_COMMA));
  }
  if (cur(u) != P_RBRACE)
    expect(u, P_SEMI, "after this member");
}

static void apply_to_tag(Tag *g, const Attrs *at) {
  g->packed |= at->packed;
  g->transparent |= at->transparent;
  g->odd_layout |= at->odd_layout;
  if (at->align > g->attr_align)
    g->attr_align = at->align;
}

static void remember(Unit *u, Tag *g) {
  if (u->scope_depth == 0 && (g->name || g->typedef_sym))
    vec_push(&u->tags, g);
}

static void members(Unit *u, Tag *g, Attrs *own) {
  Member **tail = &g->members;
  // a second definition: the C compiler reports it
  if (g->complete) {
    g->members = NULL;
    g->laid_out = false;
  }
  g->being_defined = true;
  while (cur(u) != P_RBRACE && cur(u) != T_EOF)
    member_declaration(u, g, &tail);
  expect(u, P_RBRACE, "to close this structure");
  parse_attributes(u, own);
  apply_to_tag(g, own);
  g->pack = pack_now(u);
  g->complete = true;
  g->being_defined = false;
  remember(u, g);
}

// [ attributes ] [ tag ]. *tok: the tag. *defines: there are attributes, to be printed as written.
static Ident *
parse_tag_name(Unit *u, Attrs *own, TokIndex *tok, bool *defines) {
  if (parse_attributes(u, own))
    *defines = true;
  if (cur(u) != T_IDENT)
    return NULL;
  *tok = u->p;
  return tok_at(u, u->p++)->id;
}

Type *parse_record(Unit *u, Attrs *at, bool *defines) {
  TypeKind kind = cur(u) == K_STRUCT ? TY_STRUCT : TY_UNION;
  TokIndex from = u->p;
  TokIndex tok = u->p++;
  size_t mark = u->body->whole->mentions.len;
  Attrs own = { 0 };
  Ident *name = parse_tag_name(u, &own, &tok, defines);
  if (parse_attributes(u, &own))
    *defines = true;
  bool body = cur(u) == P_LBRACE;
  // struct s __attribute__((cold)) f(void);
  if (!body)
    at->uses = join_uses(at->uses, own.uses);
  if (!body && !name)
    expect(u, P_LBRACE, kind == TY_STRUCT ? "after `struct`" : "after `union`");
  Tag *g = find_tag(u, kind, name, tok, body || cur(u) == P_SEMI);
  write_tag(u, g, name ? tok : u->p);
  if (body) {
    NEST(u);
    u->p++;
    u->record_depth++;
    *defines = true;
    members(u, g, &own);
    u->record_depth--;
    UNNEST(u);
    hoist_tag(u, mark, (Range){ from, u->p });
  } else {
    apply_to_tag(g, &own);
  }
  (void)at;
  return g->type;
}

// ---- enums ----
typedef struct EnumLink {
  Symbol *sym;
  struct EnumLink *next;
} EnumLink;
// huge: a value is above INT64_MAX.
typedef struct Enumerators {
  EnumLink *all;
  int64_t low;
  int64_t high;
  bool huge;
} Enumerators;

static void keep_enumerator(Unit *u, Enumerators *es, Symbol *s) {
  EnumLink *k = NEW(&u->arena, EnumLink);
  *k = (EnumLink){ s, es->all };
  es->all = k;
}

// The type of an enumerator that does not fit into int.
static TypeKind wide_kind(int64_t v, bool huge) {
  return huge ? TY_ULONG : v > 0 && v <= UINT32_MAX ? TY_UINT : TY_LONG;
}

// In an async function the enumeration moves to file scope, where no statement expression can
// stand, and variable lengths are lost.
static void fix_value(Unit *u, Node *e, TokIndex from) {
  if (!u->body->async)
    return;
  bool constant = e->flags & NF_CONST;
  if (!constant && (e->flags & NF_VM))
    error_at(u, from, "the value of an enumerator has to be constant");
  if (constant && (e->flags & NF_STMT_EXPR))
    edit(u,
         (Range){ from, u->p },
         arena_printf(&u->arena, "%lld", (long long)e->val));
}

static void enumerator(Unit *u, Enumerators *es, int64_t *next, Type **type) {
  if (cur(u) != T_IDENT)
    expect(u, T_IDENT, "for this enumerator");
  TokIndex tok = u->p++;
  skip_attributes(u);
  if (accept(u, P_ASSIGN)) {
    TokIndex from = u->p;
    Node *e = parse_fixed(u);
    fix_value(u, e, from);
    *next = e->val;
    *type = type_is_unsigned(u, e->type) && e->val < 0 ? e->type
                                                       : type_scalar(u, TY_INT);
  } else if (*next == INT64_MIN && !type_is_unsigned(u, *type)) {
    *type = type_scalar(u, TY_ULONG);
  }
  bool huge = type_is_unsigned(u, *type) && *next < 0;
  Symbol *s = declare(u, S_ENUMCONST, tok_at(u, tok)->id, *type, tok);
  if (u->body->async) {
    s->emitted = hoisted_name(u, s->name);
    edit(u, (Range){ tok, tok + 1 }, s->emitted);
  }
  s->value = *next;
  if (*next < INT32_MIN || *next > INT32_MAX)
    s->type = type_scalar(u, wide_kind(*next, huge));
  if (huge)
    es->huge = true;
  else if (*next < es->low)
    es->low = *next;
  else if (*next > es->high)
    es->high = *next;
  keep_enumerator(u, es, s);
  *next = (int64_t)((uint64_t)*next + 1);
}

static TypeKind smallest(int64_t low, int64_t high) {
  if (low < 0)
    return low >= INT8_MIN && high <= INT8_MAX     ? TY_SCHAR
           : low >= INT16_MIN && high <= INT16_MAX ? TY_SHORT
                                                   : TY_INT;
  return high <= UINT8_MAX    ? TY_UCHAR
         : high <= UINT16_MAX ? TY_USHORT
                              : TY_UINT;
}

static TypeKind enum_kind(Unit *u, const Enumerators *es, bool packed) {
  TypeKind wide = u->opt.ilp32 ? TY_LLONG : TY_LONG;
  TypeKind uwide = u->opt.ilp32 ? TY_ULLONG : TY_ULONG;
  if (es->huge)
    return uwide;
  if (es->low < INT32_MIN || (es->low < 0 && es->high > INT32_MAX))
    return wide;
  if (es->high > UINT32_MAX)
    return uwide;
  if (packed)
    return smallest(es->low, es->high);
  return es->low < 0 ? TY_INT : TY_UINT;
}

static void finish_enum(Unit *u, Tag *g, Enumerators *es) {
  if (!g->underlying)
    g->underlying =
        type_scalar(u, enum_kind(u, es, g->packed || u->opt.short_enums));
  for (EnumLink *k = es->all; k; k = k->next) {
    Symbol *s = k->sym;
    bool fits = s->value >= INT32_MIN && s->value <= INT32_MAX &&
                !type_is_unsigned(u, s->type);
    s->type = fits           ? type_scalar(u, TY_INT)
              : u->opt.clang ? g->underlying
                             : g->type;
  }
  g->complete = true;
  remember(u, g);
}

static void enumerators(Unit *u, Tag *g, Attrs *own) {
  Enumerators es = { 0 };
  int64_t next = 0;
  Type *type = type_scalar(u, TY_INT);
  while (cur(u) != P_RBRACE) {
    enumerator(u, &es, &next, &type);
    if (!accept(u, P_COMMA))
      break;
  }
  expect(u, P_RBRACE, "to close this enumeration");
  parse_attributes(u, own);
  apply_to_tag(g, own);
  finish_enum(u, g, &es);
}

Type *parse_enum(Unit *u, Attrs *at, bool *defines) {
  TokIndex from = u->p;
  TokIndex tok = u->p++;
  size_t mark = u->body->whole->mentions.len;
  Attrs own = { 0 };
  Ident *name = parse_tag_name(u, &own, &tok, defines);
  Type *fixed = NULL;
  TokIndex at_name = name ? tok : u->p;
  if (cur(u) == P_COLON && starts_type(u, u->p + 1)) {
    u->p++;
    fixed = parse_specs(u)->base;
    *defines = true;
  }
  bool body = cur(u) == P_LBRACE;
  if (!body && !name)
    expect(u, P_LBRACE, "after `enum`");
  Tag *g = find_tag(u, TY_ENUM, name, tok, body);
  if (fixed)
    g->underlying = type_unqual(u, fixed);
  write_tag(u, g, at_name);
  if (body) {
    u->p++;
    *defines = true;
    enumerators(u, g, &own);
    hoist_tag(u, mark, (Range){ from, u->p });
  }
  (void)at;
  return g->type;
}
