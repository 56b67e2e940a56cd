// source.c: a program of the core language as Fermata source. prelude.h has what it uses.
#include "core.h"

#include <stdbool.h>
#include <string.h>

typedef struct Writer {
  FILE *to;
  int program;
  int indent;
} Writer;

static void line(Writer *w) {
  fprintf(w->to, "\n%*s", 2 * w->indent, "");
}

// ---- expressions ----
static void expression(Writer *w, const Node *e) {
  FILE *to = w->to;
  switch (e->kind) {
  case INT:
    fprintf(to, "%d", e->at[0]);
    break;
  case VAR:
    fprintf(to, "x%d", e->at[0]);
    break;
  case GLOBAL:
    fprintf(to, "g[%d]", e->at[0]);
    break;
  case REF:
    fputs("*r", to);
    break;
  case NOW:
    fputs("now()", to);
    break;
  case ALIVE:
    fprintf(to, "fm_alive(id[%d])", e->at[0]);
    break;
  default:
    fputs(e->kind == LESS ? "(" : "wrap(", to);
    expression(w, e->part[0]);
    fputs(e->kind == LESS ? " < " : e->kind == ADD ? " + " : " - ", to);
    expression(w, e->part[1]);
    fputs(")", to);
  }
}

static void call(Writer *w, int f, const Node *argument) {
  fprintf(w->to, "p%d_f%d(", w->program, f);
  expression(w, argument);
  fputs(")", w->to);
}

static void task_name(Writer *w, int t) {
  fprintf(w->to, t < LOCAL_TASKS ? "t%d" : "t[%d]", t);
}

static void held_name(Writer *w, int t) {
  fprintf(w->to, t < LOCAL_TASKS ? "h%d" : "h[%d]", t);
}

// ---- statements ----
static void statement(Writer *w, const Node *n);

static void braces(Writer *w, const Node *n) {
  fputs(" {", w->to);
  w->indent++;
  if (n->kind == BLOCK)
    for (int i = 0; i < n->parts; i++)
      statement(w, n->part[i]);
  else
    statement(w, n);
  w->indent--;
  line(w);
  fputs("}", w->to);
}

static const char *const words[] = { "", "now ", "detached ", "contained ", "" };

static void spawn(Writer *w, int how, int node, int f, const Node *argument) {
  fprintf(w->to, "spawn %s", words[how]);
  if (how == INSIDE)
    fprintf(w->to, "in(id[%d]) ", node);
  call(w, f, argument);
}

// What the machine does in one step is one expression: no automatic yield stands in between.
static void spawn_kept(Writer *w, const Node *n) {
  FILE *to = w->to;
  if (n->at[1] == INSIDE)
    fprintf(to, "if (fm_alive(id[%d])) ", n->at[3]);
  task_name(w, n->at[0]);
  fputs(" = ", to);
  spawn(w, n->at[1], n->at[3], n->at[2], n->part[0]);
  fputs(", ", to);
  held_name(w, n->at[0]);
  fputs(" = true;", to);
}

static void spawn_dropped(Writer *w, const Node *n) {
  if (n->at[0] == INSIDE)
    fprintf(w->to, "if (fm_alive(id[%d])) ", n->at[2]);
  spawn(w, n->at[0], n->at[2], n->at[1], n->part[0]);
  fputs(";", w->to);
}

static void if_held(Writer *w, int t) {
  fputs("if (", w->to);
  held_name(w, t);
  fputs(") { ", w->to);
}

static void await(Writer *w, int var, int t) {
  if_held(w, t);
  held_name(w, t);
  fprintf(w->to, " = false; x%d = await ", var);
  task_name(w, t);
  fputs("; }", w->to);
}

// Asks and acts in one full expression: an automatic yield may stand before that, but not inside.
static void only_if_held(Writer *w, int t) {
  fputs("(void)(", w->to);
  held_name(w, t);
  fputs(" && (", w->to);
}

static void share(Writer *w, int to, int from) {
  only_if_held(w, from);
  task_name(w, to);
  fputs(" = fm_share(", w->to);
  task_name(w, from);
  fputs("), ", w->to);
  held_name(w, to);
  fputs(" = true));", w->to);
}

static void give_up(Writer *w, int t) {
  only_if_held(w, t);
  held_name(w, t);
  fputs(" = false, fm_detach(", w->to);
  task_name(w, t);
  fputs("), true));", w->to);
}

