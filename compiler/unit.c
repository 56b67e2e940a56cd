// unit.c: a unit begins and ends: the scope of the file, the names and types that the compilers
// know by themselves; all memory that is not in the arena.
#include "fmcc.h"

#include <stdlib.h>

static void declare_builtin_types(Unit *u) {
  static const struct {
    const char *name;
    TypeKind kind;
  } plain[] = { { "__int128_t", TY_INT128 }, { "__uint128_t", TY_UINT128 } };
  for (size_t i = 0; i < 2; i++)
    declare(u,
            S_TYPEDEF,
            intern(u, plain[i].name, strlen(plain[i].name)),
            type_scalar(u, plain[i].kind),
            0);
  Tag *g = NEW(&u->arena, Tag); // x86-64: an array of one structure
  g->kind = TY_STRUCT;
  g->complete = g->laid_out = true;
  g->size = 24;
  g->align = 8;
  g->name = intern(u, "__va_list_tag", 13);
  g->shadowed = true; // it cannot be spelled everywhere
  g->type = type_new(u, TY_STRUCT, NULL);
  g->type->tag = g;
  TypeKind pointed = u->opt.wasm32 ? TY_VOID : TY_CHAR;
  u->va_list_type = u->opt.ilp32 ? type_pointer(u, type_scalar(u, pointed))
                                 : type_array(u, g->type, 1);
  static const char *const lists[] = { "__builtin_va_list",
                                       "__builtin_ms_va_list",
                                       "__builtin_sysv_va_list" };
  for (size_t i = 0; i < 3; i++)
    declare(u,
            S_TYPEDEF,
            intern(u, lists[i], strlen(lists[i])),
            u->va_list_type,
            0);
}

void unit_init(Unit *u) {
  u->scope = NEW(&u->arena, Scope);
  body_enter(u, NULL, NULL); // file scope
  u->items_tail = &u->items;
  u->held_tail = &u->held;
  idents_init(u);
  declare_builtin_types(u);
}

void unit_free(Unit *u) {
  for (size_t i = 0; i < u->nfiles; i++)
    buf_free(&u->files[i].text);
  free(u->files);
  free(u->toks);
  free(u->pragmas);
  vec_free(&u->diagnostics);
  vec_free(&u->tags);
  vec_free(&u->said);
  vec_free(&u->edits);
  vec_free(&u->marks);
  vec_free(&u->label_uses);
  vec_free(&u->shapes);
  for (size_t i = 0; i < u->asyncs.len; i++)
    async_free(u->asyncs.at[i]);
  for (Item *it = u->items; it; it = it->next)
    if (it->plain)
      async_free(it->plain);
  vec_free(&u->asyncs);
  idents_free(u);
  arena_free(&u->arena);
}
