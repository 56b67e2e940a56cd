// print-pause.c: prints the statements that the versions of an async function print differently:
// pauses, yields, returns and errors. The call version leaves by a call of f__fm_spill, which makes
// the frame. The resume version leaves by a jump to the code that stores the fields (fm__save). The
// atomic version never leaves.
#include "emit/layout.h"
#include "emit/print-async.h"

// ---- pauses ----
void note_pause(Printer *p, TokIndex tok, Why why) {
  static const char *const words[] = {
    [WHY_CALL] = "may pause here",
    [WHY_TAIL] = "may pause here, and returns",
    [WHY_AFTER] = "may pause here; then an automatic yield",
    [WHY_AWAIT] = "may pause here: await",
    [WHY_YIELD] = "pauses here: yield",
    [WHY_AUTO] = "an automatic yield: pauses if the slice is over",
    [WHY_JOIN] = "waits here for those that share the block's variables",
  };
  if (!for_readers(p) || why >= COUNT(words) || !words[why])
    return;
  const Token *t = tok_at(p->u, tok);
  const char *file = p->u->files[t->file].name;
  const char *slash = strrchr(file, '/');
  print_note(p, "%s:%u: %s", slash ? slash + 1 : file, t->line, words[why]);
}

static void note_state(Printer *p, const Node *s) {
  if (!yielding(p) || !s->val)
    return;
  const State *k = &p->async->states[s->val];
  bool after = s->kind == N_PAUSE && may_end_slice(s) && p->async->auto_yield;
  note_pause(p, k->tok, after && k->why == WHY_CALL ? WHY_AFTER : (Why)k->why);
}

// Leaves the function, to be resumed in `state`; flag: see emit.h.
static void print_stop(Printer *p, int state, const char *flag) {
  if (p->version == V_CALL)
    print_return_spill(p, state, flag);
  else if (p->part)
    print_stop_part(p, state, flag);
  else
    print_say(p, "fm__st = %d%s; goto fm__save;", state, flag);
}

// Leaves after the call of s, which has paused or ended.
static void print_stop_after(Printer *p, Node *s) {
  bool held = !has_second_state(s);
  if (held && s->a) {
    print_text(p, "__builtin_memcpy(fm__c->held, &");
    print_expr(p, s->a, L_UNARY);
    print_text(p, ", sizeof ");
    print_expr(p, s->a, L_UNARY);
    print_text(p, "); ");
  }
  print_stop(p, (int)s->val, held ? " | FM_HELD" : " | FM_AFTER");
}

// Returns the name of the called function; "": it has none, or e is no call.
static const char *called_name(const Node *e) {
  const Node *f = e->kind == N_CALL ? bare_callee(e->a) : NULL;
  return f && f->kind == N_IDENT && f->sym && f->sym->kind == S_FUNC
             ? f->sym->name->name
             : "";
}

// A return from the resume version, or from the body that serves as it.
static void print_dummy_of_resumed(Printer *p) {
  if (p->async->one_body)
    print_dummy(p, p->async);
  else
    print_text(p, "return;");
}

// Prints the shortest way out of a resumed function, for a wait in which no callee has a frame:
// there is nothing to link, and fm__stop() has nothing to find out.
static void print_wait_here(Printer *p, Node *s) {
  if (p->version != V_RESUME || p->part || !p->async->states[s->val].near)
    return;
  bool one = p->async->one_body;
  print_text(p,
             one ? "if (fm__f && fm__waits_here(fm__c)) { "
                 : "if (fm__waits_here(fm__c)) { ");
  print_stores(p, p->async, (int)s->val);
  print_number(
      p, one ? "fm__f->fm__h.state = " : "fm__h->state = ", s->val, "; ");
  print_dummy_of_resumed(p);
  print_text(p, " } ");
}

