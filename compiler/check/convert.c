// convert.c: whether a value fits the type that is expected, in cases that the C compiler cannot
// check: async functions, tasks, jobs, and the errors that functions throw. In strict bodies (those
// in the dialect) also structures and pointers. In: typed expressions, the type that is expected.
// Out: errors.
#include "fmcc.h"

static bool held(const Type *t) {
  return t->kind == TY_TASK || t->kind == TY_JOB;
}

// The function type, or the function type that a pointer points to. NULL: neither.
static Type *pointed_function(Type *t) {
  t = canon(t);
  if (t->kind == TY_POINTER)
    t = canon(t->base);
  return t->kind == TY_FUNC ? t : NULL;
}

// Where the value stands. In a macro of the library: the argument itself, without the parentheses
// of the macro; of a value that the macro gets from elsewhere, the macro.
static TokIndex place_of_value(Node *e) {
  while (e->kind == N_PAREN)
    e = e->a;
  const Node *deep = e;
  while (deep->kind == N_PAREN || deep->kind == N_UNARY ||
         deep->kind == N_CAST || deep->kind == N_CALL)
    deep = deep->a;
  bool ours = deep->kind == N_IDENT && deep->sym && is_ours(deep->sym->name);
  return ours ? deep->tok : first_token(e);
}

static void wrong_value(Unit *u, Node *from, Type *to, const char *advice) {
  error_at(u,
           place_of_value(from),
           "a value of type `%s` is given where `%s` is expected%s",
           type_text(u, from->type),
           type_text(u, to),
           advice);
}

// Functions: whether both are async, the errors that they throw, and the types of async functions,
// which the C compiler does not see.
bool check_functions(Unit *u, Node *from, Type *to) {
  if (!u->dialect || !from->type || from->kind == N_INIT_LIST)
    return true;
  Type *f = pointed_function(from->type);
  Type *t = pointed_function(to);
  if (!f || !t)
    return true;
  // the error is shown at file scope, too
  if (f->is_async || t->is_async || f->throws)
    u->hold_errors = false;
  if (f->is_async != t->is_async) {
    error_at(u,
             from->tok,
             f->is_async ? "this is an async function, of type `%s`; a pointer "
                           "to a plain function is expected here"
                         : "this is a plain function, of type `%s`; a pointer "
                           "to an async function is expected here",
             type_text(u, from->type));
    return false;
  }
  if (f->is_async && !type_compatible(u, f, t)) {
    wrong_value(u, from, to, "");
    return false;
  }
  check_throws_fit(u, from, f, t);
  return true;
}

// Whether a value of the wrong type would be stored in a place where the C compiler sees no type.
// a and b are canonical.
static bool wrong_record(Type *a, Type *b) {
  if (a->kind == TY_ERROR || b->kind == TY_ERROR || held(a) || held(b))
    return false;
  if (type_is_void(b))
    return false;
  // GNU C: a cast to a union takes any member
  if (type_is_record(b) && (b->tag->transparent || b->kind == TY_UNION))
    return false;
  if (type_is_void(a) || type_is_record(a) != type_is_record(b))
    return true;
  return type_is_record(a) && a->tag != b->tag;
}

// Whether one side is a task or job, and the other side is neither.
static bool wrong_task(Unit *u, Type *a, Type *b, const char *wanted) {
  if (a->kind == TY_ERROR || b->kind == TY_ERROR || !(held(a) || held(b)))
    return false;
  // functions of the library take all tasks and jobs
  if (strcmp(wanted, a->kind == TY_JOB ? "fm_job" : "fm_task") == 0)
    return false;
  return !type_compatible(u, a, b);
}

