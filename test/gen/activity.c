// activity.c: random statements about what runs beside (tasks, activate, jobs, channels), and about leaving early (scope, race, try, defer).
// To plain C what runs beside is done at once: until it is waited for, nothing may touch what it touches.
#include "gen.h"

// ---- ways out ----
enum { TRY, SCOPE };
enum { MOST = 64 };
static struct { int kind, id; } targets[MOST];    // what a throw or a cancel can reach from here
static int ntargets, first_target, first_cancel;  // those below cannot be reached; cancels of those below are held back
static int body_id;                               // of the activate's body that `return;` ends
static int live;                                  // > 0: never in an atomic of this function's own

Exits no_exits(void) {
  Exits e = {njumps_off, nloops, nbreaks, first_target, first_cancel, body_id};
  njumps_off = 1;
  nloops = nbreaks = body_id = 0;
  first_target = ntargets;
  if (first_cancel < MOST) first_cancel = ntargets;
  return e;
}

void exits_back(Exits e) {
  njumps_off = e.jumps_off;
  nloops = e.loops;
  nbreaks = e.breaks;
  first_target = e.first_target;
  first_cancel = e.first_cancel;
  body_id = e.body_id;
}

void begin_exits(bool never_atomic) {
  njumps_off = nloops = nbreaks = ntargets = first_target = first_cancel = body_id = 0;
  live = never_atomic;
}

bool end_body(int depth) {
  if (body_id) line("if (%s) ENDACT(%d);", condition(depth - 1), body_id);
  return body_id != 0;
}

static void open(const char *how) {
  line("%s{", how);
  scope_open();
  indent++;
}

static void close(void) {
  indent--;
  scope_close();
  line("}");
}

// ---- tasks ----
static bool by_value(const Fn *f) {
  for (int k = 0; k < f->nparams; k++)
    if (f->params[k] == T_P) return false;
  return true;
}

static Fn *spawnable(bool only_values) {
  Fn *f = NULL;
  unsigned n = 0;
  for (int k = 0; k < nfns; k++) {
    Fn *g = &fns[k];
    if (only_values && !by_value(g)) continue;
    if (!g->shared && g != self && g != peer && g->ret != T_P && g->ret != T_VOID && cost + mult * g->cost < limit && rnd(++n) == 0) f = g;
  }
  return f;
}

static void result(int t, const char *name, const char *from) {
  line("%s %s = %s;", type_name(t), name, from);
  Var *v = add_var(t, false);
  snprintf(v->name, sizeof v->name, "%s", name);
  log_vars(nvars - 1);
}

static char *task(int t, int id) {                // declares it; how it is called
  switch (rnd(4)) {
  case 0: line("TASK(%s) t%d[2];", type_name(t), id); return fmt("t%d[%u]", id, rnd(2));
  case 1: line("struct { int k; TASK(%s) t; } t%d = {.k = 1};", type_name(t), id); return fmt("t%d.t", id);
  default: line("TASK(%s) t%d;", type_name(t), id); return fmt("t%d", id);
  }
}

static void spawns(int depth) {
  Fn *f[2] = {spawnable(false), spawnable(false)};
  if (!f[0] || !f[1]) return;
  char *t[2];
  int id[2];
  Effect keep = forbid, before = acc;
  open("");
  for (int k = 0; k < 2; k++) {
    id[k] = ++nlabels;
    acc = (Effect){0, 0};
    char *c = call_of(f[k], depth, false);
    if (!c) { f[k] = NULL; continue; }
    t[k] = task(f[k]->ret, id[k]);
    line("%s = SPAWN%s %s;", t[k], chance(25) ? "_NOW" : "", c);
    forbid.r |= acc.w;
    forbid.w |= acc.w;
    before.r |= acc.r;
    before.w |= acc.w;
  }
  acc = before;
  Exits e = no_exits();
  stmts((int)rnd(3), depth - 1);
  for (int k = 1; k >= 0; k--) {
    if (!f[k]) continue;
    bool twice = chance(20);
    if (twice) line("TASK(%s) s%d = SHARE(%s);", type_name(f[k]->ret), id[k], t[k]);
    if (k == 0) forbid = keep;
    result(f[k]->ret, fmt("r%d", id[k]), fmt("AW %s", t[k]));
    if (twice && by_value(f[k]) && chance(30)) line("DETACH(s%d);", id[k]);
    else if (twice) result(f[k]->ret, fmt("q%d", id[k]), fmt("AW s%d", id[k]));
  }
  exits_back(e);
  close();
}

