// translate.c: one unit through all stages, on a stack large enough for what people nest.
#include "fmcc.h"

#include <pthread.h>
#include <stdlib.h>

enum {
  // address space; only what is used becomes memory
  STACK_BYTES = 512 << 20
};

typedef struct Job {
  Unit *u;
  Buf *out, *witness;
} Job;

static void *translate_on_big_stack(void *arg) {
  Job *j = arg;
  Unit *u = j->u;
  lex(u);
  if (u->errors == 0)
    parse_unit(u);
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