bool has_inline_version(const Node *call) {
  const char *name = called_name(call);
  return strcmp(name, "fm__chan_send") == 0 ||
         strcmp(name, "fm__chan_recv") == 0 ||
         strcmp(name, "fm__chan_give") == 0;
}

// s is the last wait of the function, and an operation of the library that may take or give
// something at once. Then another version of the operation is called: an arm of a race may have
// lost during an automatic yield before it, and must not do the operation.
static bool is_last(Printer *p, Node *s) {
  // clang-format off
  static const char *const with[] = {
    "fm__chan_send",
    "fm__chan_recv",
    "fm__chan_give",
    "fm__mvar_put",
    "fm__mvar_take",
    "fm_sem_wait",
    "fm_sem_wait_n",
    "fm_limiter_wait",
    "fm_limiter_wait_n",
    "fm_lock",
    "fm__mailbox_receive",
    "fm__publish",
    "fm__hear",
    "fm__latest_next",
  };
  // clang-format on
  const char *name = p->async->states[s->val].more ? "" : called_name(s->b);
  for (size_t i = 0; i < COUNT(with); i++)
    if (strcmp(name, with[i]) == 0)
      return true;
  return false;
}

// The inline version of the operation is printed: in the resume version only.
static bool is_inline(Printer *p, Node *s) {
  return p->version == V_RESUME && !p->async->one_body &&
         has_inline_version(s->b);
}

// Prints an inline operation. The function goes on if the operation succeeds. If not, the function
// leaves; FM_RARE: it makes a call on the way out, so that the call keeps no registers alive here.
static void print_inline(Printer *p, Node *s) {
  print_text(p, "{ int fm__q = ");
  print_call(p, s->b, is_last(p, s) ? GEN_INLINE_LAST : GEN_INLINE);
  print_text(p, "; if (fm__q != FM_GO) { ");
  print_stores(p, p->async, (int)s->val);
  print_number(p, "fm__paused_in(fm__h, ", s->val, "); if (fm__q == FM_RARE) ");
  print_call(p, s->b, is_last(p, s) ? GEN_RARE_LAST : GEN_RARE);
  print_text(p, "; return; }");
  if (may_end_slice(s) && p->async->auto_yield) {
    print_text(p, " if (fm__stopped(fm__c)) { ");
    print_stop_after(p, s);
    print_text(p, " }");
  }
  print_text(p, " }");
}

// Prints the check after a call. The way out never comes back into the function: otherwise all
// variables would be alive across one more call.
static void print_check(Printer *p, Node *s, bool yields) {
  print_text(
      p,
      yields ? " if (fm__stopped(fm__c)) { "
      // the next automatic yield sees that the slice is over
      : p->async->auto_yield
          ? " if (fm__pausing(fm__c)) { "
          : " if (fm__stopped(fm__c) && fm__below(fm__c) == FM_PAUSED) { ");
  print_wait_here(p, s);
  if (s->d) { // if the callee unwinds, this function goes on at its handler
    print_text(p,
               for_readers(p)
                   ? "if (fm__unlikely(fm__unwinds(fm__c))) "
                   : "if (__builtin_expect(fm__unwinds(fm__c), 0)) ");
    print_goto(p, s->d->name);
    print_text(p, " ");
  }
  if (yields)
    print_stop_after(p, s);
  else
    print_stop(p, (int)s->val, "");
  print_text(p, " }");
}

// `x = `, before the call whose result s assigns to x
static void print_dst(Printer *p, Node *s) {
  if (!s->a)
    return;
  if (type_has_const_member(s->a->type)) {
    print_value_type(p, s->b, "fm__k");
    print_text(p, " = ");
    return;
  }
  print_expr(p, s->a, L_UNARY);
  print_text(p, " = ");
}