static void activate(Writer *w, const Node *n) {
  fprintf(w->to, "activate [&id[%d]] (", n->at[0]);
  if (n->at[1] >= 0)
    fprintf(w->to, "x%d", n->at[1]);
  fputs(")", w->to);
  braces(w, n->part[0]);
}

static void try(Writer *w, const Node *n) {
  fputs("try", w->to);
  braces(w, n->part[0]);
  for (int i = 1; i <= 2; i++) {
    if (n->part[i]->kind == NONE)
      continue;
    fprintf(w->to, " catch (%s) { x%d = %s;", i == 1 ? "struct e0 e" : "fm_error *e", n->at[0],
            i == 1 ? "e.code" : "codes(e)");
    braces(w, n->part[i]);
    fputs(" }", w->to);
  }
  if (n->part[3]->kind != NONE) {
    fputs(" finally", w->to);
    braces(w, n->part[3]);
  }
}

static void scope(Writer *w, const Node *n) {
  fprintf(w->to, "{ scope (own) { id[%d] = own;", n->at[0]);
  braces(w, n->part[0]);
  fputs(" }", w->to);
  if (n->part[2]->kind != NONE) {
    fprintf(w->to, " catch each (%s) { x%d = %s;", n->at[2] ? "fm_error *e" : "struct e0 e",
            n->at[1], n->at[2] ? "codes(e)" : "e.code");
    braces(w, n->part[2]);
    fputs(" }", w->to);
  }
  if (n->part[1]->kind != NONE) {
    fputs(" else", w->to);
    braces(w, n->part[1]);
  }
  fputs(" }", w->to);
}

// ---- race ----
static void arm_waits(Writer *w, const Node *n) {
  FILE *to = w->to;
  switch (n->at[0]) {
  case ARM_CALL:
    fprintf(to, "x%d = ", n->at[1]);
    call(w, n->at[2], n->part[1]);
    break;
  case ARM_RECV:
    fprintf(to, "x%d = fm_recv(&c[%d])", n->at[1], n->at[2]);
    break;
  case ARM_SEND:
    fprintf(to, "fm_send(&c[%d], ", n->at[2]);
    expression(w, n->part[1]);
    fputs(")", to);
    break;
  case ARM_SLEEP:
    fputs("sleep_for(", to);
    expression(w, n->part[1]);
    fputs(")", to);
    break;
  case ARM_AWAIT:
    fprintf(to, "x%d = await (", n->at[1]);
    held_name(w, n->at[2]);
    fputs(" = false, ", to);
    task_name(w, n->at[2]);
    fputs(")", to);
    break;
  case ARM_ACQUIRE:
    fprintf(to, "fm_sem_wait(&s[%d])", n->at[2]);
  }
}

static void arm(Writer *w, const Node *n) {
  const Node *guard = n->part[0];
  line(w);
  if (n->kind == DEFAULT) {
    fputs("default:", w->to);
    braces(w, n->part[0]);
    return;
  }
  fputs("case ", w->to);
  if (n->at[0] == ARM_AWAIT || guard->kind != INT || guard->at[0] != 1) {
    fputs("if (", w->to);
    expression(w, guard);
    if (n->at[0] == ARM_AWAIT) {
      fputs(" && ", w->to);
      held_name(w, n->at[2]);
    }
    fputs(") ", w->to);
  }
  arm_waits(w, n);
  fputs(":", w->to);
  braces(w, n->part[2]);
}

static void race(Writer *w, const Node *n) {
  fputs("race {", w->to);
  for (int i = 0; i < n->parts; i++)
    arm(w, n->part[i]);
  line(w);
  fputs("}", w->to);
}

// ---- by kind ----
static void with_value(Writer *w, const char *before, const Node *e, const char *after) {
  fputs(before, w->to);
  expression(w, e);
  fputs(after, w->to);
}

