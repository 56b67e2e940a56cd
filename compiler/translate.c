// translate.c: one unit through all stages, on a stack large enough for what people nest.
#include "fmcc.h"

#include <pthread.h>
#include <stdlib.h>

enum {
  // address space; only what is used becomes memory
  STACK_BYTES = 512 << 20
};

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
  u->va_list_type = u->opt.ilp32 ? type_pointer(u, type_scalar(u, TY_CHAR))
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

static void unit_init(Unit *u) {
  u->scope = NEW(&u->arena, Scope);
  u->items_tail = &u->items;
  u->held_tail = &u->held;
  idents_init(u);
}

static void unit_free(Unit *u) {
  for (size_t i = 0; i < u->nfiles; i++)
    buf_free(&u->files[i].text);
  free(u->files);
  free(u->toks);
  free(u->pragmas);
  vec_free(&u->tags);
  vec_free(&u->edits);
  vec_free(&u->marks);
  vec_free(&u->bodies);
  vec_free(&u->labels);
  vec_free(&u->label_uses);
  for (size_t i = 0; i < u->asyncs.len; i++)
    async_free(u->asyncs.at[i]);
  for (Item *it = u->items; it; it = it->next)
    if (it->plain)
      async_free(it->plain);
  vec_free(&u->jobs);
  vec_free(&u->mentions);
  vec_free(&u->asyncs);
  idents_free(u);
  arena_free(&u->arena);
}

typedef struct Job {
  Unit *u;
  Buf *out, *witness;
} Job;

static void *translate_on_big_stack(void *arg) {
  Job *j = arg;
  Unit *u = j->u;
  lex(u);
  if (u->errors == 0) {
    declare_builtin_types(u);
    parse_unit(u);
  }
  if (u->errors)
    diags_flush(u, true);
  else if (u->opt.list_yields || u->opt.frame_report)
    report_async(u, j->out);
  else {
    if (u->no_witness)
      u->opt.witness = false;
    if (u->opt.witness)
      emit_witness(u, j->witness);
    emit_unit(u, j->out);
  }
  return NULL;
}

static void run_on_big_stack(Job *j) {
  pthread_attr_t attr;
  pthread_t thread;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, STACK_BYTES);
  int failed = pthread_create(&thread, &attr, translate_on_big_stack, j);
  pthread_attr_destroy(&attr);
  // too little address space: the stack that there is must do
  if (failed)
    translate_on_big_stack(j);
  else
    pthread_join(thread, NULL);
}

int translate(const char *name,
              const char *text,
              size_t len,
              const TranslateOptions *opt,
              Buf *out,
              Buf *witness) {
  if (len > UINT32_MAX - 16) {
    fprintf(stderr,
            "%s: error: the preprocessed text has more than 4 GB\n",
            name);
    return 1;
  }
  char *copy = xmalloc(len + 1); // NUL-terminated
  memcpy(copy, text, len);
  copy[len] = 0;
  Unit u = { .name = name, .text = copy, .len = len, .opt = *opt };
  u.opt.witness = witness != NULL && opt->mode == TRANSLATE_AUTO;
  unit_init(&u);
  run_on_big_stack(&(Job){ &u, out, witness });
  int errors = u.errors;
  unit_free(&u);
  free(copy);
  return errors;
}
