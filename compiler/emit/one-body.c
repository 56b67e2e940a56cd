// one-body.c: prints functions with many pauses, whose versions call and resume share one text
// (frame/forms.c has chosen them). In one form this is
//
//     T f__fm_body(domain, parameters, frame)
//
// which begins if there is no frame, and otherwise jumps to the pause that frame->state names.
// f__fm_call and f__fm_resume call it. In the other form (Async.one_version) f__fm_call makes a
// frame and enters the resume version. Large functions have parts instead (print-parts.c).
#include "emit/layout.h"
#include "emit/versions.h"

// ---- f__fm_body ----
static void print_body_params(Printer *p, Async *a) {
  int n = 0;
  for (Param *q = a->type->params; q; q = q->next, n++) {
    char name[32];
    snprintf(name, sizeof name, "fm__p%d", n);
    print_text(p, ", ");
    print_type(p,
               type_unqual(a->u, q->type),
               q->sym ? q->sym->local->name : name,
               0);
  }
}

// Prints arguments without meaning, with which f__fm_resume calls the body.
static void print_no_params(Printer *p, Async *a) {
  for (Param *q = a->type->params; q; q = q->next) {
    if (type_is_scalar(canon(q->type))) {
      print_text(p, ", 0");
      continue;
    }
    print_text(p, ", (");
    print_type(p, type_unqual(a->u, q->type), "", 0);
    print_text(p, ")");
    print_text(p, type_zero(q->type));
  }
}

// Prints the head of the body: the check on entry, or the jump to the pause.
static void print_dispatch(Printer *p, Async *a) {
  print_say(p,
            for_readers(p) ? "if (!fm__f) {"
                           : "if (__builtin_expect(!fm__f, 1)) { ");
  print_end_note(p, "called");
  print_entry_check(p, a);
  print_say(p, "goto fm__save; } } else { ");
  print_note(p, "Resumed: goes on at the pause that the state names.");
  print_landings(p, a);
  print_jumps(p, a);
  print_say(p, "} ");
}

// Stores the variables that the state keeps, also parameters, because the frame may be new.
static void print_all_stores(Printer *p, Async *a, int state) {
  for (size_t i = 0; i < a->locals.len; i++)
    if (kept_at(a, state, a->locals.at[i]))
      print_store(p, a->locals.at[i]);
}

// Prints the end of the body, where it leaves at a pause: it stores the variables that the state
// keeps. fm__leave() has made the frame, if there was none, and stored the state.
static void print_save(Printer *p, Async *a) {
  print_note(p,
             "Leaves: what is still needed is stored in the frame, which is "
             "made now if there is none.");
  print_say(p,
            " if (0) { fm__save: fm__f = (%s__fm_frame *)fm__leave(fm__c, "
            "(fm_frame *)fm__f, &%s__fm_code, fm__st); if (fm__f) switch "
            "(fm__f->fm__h.state) { ",
            a->name,
            a->name);
  for (int i = 0; i < a->nstates; i++) {
    if (!is_first_of_kept(a, i) || !keeps_anything(a, i))
      continue;
    print_kept_cases(p, a, i);
    print_all_stores(p, a, i);
    print_say(p, "break; ");
  }
  print_say(p, "} } ");
}

static void print_body_heading(Printer *p, Async *a) {
  Buf name = { 0 };
  Printer q = without_lines(p, &name);
  buf_printf(&name, "%s__fm_body(fm_domain *fm__c", a->name);
  print_body_params(&q, a);
  buf_printf(&name, ", %s__fm_frame *fm__f)", a->name);
  print_code_attributes(p, a, false);
  print_text(p, "static __attribute__((noinline)) ");
  print_type(p, returned(a), name.data, 0);
  buf_free(&name);
}