static bool plain(Writer *w, const Node *n) {
  FILE *to = w->to;
  const Node *e = n->parts ? n->part[0] : NULL;
  switch (n->kind) {
  case PRINT:
    fprintf(to, "put(%d, ", n->at[0]);
    with_value(w, "", e, ");");
    return true;
  case SET:
    fprintf(to, "x%d = ", n->at[0]);
    with_value(w, "", e, ";");
    return true;
  case SETG:
    fprintf(to, "g[%d] = ", n->at[0]);
    with_value(w, "", e, ";");
    return true;
  case SETREF:
    with_value(w, "*r = ", e, ";");
    return true;
  case IF:
    with_value(w, "if (", e, ")");
    braces(w, n->part[1]);
    if (n->part[2]->kind == NONE)
      return true;
    fputs(" else", to);
    braces(w, n->part[2]);
    return true;
  case LOOP:
    fprintf(to, "for (int i = 0; i < %d; i++)", n->at[0]);
    braces(w, e);
    return true;
  case BLOCK:
    braces(w, n);
    return true;
  case NONE:
    return true;
  case BREAK:
    fputs("break;", to);
    return true;
  case RETURN:
    with_value(w, "return ", e, ";");
    return true;
  default:
    return false;
  }
}

static bool calls(Writer *w, const Node *n) {
  FILE *to = w->to;
  const Node *e = n->parts ? n->part[0] : NULL;
  switch (n->kind) {
  case CALL:
  case ATOMICX:
    fprintf(to, n->kind == CALL ? "x%d = " : "x%d = atomic ", n->at[0]);
    call(w, n->at[1], e);
    fputs(";", to);
    return true;
  case CALLREF:
    fprintf(to, "x%d = p%d_f%d(", n->at[0], w->program, n->at[1]);
    expression(w, e);
    fprintf(to, ", &x%d);", n->at[2]);
    return true;
  case SUM:
    fprintf(to, "x%d = wrap(", n->at[0]);
    with_value(w, "", e, " + wrap(");
    call(w, n->at[1], n->part[1]);
    fputs(" + ", to);
    call(w, n->at[2], n->part[2]);
    fputs("));", to);
    return true;
  case TAIL:
    fputs("return ", to);
    call(w, n->at[0], e);
    fputs(";", to);
    return true;
  case TAILREF:
    fprintf(to, "return p%d_f%d(", w->program, n->at[0]);
    expression(w, e);
    fprintf(to, ", &x%d);", n->at[1]);
    return true;
  case JOB:
    fprintf(to, "put_job(%d, %d, job ", n->at[0], n->at[1]);
    call(w, n->at[1], e);
    fputs(");", to);
    return true;
  case AWAITJOB:
    fprintf(to, "if (has_job[%d] > %d) x%d = await j[%d];", n->at[1], n->at[2], n->at[0],
            n->at[1]);
    return true;
  case SPAWNJOB:
    fprintf(to, "if (has_job[%d] > %d) ", n->at[1], n->at[2]);
    task_name(w, n->at[0]);
    fprintf(to, " = spawn j[%d], ", n->at[1]);
    held_name(w, n->at[0]);
    fputs(" = true;", to);
    return true;
  default:
    return false;
  }
}

static bool activities(Writer *w, const Node *n) {
  switch (n->kind) {
  case SPAWN:
    spawn_kept(w, n);
    return true;
  case DROP:
    spawn_dropped(w, n);
    return true;
  case AWAIT:
    await(w, n->at[0], n->at[1]);
    return true;
  case SHARE:
    share(w, n->at[0], n->at[1]);
    return true;
  case GIVEUP:
    give_up(w, n->at[0]);
    return true;
  case ACTIVATE:
    activate(w, n);
    return true;
  case YIELD:
    fputs("yield;", w->to);
    return true;
  case CHECKPOINT:
    fputs("fm_checkpoint();", w->to);
    return true;
  case SLEEP:
    with_value(w, "sleep_for(", n->part[0], ");");
    return true;
  default:
    return false;
  }
}

static bool structure(Writer *w, const Node *n) {
  FILE *to = w->to;
  switch (n->kind) {
  case ATOMIC:
    fputs("atomic", to);
    braces(w, n->part[0]);
    return true;
  case THROW:
    fprintf(to, "throw (struct e%d){ %d + (", n->at[0], n->at[0] ? 11 : 1);
    with_value(w, "", n->part[0], " & 7) };");
    return true;
  case RETHROW:
    fputs("throw;", to);
    return true;
  case TRY:
    try(w, n);
    return true;
  case DEFER:
    fputs("defer", to);
    braces(w, n->part[0]);
    return true;
  case SCOPE:
    scope(w, n);
    return true;
  case SHIELD:
    fputs("shield", to);
    braces(w, n->part[0]);
    return true;
  case RACE:
    race(w, n);
    return true;
  default:
    return false;
  }
}