// ---- copies of variables ----
static bool has_value(const Var *v) { return !v->is_vla && !v->is_static && !(v->n && v->is_const) && can_read(v->bit | v->target); }

// (a, b), and in *own what makes them of what they are in plain C. They are added to the scope at hand.
static char *copies(unsigned most, bool pointers, char **own) {
  int all = nvars;
  char *list = fmt("%s", "");
  *own = fmt("%s", "");
  for (int k = 0; k < all && most; k++) {
    const Var *v = &vars[k];
    if (!has_value(v) || !visible(v) || (!pointers && (v->type == T_P || v->type == T_SP)) || !chance(30)) continue;
    list = fmt("%s%s%s", list, *list ? ", " : "", v->name);
    *own = fmt("%s%s(%s) ", *own, v->n ? "OWNS" : "OWN", v->name);
    acc.r |= v->bit;
    copy_var(v);
    most--;
  }
  return list;
}

// ---- activate ----
enum { JOIN, BLOCK, IN_SCOPE, SEMAPHORE, CHANNEL };

static uint64_t all_bits(void) {
  uint64_t bits = G | PARAM;
  for (int k = 0; k < nvars; k++) bits |= vars[k].bit | vars[k].target;
  return bits;
}

static char *used(const Var *v) { return v->n ? fmt("%s[0]", v->name) : fmt("%s", v->name); }

// What the block's end waits for: the body uses `shared`. In a loop: the last statement is `last`, and nothing else is changed.
static void activity(int id, int how, Var shared, int depth) {
  char *own, *name = fmt("%s", shared.name);
  int first = nvars;
  Exits e = no_exits();
  njumps_off = how == SEMAPHORE || how == CHANNEL; // these have something to do at their end
  body_id = njumps_off ? 0 : id;
  scope_open();
  char *list = chance(50) ? copies(3, true, &own) : NULL;
  for (int k = first; k < nvars; k++)
    if (!strcmp(vars[k].name, name)) list = NULL;
  if (!list || !*list) { nvars = first; list = own = fmt("%s", ""); }
  line("ACTIVATE(%d, %s) {", id, list);
  indent++;
  if (*own) line("%s", own);
  if (how == BLOCK) { line("(void)%s;", used(&shared)); acc.r |= shared.bit; }
  open("");
  stmts(1 + (int)rnd(3), depth - 1);
  if (chance(20)) end_body(depth);
  stmts((int)rnd(2), depth - 1);
  if (chance(40)) log_vars(nvars > first ? nvars - 1 : 0);
  close();
  line("ACTEND(%d)", id);
  if (how == SEMAPHORE) line("POST(%d);", id);
  if (how == CHANNEL) {
    char *v = expr(T_U, depth - 1);
    line("SEND(%d, %s);", id, v);
  }
  indent--;
  scope_close();
  line("}");
  exits_back(e);
}

static Var shared_variable(int depth) {
  int first = nvars;
  declare(depth - 1);
  if (nvars == first + 1 && !vars[first].is_static && !vars[first].is_const && visible(&vars[first])) return vars[first];
  Var *v = add_var(T_U, false);
  line("u32 %s = %s;", v->name, constant(T_U));
  return *v;
}

static void wait_for(int id, int how) {
  switch (how) {
  case JOIN: line("JOINED(%d);", id); break;
  case SEMAPHORE: line("WAIT(%d);", id); break;
  case CHANNEL: result(T_U, fmt("r%d", id), fmt("RECV(%d)", id)); break;
  }
}

static void activities(int depth) {
  Effect keep = forbid, before = acc;
  int how = (int)rnd(live && self->shared ? 5 : 3), n = 1 + (int)rnd(2), ids[2];
  open(how == IN_SCOPE ? "BESIDE " : "");
  Var shared = shared_variable(depth);
  before.r |= acc.r;
  before.w |= acc.w;
  for (int k = 0; k < n; k++) {
    ids[k] = ++nlabels;
    line("ACT_ID(%d)", ids[k]);
    if (how == SEMAPHORE) line("SEM(%d)", ids[k]);
    if (how == CHANNEL) line("CHAN(%d, %u)", ids[k], rnd(3));
    acc = (Effect){0, 0};
    activity(ids[k], how, shared, depth);
    forbid.r |= acc.w;
    forbid.w |= acc.r | acc.w;
    before.r |= acc.r;
    before.w |= acc.w;
  }
  acc = before;
  Exits e = no_exits();
  if (how == BLOCK || how == IN_SCOPE) {          // the exit waits, however it is left; but a throw or a cancel cancels them
    exits_back(e);
    first_target = ntargets;
  }
  stmts((int)rnd(4), depth - 1);
  for (int k = 0; k < n; k++) {
    if (k == n - 1) forbid = keep;
    wait_for(ids[k], how);
  }
  forbid = keep;
  exits_back(e);
  close();
}