static void print_body(Printer *p, Async *a) {
  open_window(p, a);
  print_note(p,
             "%s, called or resumed. It has many pauses: one body serves both, "
             "with all variables at its head.",
             a->decl->name->name);
  begin_version(p, a, V_RESUME);
  print_body_heading(p, a);
  print_say(p, " { ");
  use_nameless(p, a);
  declare_hoisted(p, a);
  print_say(p, "uint32_t fm__st = 0; ");
  print_dispatch(p, a);
  use_hoisted(p, a);
  print_user_body(p, a);
  print_text(p, " ");
  if (is_main(a) && !returns_void(a))
    print_say(p, "if (fm__f) fm__f->fm__ret = 0; return 0; ");
  else if (returns_void(a))
    print_say(p, "return; ");
  print_save(p, a);
  if (!returns_void(a))
    print_dummy(p, a);
  print_say(p, "}\n");
}

// ---- f__fm_call, which enters the resume version ----
// After a pause, fm__left_by() links the frame, or frees it if `return g(x);` has given it away.
void print_call_of_resume(Printer *p, Async *a) {
  buf_puts(p->out, "\n# 1 \"<fermata>\" 3\n");
  p->line = UINT32_MAX;
  p->version = V_PLAIN;
  print_note(p, "%s, called: its frame is made now.", a->decl->name->name);
  print_call_in_frame(p, a);
  print_say(p,
            " }\n  %s__fm_resume(fm__c, &fm__f->fm__h);\n  if "
            "(fm__pausing(fm__c)) { ",
            a->name);
  print_say(p, "fm__left_by(fm__c, &fm__f->fm__h); ");
  print_dummy(p, a);
  print_say(p, " }\n  ");
  if (!returns_void(a)) {
    print_type(p, returned(a), "fm__v", 0);
    print_say(p,
              ";\n  __builtin_memcpy((void *)&fm__v, (const void "
              "*)&fm__f->fm__ret, sizeof fm__v);\n  ");
  }
  print_say(p,
            "fm__frame_free(fm__c, &fm__f->fm__h);\n%s}\n",
            returns_void(a) ? "" : "  return fm__v;\n");
  print_lost(p);
}

// ---- f__fm_call and f__fm_resume, which enter the body ----
static void print_called(Printer *p, Async *a) {
  print_note(p, "%s, called.", a->decl->name->name);
  print_header(p, a, GEN_CALL);
  print_say(p,
            returns_void(a) ? " {\n  %s__fm_body(fm__c"
                            : " {\n  return %s__fm_body(fm__c",
            a->name);
  print_args(p, a->type);
  print_say(p, ", 0);\n}\n");
}

bool stores_result(Async *a) {
  return !returns_void(a) && type_is_scalar(canon(returned(a)));
}

static void print_resumed(Printer *p, Async *a) {
  bool copies = !returns_void(a) && !stores_result(a);
  print_note(p,
             "%s, resumed in a frame: goes on at the pause that its state "
             "names.",
             a->decl->name->name);
  print_say(p,
            "static void %s__fm_resume(fm_domain *fm__c, fm_frame *fm__h) {\n  "
            "%s__fm_frame *fm__f = (%s__fm_frame *)fm__h;\n  ",
            a->name,
            a->name,
            a->name);
  if (copies) {
    print_type(p, returned(a), "fm__v", 0);
    print_say(p, " = ");
  }
  print_say(p, "%s__fm_body(fm__c", a->name);
  print_no_params(p, a);
  print_say(p, ", fm__f);\n");
  if (copies)
    print_say(p,
              "  if (!fm__pausing(fm__c)) __builtin_memcpy((void "
              "*)&fm__f->fm__ret, &fm__v, sizeof fm__v);\n");
  print_say(p, "}\n");
}

// The function is called, not only started and resumed, as the bodies of activates, arms and jobs
// are.
static bool is_called(const Async *a) {
  return !a->up && (!a->boundary || a->function);
}

static void print_entries(Printer *p, Async *a) {
  if (!a->large) {
    print_called(p, a);
    print_resumed(p, a);
    return;
  }
  if (is_called(a))
    print_large_called(p, a);
  print_large_resumed(p, a);
}

void print_one_body(Printer *p, Async *a) {
  if (a->large) {
    begin_version(p, a, V_RESUME);
    print_parts(p, a);
  } else {
    print_body(p, a);
  }
  buf_puts(p->out, "\n# 1 \"<fermata>\" 3\n");
  p->line = UINT32_MAX;
  p->version = V_PLAIN;
  print_entries(p, a);
  print_lost(p);
}