// Assigns the result of a callee, which the runtime has left at `from`, and drops it there.
static void print_taken(Printer *p, Node *s, const char *from) {
  if (s->a && type_has_const_member(s->a->type)) { // C cannot assign to it
    print_text(p, "__builtin_memcpy((void *)&");
    print_expr(p, s->a, L_CAST);
    print_text(p, ", ");
    print_text(p, from);
    print_text(p, ", sizeof ");
    print_expr(p, s->a, L_UNARY);
    print_text(p, "); ");
  } else if (s->a) {
    print_dst(p, s);
    print_value_at(p, s->b);
    print_text(p, from);
    print_text(p, "; ");
  }
  print_text(p, "fm__done(fm__c);");
}

// `spawn f(x)`, without `on`, `in` and the like
static Node *plain_spawn(Node *e) {
  while (e->kind == N_PAREN)
    e = e->a;
  return e->kind == N_SPAWN && e->op == 0 ? e : NULL;
}

static void print_await(Printer *p, Node *s) {
  Node *spawn = plain_spawn(s->b->a);
  const char *function = spawn ? "fm__await_new" : await_function(s->b);
  buf_printf(p->out, "{ void *fm__r = %s(fm__c, ", function);
  if (spawn)
    print_root(p, spawn->a);
  else
    print_expr(p, s->b->a, L_ASSIGN);
  print_text(p, ");");
  print_check(p, s, false);
  print_text(p, s->a ? " " : " (void)fm__r; ");
  print_taken(p, s, "fm__r");
  print_text(p, " }");
}

// Prints the text before (open) or after a call whose result C cannot assign: a structure with
// const members. The result is a variable fm__k, which is copied.
static void print_fixed(Printer *p, Node *s, bool open) {
  if (!s->a || !type_has_const_member(s->a->type) ||
      (s->b->kind == N_AWAIT && yielding(p)))
    return;
  print_text(p, open ? "{ " : " __builtin_memcpy((void *)&");
  if (open)
    return;
  print_expr(p, s->a, L_CAST);
  print_text(p, ", &fm__k, sizeof fm__k); }");
}

// The call s, which does not pause, may throw, if only an unchecked error.
static bool may_throw(const Node *s) {
  const Node *e = s->b;
  const Symbol *f = called_symbol(e);
  if (e->flags & NF_THROWS || e->kind == N_AWAIT || e->kind == N_RUN)
    return true;
  if (e->kind == N_CALL)
    return e->flags & NF_ASYNC && !(f && f->steady);
  return e->kind == N_RT && s->flags & NF_ATOMIC;
}

// A call that does not pause, but may throw.
static void print_checked_call(Printer *p, Node *s) {
  Node *e = s->b;
  print_fixed(p, s, true);
  print_dst(p, s);
  // C compilers warn of a statement expression whose value is not used
  if (!s->a && (e->kind == N_AWAIT || e->kind == N_RUN))
    print_text(p, "(void)");
  print_async_expr(p, e);
  print_text(p, ";");
  print_fixed(p, s, false);
  if (e->kind == N_RT && yielding(p))
    print_text(p,
               " if (fm__stopped(fm__c) && fm__below(fm__c) == FM_PAUSED) "
               "fm__atomic_pump(fm__c);");
  if (!may_throw(s))
    return;
  print_text(p, " if (fm__throws()) { ");
  print_left(p, s);
  print_text(p, " }");
}

// Prints a call in a scope that stands in an atomic of this function: it runs as an activity that
// the atomic contains, so that a cancel of the scope reaches it.
static void print_contained_call(Printer *p, Node *s) {
  Node *e = s->b;
  bool job = e->kind == N_AWAIT && canon(e->a->type)->kind == TY_JOB;
  if (e->kind == N_AWAIT && !job) {
    print_text(p, "{ void *fm__r = fm__atomic_await(fm__c, ");
    print_expr(p, e->a, L_ASSIGN);
  } else {
    print_text(p, "{ void *fm__r = fm__atomic_call(fm__c, ");
    print_root(p, job ? e->a : e);
  }
  print_text(p, "); if (fm__throws()) { ");
  print_left(p, s);
  print_text(p, s->a ? " } " : " } (void)fm__r; ");
  print_taken(p, s, "fm__r");
  print_text(p, " }");
}