static void tree_and_objects(Writer *w, const Node *n) {
  FILE *to = w->to;
  switch (n->kind) {
  case ID:
    fprintf(to, "id[%d] = fm_id(", n->at[0]);
    task_name(w, n->at[1]);
    fputs(").node ? fm_id(", to);
    task_name(w, n->at[1]);
    fprintf(to, ") : id[%d];", n->at[0]);
    break;
  case SELF:
    fprintf(to, "id[%d] = fm_self();", n->at[0]);
    break;
  case CANCEL:
  case PAUSE:
  case RESUME:
  case JOIN:
    fprintf(to, "fm_%s(id[%d]);", core_name[n->kind], n->at[0]);
    break;
  case AFTER:
    fprintf(to, "cancel_after(id[%d], ", n->at[0]);
    with_value(w, "", n->part[0], ");");
    break;
  case SEND:
    fprintf(to, "fm_send(&c[%d], ", n->at[0]);
    with_value(w, "", n->part[0], ");");
    break;
  case RECV:
    fprintf(to, "x%d = fm_recv(&c[%d]);", n->at[0], n->at[1]);
    break;
  case CLOSE:
    fprintf(to, "fm_chan_close(&c[%d]);", n->at[0]);
    break;
  case ACQUIRE:
    fprintf(to, "fm_sem_wait(&s[%d]);", n->at[0]);
    break;
  case POST:
    fprintf(to, "fm_sem_post(&s[%d]);", n->at[0]);
    break;
  case DIRECT:
    fprintf(to, "x%d = direct%d();", n->at[0], n->at[1]);
    break;
  case COMPLETE:
    fprintf(to, "complete(%d, ", n->at[0]);
    with_value(w, "", n->part[0], ");");
    break;
  case FAIL:
    fprintf(to, "fail(%d, 1 + (", n->at[0]);
    with_value(w, "", n->part[0], " & 7));");
    break;
  default:
    fprintf(to, "#error %s", core_name[n->kind]);
  }
}

static void statement(Writer *w, const Node *n) {
  line(w);
  if (!plain(w, n) && !calls(w, n) && !activities(w, n) && !structure(w, n))
    tree_and_objects(w, n);
}

// ---- functions ----
static void head(Writer *w, int f, const Node *fun) {
  fprintf(w->to, "static %s int p%d_f%d(int x0%s)%s", fun->at[1] ? "atomic" : "async", w->program,
          f, fun->at[2] ? ", int *r" : "", fun->at[0] ? " throws(fm_error)" : "");
}

static bool uses_task(const Node *n, int t) {
  if ((n->kind == SPAWN || n->kind == SHARE || n->kind == GIVEUP || n->kind == SPAWNJOB) &&
      n->at[0] == t)
    return true;
  if ((n->kind == AWAIT || n->kind == SHARE || n->kind == ID) && n->at[1] == t)
    return true;
  if (n->kind == ARM && n->at[0] == ARM_AWAIT && n->at[2] == t)
    return true;
  for (int i = 0; i < n->parts; i++)
    if (uses_task(n->part[i], t))
      return true;
  return false;
}

static void function(Writer *w, int f, const Node *fun) {
  FILE *to = w->to;
  head(w, f, fun);
  fputs(" {", to);
  w->indent = 1;
  for (int v = 1; v < VARS; v++)
    if (core_uses(fun, v))
      fprintf(to, "\n  int x%d = %d;", v, v);
  for (int t = 0; t < LOCAL_TASKS; t++)
    if (uses_task(fun, t))
      fprintf(to, "\n  task(int) throws(fm_error) t%d = { 0 };\n  bool h%d = false;", t, t);
  if (fun->part[0]->kind == BLOCK)
    for (int i = 0; i < fun->part[0]->parts; i++)
      statement(w, fun->part[0]->part[i]);
  else
    statement(w, fun->part[0]);
  fputs("\n  return 0;\n}\n", to);
}

void source_write(FILE *to, const Node *tree, int number) {
  Writer w = { to, number, 0 };
  for (int f = 0; f < tree->parts; f++) {
    head(&w, f, tree->part[f]);
    fputs(";\n", to);
  }
  for (int f = 0; f < tree->parts; f++)
    function(&w, f, tree->part[f]);
  fputs("\n", to);
}