// Returns false if the value does not fit: an error was reported.
static bool convert(Unit *u, Node *from, Type *to) {
  if (!u->dialect || !from->type || from->kind == N_INIT_LIST)
    return true;
  if (!check_functions(u, from, to))
    return false;
  Type *a = canon(rvalue(u, from));
  Type *b = canon(to);
  if (u->body->whole->strict && wrong_record(a, b)) {
    wrong_value(u, from, to, "");
    return false;
  }
  bool tagged = type_is_record(b) && b->tag->name;
  const char *wanted = tagged ? b->tag->name->name : "";
  if (!wrong_task(u, a, b, wanted))
    return true;
  bool id = a->kind == TY_TASK && strcmp(wanted, "fm_activity") == 0;
  wrong_value(u,
              from,
              to,
              id ? "; `fm_id(…)` gives the activity of a task" : "");
  return false;
}

// Whether one pointer can stand for the other. The C compiler checks qualifiers, signs and the
// lengths of arrays.
static bool points_alike(Unit *u, Type *a, Type *b) {
  for (a = canon(a), b = canon(b);
       a->kind == b->kind && (a->kind == TY_ARRAY || a->kind == TY_POINTER);
       a = canon(a->base), b = canon(b->base))
    ;
  bool any = a->kind == TY_ERROR || b->kind == TY_ERROR || type_is_void(a) ||
             type_is_void(b);
  // the library takes all tasks and jobs
  if (any || held(a) || held(b))
    return true;
  if (type_is_integer(a) && type_is_integer(b))
    return type_size(u, a) == type_size(u, b);
  return type_compatible(u, type_unqual(u, a), type_unqual(u, b));
}

// Reports errors where C compilers only warn.
static void check_pointers(Unit *u, Node *value, Type *to) {
  if (!value->type || value->kind == N_INIT_LIST)
    return;
  Type *a = canon(rvalue(u, value));
  Type *b = canon(to);
  bool pa = a->kind == TY_POINTER;
  bool pb = b->kind == TY_POINTER;
  if (a->kind == TY_ERROR || b->kind == TY_ERROR || is_null(value))
    return;
  if (type_is_record(a) || type_is_record(b) || type_is_void(a) ||
      (pa && b->kind == TY_BOOL))
    return;
  bool fits = pa && pb ? points_alike(u, a->base, b->base) : !pa && !pb;
  if (!fits)
    wrong_value(u, value, to, "");
}

void check_given(Unit *u, Node *value, Type *to) {
  if (convert(u, value, to))
    check_pointers(u, value, to);
}

void check_given_list(Unit *u, Node *list, Type *array) {
  Type *t = canon(array);
  if (list->kind != N_INIT_LIST || t->kind != TY_ARRAY ||
      canon(t->base)->kind == TY_ARRAY)
    return;
  for (Node *k = list->a; k; k = k->next)
    if (!k->b && k->a)
      check_given(u, k->a, t->base);
}

// Where the macros of the library call a function that the program gave them, and where they put
// its result.
bool is_through(const Node *e, const char *name) {
  while (e->kind == N_PAREN || e->kind == N_UNARY || e->kind == N_CAST)
    e = e->a;
  return e->kind == N_IDENT && e->sym && strcmp(e->sym->name->name, name) == 0;
}

// In the macros of the library, fm__v is a value that the program gives or gets.
bool is_library_value(const Ident *id) {
  return strcmp(id->name, "fm__v") == 0;
}

// Other variables of these macros that hold an argument. The C compiler does not warn about what
// stands in a header of the system.
bool is_library_argument(const Ident *id) {
  static const char *const names[] = { "fm__to", "fm__n", "fm__ms", "fm__g" };
  for (size_t i = 0; i < COUNT(names); i++)
    if (strcmp(id->name, names[i]) == 0)
      return true;
  return is_library_value(id);
}

static bool is_received(Node *e) {
  while (e->kind == N_PAREN)
    e = e->a;
  if (e->kind != N_STMT_EXPR)
    return false;
  Node *last = e->a->a;
  while (last && last->next)
    last = last->next;
  return last && last->kind == N_EXPR && last->a && last->a->kind == N_IDENT &&
         last->a->sym && is_library_value(last->a->sym->name);
}

void check_convert(Unit *u, Node *from, Type *to) {
  if (convert(u, from, to) && u->body->whole->strict && is_received(from))
    check_pointers(u, from, to);
}