static bool is_contained_call(Printer *p, const Node *s) {
  const Node *e = s->b;
  bool waits =
      e->kind == N_AWAIT || (e->kind == N_CALL && (e->flags & NF_ASYNC));
  Type *f = e->kind == N_CALL ? async_target(e->a->type) : NULL;
  // such a function cannot be started in a frame
  if (f && (f->variadic || takes_va_list(p->u, f)))
    return false;
  return waits && s->flags & NF_ATOMIC && yielding(p);
}

static void print_pause_here(Printer *p, Node *s) {
  if (is_contained_call(p, s)) {
    print_contained_call(p, s);
    return;
  }
  if (!yielding(p) || !pauses_there(s->b)) {
    print_checked_call(p, s);
    return;
  }
  if (s->b->kind == N_AWAIT) {
    print_await(p, s);
  } else if (is_inline(p, s)) {
    print_inline(p, s);
  } else {
    print_fixed(p, s, true);
    print_dst(p, s);
    if (s->b->kind == N_SPAWN)
      print_spawn(p, s->b);
    else if (s->b->kind == N_RT)
      print_rt(p, s->b);
    else
      print_call(p, s->b, is_last(p, s) ? GEN_LAST : GEN_CALL);
    print_text(p, ";");
    print_fixed(p, s, false);
    print_check(p, s, s->op == PAUSE_YIELDS && p->async->auto_yield);
  }
  if (p->version != V_RESUME)
    return;
  print_text(p, " if (0) { ");
  print_end_note(p, "not reached from above, but when it is resumed");
  print_number(p, "fm__L", s->val, ": ");
  print_taken(p, s, "fm__c->result");
  print_text(p, " }");
  if (has_second_state(s))
    print_number(p, " fm__L", s->val + 1, ":;");
}

static void print_pause(Printer *p, Node *s) {
  if (pauses_there(s->b) && !is_contained_call(p, s))
    note_state(p, s);
  print_sync(p, s->tok);
  print_pause_here(p, s);
  // after a pause or an error the function has been left
  if (never_returns(s->b))
    print_text(p, " __builtin_unreachable();");
}

// A yield in the resume version.
static void print_yield_here(Printer *p, Node *s) {
  bool one = p->async->one_body;
  print_text(p, one ? "if (fm__f) { " : "");
  print_stores(p, p->async, (int)s->val);
  print_number(p,
               one ? "fm__yield_here(fm__c, &fm__f->fm__h, "
                   : "fm__yield_here(fm__c, fm__h, ",
               s->val,
               "); ");
  print_dummy_of_resumed(p);
  if (!one)
    return;
  print_text(p, " } fm__yield(fm__c); ");
  print_stop(p, (int)s->val, "");
}

static void print_yield(Printer *p, Node *s) {
  print_sync(p, s->tok);
  if (p->version == V_ATOMIC || p->version == V_PLAIN ||
      !(s->flags & NF_PAUSE)) {
    print_text(p, "{}"); // not `;`: it may be the whole statement after an `if`
    return;
  }
  note_state(p, s);
  if (p->version == V_RESUME && !p->part) {
    print_yield_here(p, s);
  } else {
    print_text(p, "fm__yield(fm__c); ");
    print_stop(p, (int)s->val, ""); // a yield always pauses
    if (p->version == V_CALL)
      print_note(p, "what follows is done by %s__fm_resume", p->async->name);
  }
  if (p->version == V_RESUME)
    print_number(p, " fm__L", s->val, ":;");
}

static void print_auto(Printer *p, Node *s) {
  if (p->version == V_ATOMIC || p->version == V_PLAIN)
    return;
  // the semicolon: clang looks at the token after a body without braces
  print_text(p, ";");
  note_state(p, s);
  print_text(p, " if (fm__stopped(fm__c)) { ");
  print_stop(p, (int)s->val, "");
  print_text(p, " }");
  if (p->version == V_RESUME)
    print_number(p, " fm__L", s->val, ":;");
}