static void activities_in_a_loop(int depth) {     // they may change nothing but what is theirs
  Effect keep = forbid;
  double times = mult;
  int id = ++nlabels;
  open("");
  line("u32 r%d[3] = {0};", id);
  open(chance(50) ? "BESIDE " : "");
  line("u32 x%d = 0;", id);
  line("for (u32 i%d = 0; i%d < 3; i%d++) {", id, id, id);
  indent++;
  mult *= 3;
  forbid.w |= all_bits();
  forbid.r |= G;
  Exits e = no_exits();
  scope_open();
  line("ACT_ID(%d)", id);
  line("ACTIVATE(%d, i%d) {", id, id);
  indent++;
  line("OWN(i%d) (void)x%d;", id, id);
  open("");
  stmts(1 + (int)rnd(3), depth - 1);
  line("r%d[i%d] = %s + i%d;", id, id, expr(T_U, depth - 1), id);
  close();
  indent--;
  scope_close();
  line("}");
  exits_back(e);
  mult = times;
  indent--;
  line("}");
  forbid = keep;
  close();
  Var *v = add_var(T_U, false);
  snprintf(v->name, sizeof v->name, "r%d", id);
  v->n = 3;
  log_vars(nvars - 1);
  close();
}

// ---- jobs ----
static void use_job(int t, int id) {
  result(t, fmt("r%d", id), fmt("AW j%d", id));
  stmts((int)rnd(2), 2);
  line("TASK(%s) t%d = SPAWN j%d;", type_name(t), id, id);
  if (chance(50)) line("JOBFREE(j%d);", id);
  else { result(t, fmt("uj%d", id), fmt("AW j%d", id)); line("JOBFREE(j%d);", id); }
  result(t, fmt("q%d", id), fmt("AW t%d", id));
}

static void job_body(int t, int id, int depth) {
  static Fn nobody = {.name = "job", .ret = T_U};
  char *own;
  int first = nvars;
  Fn *outer = self, *other = peer;
  scope_open();
  char *list = copies(3, false, &own);
  line("JOB(%s) j%d = JOBHEAD(%s) %s", type_name(t), id, list, own);
  indent++;
  Exits e = no_exits();
  Effect keep = acc, forbidden = forbid;
  int hidden = first_visible;
  first_visible = first;
  self = &nobody;
  peer = NULL;
  acc = forbid = (Effect){0, 0};
  line("u32 mixed = 1;");
  stmts(1 + (int)rnd(3), depth - 1);
  log_vars(first);
  line("JOBTAIL(%s)", t == T_U ? "mixed" : expr(t, depth - 1));
  first_visible = hidden;
  self = outer;
  peer = other;
  acc = keep;
  forbid = forbidden;
  exits_back(e);
  indent--;
  scope_close();
}

static void job(int depth) {
  Fn *f = spawnable(true);
  int id = ++nlabels, t = f && chance(50) ? f->ret : chance(50) ? T_U : value_type();
  Exits e = no_exits();
  open("");
  char *c = f && f->ret == t ? call_of(f, depth - 1, false) : NULL;
  if (c) line("JOB(%s) j%d = MAKEJOB %s;", type_name(t), id, c);
  else job_body(t, id, depth);
  use_job(t, id);
  close();
  exits_back(e);
}

// ---- scopes, races, errors ----
static void block_to_leave(int depth) {
  scope_open();
  indent++;
  stmts((int)rnd(3), depth - 1);
  if (chance(70)) leave_far(depth);
  stmts((int)rnd(3), depth - 1);
  indent--;
  scope_close();
}

static void scope(int depth) {
  int id = ++nlabels, keep = ntargets;
  if (ntargets == MOST) return;
  targets[ntargets].kind = SCOPE;
  targets[ntargets++].id = id;
  line("SCOPE(%d) {", id);
  block_to_leave(depth);
  ntargets = keep;
  line("} ELSE(%d) {", id);
  block((int)rnd(3), depth - 1);
  line("} ENDSCOPE(%d)", id);
}

static void loser(int id) {
  static const char *const waits[] = {"fm_sleep(1000000)", "fm_sem_wait(&nobody)"};
  int t = value_type();
  char *x = chance(60) ? lvalue(t, WRITE, 0) : NULL;
  char *c = fmt("never_%s(%s)", type_tag(t), constant(t));
  line("LOSER(%d, %s)", id, x ? fmt("%s = %s", x, c) : chance(50) ? c : waits[rnd(2)]);
}

