// print-parts.c: prints a large async function: its parts (frame/parts.c), and the functions that
// enter the first of them, f__fm_call and f__fm_resume. In: a function whose variables all live in
// the frame. Out, for each part:
//
//     static uint32_t f__fm_part2(fm_domain *fm__c, f__fm_frame *fm__f, uint32_t fm__e)
//
// fm__e, where the part is entered, and its result, how it was left, are codes:
//
//                      fm__e                        result
//     0                at its beginning             it has come to its end
//     1                in state 1                   LEFT: the function is left, by a pause, an
//                                                   error or a return
//     2, 3             in state 2, 3                BROKEN, CONTINUED: by break, by continue
//     below nstates    in that state
//     label_code(i)    at label i of the function   a goto leads there
//
// A part hands on a state or label that stands in a part inside it; it returns the code of a label
// that stands outside.
#include "emit/layout.h"
#include "emit/print-async.h"

// How a part was left.
enum {
  LEFT = 1,
  BROKEN = 2,
  CONTINUED = 3,
};

static long label_code(const Async *a, int label) {
  return (long)a->nstates + CONTINUED + 1 + label;
}

// ---- jumps ----
void print_goto(Printer *p, const Ident *label) {
  const PartLabel *to = p->part ? part_label(p->async, label) : NULL;
  if (!to || to->part == p->part) {
    print_text(p, "goto ");
    print_text(p, label->name);
    print_text(p, ";");
    return;
  }
  const BodyPart *inside = part_towards(p->part, to->part);
  long code = label_code(p->async, to->index);
  if (inside)
    print_say(p, " { fm__e = %ld; goto fm__P%d; }", code, inside->index);
  else
    print_say(p, " return %ld;", code);
}

bool print_jump_out(Printer *p, const Node *s) {
  if (!p->part)
    return false;
  if (s->kind == N_GOTO) {
    print_goto(p, s->name);
    return true;
  }
  bool out = (s->kind == N_BREAK && !p->breaks) ||
             (s->kind == N_CONTINUE && !p->continues);
  if (out)
    print_say(p, " return %d;", s->kind == N_BREAK ? BROKEN : CONTINUED);
  return out;
}

void print_stop_part(Printer *p, int state, const char *flag) {
  print_say(p,
            " return %s__fm_stop(fm__c, fm__f, %d%s);",
            p->async->name,
            state,
            flag);
}

void print_part_end(Printer *p) {
  print_say(p, " return %d;", LEFT);
}

// In the parts around it, a part is a call; in the atomic version it is its statements.
void print_part(Printer *p, Node *s) {
  if (!p->part) {
    for (Node *k = s->a; k; k = k->next) {
      print_text(p, " ");
      print_statement(p, k);
    }
    return;
  }
  int n = (int)s->val;
  print_sync(p, s->tok);
  print_say(p,
            "{ fm__e = 0; fm__P%d: fm__x = %s__fm_part%d(fm__c, fm__f, fm__e); "
            "if (fm__x) { ",
            n,
            p->async->name,
            n);
  if (p->breaks)
    print_say(p, "if (fm__x == %d) break; ", BROKEN);
  if (p->continues)
    print_say(p, "if (fm__x == %d) continue; ", CONTINUED);
  print_say(p,
            p->async->places.len ? "goto fm__route; } }" : "return fm__x; } }");
}

// ---- entering a part ----
// `case 3 ... 8: goto fm__P2;`, for codes that lead into the same part. Codes between them that
// nothing uses may go along.
typedef struct Way {
  const BodyPart *inside; // NULL: none yet
  long from;
  long to;
  const BodyPart *last; // the part that was found last; NULL: none
} Way;

// As part_towards(), but faster: neighbours usually stand in the same part.
static const BodyPart *way_towards(Printer *p, Way *w, const BodyPart *to) {
  if (!w->last || w->last == p->part || !part_contains(w->last, to))
    w->last = part_towards(p->part, to);
  return w->last;
}

static void print_way(Printer *p, const Way *w) {
  if (!w->inside)
    return;
  print_say(p, "case %ld", w->from);
  if (w->to != w->from)
    print_say(p, " ... %ld", w->to);
  print_say(p, ": goto fm__P%d; ", w->inside->index);
}