static void print_activate(Printer *p, Node *s) {
  const char *name = s->decl->name->name;
  print_sync(p, s->tok);
  buf_printf(p->out,
             "{ %s__fm_frame *fm__a = (%s__fm_frame *)%s__fm_start(fm__c",
             name,
             name,
             name);
  print_copies(p, s->c);
  print_text(p,
             "); fm__a->fm__up = fm__f; fm__activate(fm__c, &fm__a->fm__h, ");
  if (s->val)
    print_number(p, "&fm__f->fm__g", s->val - 1, ", ");
  else
    print_text(p, "0, ");
  if (s->b)
    print_expr(p, s->b, L_ASSIGN);
  else
    print_text(p, "0");
  print_text(p, ", 0); }");
}

// ---- returns ----
// Prints a return of a C function that returns the value: the body that call and resume share, or
// the call version, which frees its frame (frees).
static void print_value_return(Printer *p, Node *value, bool frees) {
  bool is_void = type_is_void(p->async->type->base);
  print_text(p, "{ ");
  if (value && !is_void) {
    print_type(p, type_unqual(p->u, p->async->type->base), "fm__v", 0);
    print_text(p, " = ");
  }
  if (value) {
    print_expr(p, value, is_void ? L_COMMA : L_ASSIGN);
    print_text(p, "; ");
  }
  print_vla_frees(p);
  if (frees)
    print_text(p, "fm__frame_free(fm__c, &fm__f->fm__h); ");
  if (!frees && value && stores_result(p->async))
    print_text(p, "if (fm__f) fm__f->fm__ret = fm__v; ");
  print_text(p, value && !is_void ? "return fm__v; }" : "return; }");
}

// Prints a return in a part of a large function: the value is stored in the frame.
static void print_stored_return(Printer *p, Node *value) {
  Type *t = p->async->type->base;
  bool fixed = type_has_const_member(t); // C cannot assign to it
  print_text(p, "{ ");
  if (value && fixed) {
    print_type(p, type_unqual(p->u, t), "fm__v", 0);
    print_text(p, " = ");
  } else if (value && !type_is_void(t)) {
    print_text(p, "fm__f->fm__ret = ");
  }
  if (value) {
    print_expr(p, value, type_is_void(t) ? L_COMMA : L_ASSIGN);
    print_text(p, "; ");
  }
  if (value && fixed)
    print_text(
        p, "__builtin_memcpy((void *)&fm__f->fm__ret, &fm__v, sizeof fm__v); ");
  print_part_end(p);
  print_text(p, " }");
}

// Prints a return of the resume version: the value is stored in the frame.
static void print_end(Printer *p, Node *value) {
  if (p->part) {
    print_stored_return(p, value);
    return;
  }
  if (p->async->one_body) {
    print_value_return(p, value, false);
    return;
  }
  // C cannot assign to it
  if (value && type_has_const_member(p->async->type->base)) {
    print_text(p, "{ ");
    print_type(p, type_unqual(p->u, p->async->type->base), "fm__v", 0);
    print_text(p, " = ");
    print_expr(p, value, L_ASSIGN);
    print_text(
        p,
        "; __builtin_memcpy((void *)&fm__f->fm__ret, &fm__v, sizeof fm__v); ");
    print_vla_frees(p);
    print_text(p, "return; }");
    return;
  }
  if (value && !type_is_void(p->async->type->base)) {
    print_text(p, "{ fm__f->fm__ret = ");
    print_expr(p, value, L_ASSIGN);
    print_text(p, "; ");
    print_vla_frees(p);
    print_text(p, "return; }");
    return;
  }
  print_text(p, "{ ");
  if (value) {
    print_expr(p, value, L_COMMA);
    print_text(p, "; ");
  }
  print_vla_frees(p);
  print_text(p, "return; }");
}