static void arm(int depth) {
  nbreaks++;
  line("{");
  block((int)rnd(3), depth - 1);
  line("}");
  nbreaks--;
  line("ENDARM");
}

static void race(int depth) {
  int t = value_type(), first = nlabels + 1, n = (int)rnd(3), at = (int)rnd((unsigned)n + 1);
  nlabels += 3;
  Iso i = iso_open();
  char *c = call(t, depth - 1);
  iso_next(&i);
  char *x = c && chance(70) ? lvalue(t, WRITE, chance(50) ? 0 : depth - 1) : NULL;
  iso_close(&i);
  if (!c || !strncmp(c, "(ATOM", 5)) return;      // that would wait for nothing
  line("RACE {");
  for (int k = 0; k <= n; k++) {
    if (k == at) line("WINNER(%s%s%s)", x ? x : "", x ? " = " : "", c);
    else loser(first + k);
    arm(depth);
  }
  line("}");
}

static int ntries(void) {
  int n = 0;
  for (int k = first_target; k < ntargets; k++) n += targets[k].kind == TRY;
  return n;
}

static void try(int depth) {
  int id = ++nlabels, keep = ntargets, level = ntries();
  if (level >= 3 || ntargets == MOST) return;
  bool finally = chance(40);
  Exits e = {0};
  if (finally) e = no_exits();
  int inner = ntargets;
  targets[ntargets].kind = TRY;
  targets[ntargets++].id = id;
  level = ntries() - 1;
  line("TRY(%d) {", id);
  block_to_leave(depth);
  ntargets = inner;
  line("} CATCH(%d, %d) {", id, level);
  scope_open();
  indent++;
  Var *v = add_var(T_U, false);
  line("CAUGHT(%d, %s)", id, v->name);
  stmts((int)rnd(3), depth - 1);
  if (chance(50)) log_vars(nvars - 1);
  indent--;
  scope_close();
  line("} ENDCATCH(%d)", id);
  if (finally) {
    line("FINALLY {");
    block(1 + (int)rnd(2), depth - 1);
    line("}");
    exits_back(e);
  }
  ntargets = keep;
  line("ENDTRY");
}

bool leave_far(int depth) {                       // a throw or a cancel
  if (ntargets == first_target) return false;
  int k = first_target + (int)rnd((unsigned)(ntargets - first_target));
  if (targets[k].kind == SCOPE && k < first_cancel) return false;
  char *c = condition(depth - 1);
  if (targets[k].kind == SCOPE) { line("if (%s) CANCEL(%d);", c, targets[k].id); return true; }
  int level = -1;
  for (int j = first_target; j <= k; j++) level += targets[j].kind == TRY;
  line("if (%s) THROW(%d, %d, %s);", c, targets[k].id, level, expr(T_U, depth - 1));
  return true;
}

static void defer(int depth) {                    // { DEFER({ … }) { … } DEFERRED({ … }) }
  Buf text = {0}, *outer = out;
  Effect before = acc;
  int in = indent;
  Exits e = no_exits();
  out = &text;
  indent = 0;
  line("{");
  block(1 + (int)rnd(2), depth - 1);
  line("}");
  out = outer;
  indent = in;
  acc = before;
  open("");
  line("DEFER(%s)", text.at);
  line("{");
  block(1 + (int)rnd(3), depth - 1);
  line("}");
  line("DEFERRED(%s)", text.at);
  close();
  exits_back(e);
}

static void held_back(const char *how, int depth) { // atomic, shield
  int keep = first_cancel, lives = live;
  if (first_cancel < MOST) first_cancel = how[0] == 'A' ? MOST : ntargets; // docs/limits.md: of scopes in its own atomics
  if (how[0] == 'A') live = 0;
  line("%s {", how);
  block(2, depth - 1);
  line("}");
  live = lives;
  first_cancel = keep;
}

void beside(int depth) {
  switch (rnd(16)) {
  case 0: case 1: if (may_spawn) spawns(depth); break;
  case 2: case 3: case 4: case 5: activities(depth); break;
  case 6: if (mult < 60) activities_in_a_loop(depth); break;
  case 7: job(depth); break;
  case 8: case 9: scope(depth); break;
  case 10: case 11: race(depth); break;
  case 12: case 13: try(depth); break;
  case 14: defer(depth); break;
  default: held_back(chance(60) ? "ATOM" : "SHIELD", depth); break;
  }
}