static void add_way(Printer *p, Way *w, const BodyPart *inside, long code) {
  if (w->inside && w->inside == inside) {
    w->to = code;
    return;
  }
  print_way(p, w);
  *w = (Way){ inside, code, code, w->last };
}

// Adds a code that leads to a label in the part's own text.
static void add_own(Printer *p, Way *w, long code, const char *label) {
  add_way(p, w, NULL, 0);
  print_say(p, "case %ld: goto %s; ", code, label);
}

// Prints the cases for the states in the part.
static void print_states_of(Printer *p, Async *a) {
  Way w = { 0 };
  for (int i = p->part->states_from; i < p->part->states_to; i++) {
    const State *s = &a->states[i];
    const BodyPart *to = s->used ? way_towards(p, &w, s->part) : NULL;
    if (!to)
      continue;
    if (to != p->part) {
      add_way(p, &w, to, i);
      continue;
    }
    add_own(p, &w, i, arena_printf(&p->u->arena, "fm__L%d", i));
  }
  print_way(p, &w);
}

// Prints the cases for the labels in the part.
static void print_labels_of(Printer *p, Async *a) {
  Way w = { 0 };
  for (int i = p->part->labels_from; i < p->part->labels_to; i++) {
    const PartLabel *k = a->places.at[i];
    const BodyPart *to = way_towards(p, &w, k->part);
    if (to != p->part) {
      add_way(p, &w, to, label_code(a, i));
      continue;
    }
    add_own(p, &w, label_code(a, i), k->label->name);
  }
  print_way(p, &w);
}

// Prints the jumps to handlers, for a function that is resumed because its callee unwinds.
static void print_landings_of(Printer *p, Async *a) {
  Way w = { 0 };
  if (!a->lands)
    return;
  print_say(p,
            "if (fm__e < %d && __builtin_expect(fm__unwinds(fm__c), 0)) switch "
            "(fm__e) { ",
            a->nstates);
  for (int i = p->part->lands_from; i < p->part->lands_to; i++) {
    const State *s = &a->states[i];
    if (!s->used || !s->landing)
      continue;
    const PartLabel *k = part_label(a, s->landing);
    const BodyPart *to = way_towards(p, &w, k ? k->part : a->parts.at[0]);
    if (!to)
      continue;
    if (to != p->part) {
      add_way(p, &w, to, i);
      continue;
    }
    add_own(p, &w, i, s->landing->name);
  }
  print_way(p, &w);
  print_say(p,
            "default: fm__passes(&%s__fm_code, fm__e); return %d; } ",
            a->name,
            LEFT);
}

// Prints the head of a part, which jumps to the state or label fm__e.
static void print_entry(Printer *p, Async *a) {
  print_say(p, "if (fm__e) { ");
  print_landings_of(p, a);
  print_say(p, "switch (fm__e) { ");
  print_states_of(p, a);
  print_labels_of(p, a);
  print_say(p, "} } ");
}

// ---- parts ----
static void print_part_header(Printer *p, const Async *a, const BodyPart *k) {
  print_code_attributes(p, a, false);
  print_say(p,
            "static __attribute__((noinline)) uint32_t %s__fm_part%d(fm_domain "
            "*fm__c, "
            "%s__fm_frame *fm__f, uint32_t fm__e)",
            a->name,
            k->index,
            a->name);
}

// Prints the end of a part, which jumps to the label that a part inside has returned, or hands it
// on.
static void print_route(Printer *p, Async *a) {
  if (!a->places.len)
    return;
  print_say(
      p,
      "fm__route: __attribute__((unused)); fm__e = fm__x; switch (fm__x) { ");
  print_labels_of(p, a);
  print_say(p, "} return fm__x; ");
}