// Prints a return in f__fm_short.
static void print_begun_return(Printer *p, Node *value) {
  bool is_void = type_is_void(p->async->type->base);
  print_text(p, "{ ");
  if (value && !is_void) {
    print_type(p, type_unqual(p->u, p->async->type->base), "fm__v", 0);
    print_text(p, " = ");
  }
  if (value) {
    print_expr(p, value, is_void ? L_COMMA : L_ASSIGN);
    print_text(p, "; ");
  }
  if (value && !is_void)
    print_copy(p, p->async->type->base, "fm__f->fm__ret", "fm__v");
  print_text(p, "return; }");
}

static void print_return(Printer *p, Node *s) {
  print_sync(p, s->tok);
  if (p->begins) {
    print_begun_return(p, s->a);
  } else if (p->version == V_RESUME) {
    print_end(p, s->a);
  } else if (p->version == V_CALL && p->async->frame_on_entry &&
             !p->frameless) {
    print_value_return(p, s->a, true);
  } else {
    print_text(p, "return ");
    if (s->a)
      print_expr(p, s->a, L_COMMA);
    print_text(p, ";");
  }
}

// Prints the place where a function is resumed after a tail call for which it has kept its frame:
// the callee has ended, and the function returns its result.
static void print_tail_label(Printer *p, Node *s) {
  bool is_void = type_is_void(s->b->type);
  bool one = p->async->one_body && !p->part;
  print_number(p, " fm__L", s->val, ":; ");
  if (!is_void) {
    print_text(p, "__builtin_memcpy((void *)&");
    print_text(p,
               one ? "fm__v, fm__c->result, sizeof fm__v); "
                   : "fm__f->fm__ret, fm__c->result, sizeof fm__f->fm__ret); ");
  }
  if (p->part) {
    print_text(p, "fm__done(fm__c); ");
    print_part_end(p);
    return;
  }
  print_vla_frees(p);
  print_text(p, "fm__done(fm__c); ");
  if (one && stores_result(p->async))
    print_text(p, "fm__f->fm__ret = fm__v; ");
  print_text(p, one && !is_void ? "return fm__v;" : "return;");
}

// `return g(x);`, as a tail call of C
static void print_bare_tail(Printer *p, Node *s, bool atomic) {
  bool is_void = type_is_void(s->b->type);
  if (!is_void)
    print_text(p, "return ");
  print_call(p, s->b, atomic ? GEN_ATOMIC : GEN_CALL);
  print_text(p, is_void ? "; return;" : ";");
}

// Prints the code after a tail call whose callee has paused. In the resume version, the callee's
// frame takes the place of this function's frame (fm__tail). That is not possible if the callee
// waits without a frame and this function has no caller: then the function stays in its frame. So
// does a function that has been called, for such a wait.
static void print_give_place(Printer *p, Node *s) {
  if (p->part || p->version == V_CALL) {
    print_text(p,
               " if (fm__pausing(fm__c) && !fm__unwinds(fm__c) && !fm__c->top "
               "&& !fm__f->fm__h.parent) { ");
    print_stop(p, (int)s->val, "");
    print_text(p, " }");
    return;
  }
  print_text(p,
             " if (fm__pausing(fm__c)) { if (fm__unwinds(fm__c) || "
             "fm__tail(fm__c, &fm__f->fm__h)) { ");
  print_dummy_of_resumed(p);
  print_text(p, " } ");
  print_stop(p, (int)s->val, "");
  print_text(p, " }");
}