static void print_part_text(Printer *p, Async *a, const BodyPart *k) {
  p->part = k;
  p->breaks = p->continues = 0;
  print_window(p, k->node->tok, k->node->end + 1);
  print_note(p,
             "A part of %s, which is large: it begins, or goes on at the state "
             "or label that `entered_at` names. Returns 0 at its end; else why "
             "it was left: 1 a pause, an error or a return, 2 break, 3 "
             "continue, more: a label.",
             a->decl->name->name);
  print_sync(p, k->node->tok);
  print_part_header(p, a, k);
  print_say(p, " { uint32_t fm__x __attribute__((unused)) = 0; ");
  print_pointers(p, a);
  print_entry(p, a);
  if (k->around)
    for (Node *s = k->node->a; s; s = s->next) {
      print_text(p, " ");
      print_statement(p, s);
    }
  else
    print_statement(p, k->node);
  if (!k->around && is_main(a) && !returns_void(a))
    print_say(p, " fm__f->fm__ret = 0;");
  print_say(p, " return 0; ");
  print_route(p, a);
  print_say(p, "}\n");
  p->part = NULL;
}

// f__fm_stop: a part leaves the function by a pause or an error.
static void print_stop_function(Printer *p, Async *a) {
  print_code_attributes(p, a, true);
  print_say(
      p,
      "static __attribute__((cold, noinline)) uint32_t %s__fm_stop(fm_domain "
      "*fm__c, "
      "%s__fm_frame *fm__f, uint32_t fm__st) {\n  if (fm__unwinds(fm__c)) "
      "fm__passes(&%s__fm_code, fm__st & FM_STATE);\n  else "
      "fm__stop(fm__c, "
      "&fm__f->fm__h, fm__st);\n  return %d;\n}\n",
      a->name,
      a->name,
      a->name,
      LEFT);
}

void print_parts(Printer *p, Async *a) {
  buf_puts(p->out, "\n# 1 \"<fermata>\" 3\n");
  p->line = UINT32_MAX;
  FOR_EACH (BodyPart, part, a->parts) {
    print_part_header(p, a, part);
    print_say(p, ";\n");
  }
  print_stop_function(p, a);
  print_lost(p);
  FOR_EACH (BodyPart, part, a->parts) {
    print_part_text(p, a, part);
  }
}

// ---- f__fm_call and f__fm_resume ----
// After a pause, the frame is not the innermost one if `return g(x);` has given it away: then it is
// freed.
void print_large_called(Printer *p, Async *a) {
  print_call_in_frame(p, a);
  print_say(p, " }\n  %s__fm_part0(fm__c, fm__f, 0);\n", a->name);
  print_say(p, "  if (!fm__pausing(fm__c)) {\n    ");
  print_vla_frees(p);
  if (!returns_void(a)) {
    print_type(p, returned(a), "fm__v", 0);
    print_say(p,
              ";\n    __builtin_memcpy((void *)&fm__v, (const void "
              "*)&fm__f->fm__ret, sizeof fm__v);\n    ");
  }
  print_say(p,
            "fm__frame_free(fm__c, &fm__f->fm__h);\n    return%s;\n  }\n  ",
            returns_void(a) ? "" : " fm__v");
  print_say(p, "if (fm__unwinds(fm__c)) { ");
  print_vla_frees(p);
  print_say(p, "fm__frame_free(fm__c, &fm__f->fm__h); }\n");
  if (gives_frame_away(a))
    print_say(p,
              "  else if (fm__c->top != &fm__f->fm__h) fm__frame_free(fm__c, "
              "&fm__f->fm__h);\n");
  print_say(p, "  ");
  print_dummy(p, a);
  print_say(p, "\n}\n");
}

void print_large_resumed(Printer *p, Async *a) {
  print_say(
      p,
      "static void %s__fm_resume(fm_domain *fm__c, fm_frame *fm__h) {\n  "
      "%s__fm_frame *fm__f "
      "= (%s__fm_frame *)fm__h;\n  %s__fm_part0(fm__c, fm__f, fm__h->state);\n",
      a->name,
      a->name,
      a->name,
      a->name);
  if (a->lands) {
    print_say(p, "  if (!fm__pausing(fm__c) || fm__unwinds(fm__c)) { ");
    print_vla_frees(p);
    print_say(p, "}\n");
  }
  if (gives_frame_away(a))
    print_say(p,
              "  if (fm__pausing(fm__c) && !fm__unwinds(fm__c) && fm__c->top "
              "!= fm__h) "
              "fm__tail(fm__c, fm__h);\n");
  print_say(p, "}\n");
}