// `return f(…);` is a C tail call in the call version without a frame: the parent of a callee that
// pauses is then the frame of this function's caller.
static void print_tail_call(Printer *p, Node *s) {
  bool is_void = type_is_void(s->b->type);
  bool framed = p->async->frame_on_entry;
  bool one = p->async->one_body;
  note_state(p, s);
  print_sync(p, s->tok);
  if (p->version == V_ATOMIC || (p->version == V_CALL && !framed)) {
    print_bare_tail(p, s, p->version == V_ATOMIC);
    return;
  }
  print_text(p, "{ ");
  if (one && !framed) { // called, not resumed
    print_text(p, "if (!fm__f) { ");
    print_bare_tail(p, s, false);
    print_text(p, " } ");
  }
  if (!is_void) {
    print_value_type(p, s->b, "fm__v");
    print_text(p, " = ");
  }
  print_call(p, s->b, GEN_CALL);
  print_text(p, ";");
  if (tail_keeps_frame(p->async, s->tok))
    print_check(p, s, false);
  else
    print_give_place(p, s);
  print_text(p, " ");
  print_vla_frees(p);
  if (p->part) {
    if (!is_void)
      print_copy(p, s->b->type, "fm__f->fm__ret", "fm__v");
    print_part_end(p);
  } else if (one) {
    if (stores_result(p->async))
      print_text(p, "fm__f->fm__ret = fm__v; ");
    print_text(p, is_void ? " return;" : " return fm__v;");
  } else if (p->version == V_CALL) {
    print_text(p,
               is_void
                   ? " fm__frame_free(fm__c, &fm__f->fm__h); return; }"
                   : " fm__frame_free(fm__c, &fm__f->fm__h); return fm__v; }");
    return;
  } else {
    print_text(p, " ");
    if (!is_void)
      print_copy(p, s->b->type, "fm__f->fm__ret", "fm__v");
    print_text(p, "return;");
  }
  print_tail_label(p, s);
  print_text(p, " }");
}

// ---- errors ----
static void print_throw(Printer *p, Node *s) {
  Token *t = tok_at(p->u, s->tok);
  print_at(p, s->tok, "{ ");
  print_type(p, type_unqual(p->u, s->a->type), "fm__v", 0);
  print_text(p, " = ");
  print_expr(p, s->a, L_ASSIGN);
  buf_printf(p->out,
             "; fm__throw(&fm__v, sizeof fm__v, \"%s\", ",
             error_type_name(s->type));
  print_file_name(p, s->tok);
  print_number(p, ", ", (long)t->line, "); ");
  print_left(p, s);
  print_text(p, " }");
}

static void print_rethrow(Printer *p, Node *s) {
  print_at(p, s->tok, "{ fm__rethrow(");
  print_expr(p, s->a, L_ASSIGN);
  print_text(p, "); ");
  print_left(p, s);
  print_text(p, " }");
}

// N_ENTRY: the check on entry. Other versions have it at the beginning, or have none.
static void print_entry(Printer *p) {
  if (p->version != V_CALL || !enters_late(p->async))
    return;
  print_text(p, "; ");
  print_late_frame(p, p->async);
  print_entry_check(p, p->async);
  print_return_spill(p, 0, "");
  print_text(p, " }");
}

void print_async_stmt(Printer *p, Node *s) {
  if (p->unevaluated && (s->kind == N_YIELD || s->kind == N_ACTIVATE)) {
    print_at(p, s->tok, "{}");
    return;
  }
  switch (s->kind) {
  case N_PAUSE:
    print_pause(p, s);
    break;
  case N_YIELD:
    print_yield(p, s);
    break;
  case N_AUTO:
    print_auto(p, s);
    break;
  case N_ENTRY:
    print_sync(p, s->tok);
    print_entry(p);
    break;
  case N_ACTIVATE:
    print_activate(p, s);
    break;
  case N_TAIL:
    print_tail_call(p, s);
    break;
  case N_THROW:
    print_throw(p, s);
    break;
  case N_RETHROW:
    print_rethrow(p, s);
    break;
  case N_RETURN:
    print_return(p, s);
    break;
  default:
    print_at(p, s->tok, s->name->name);
    break;
  }
}
