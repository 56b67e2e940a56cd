// function-attributes.c: checks and prints the attributes of async functions. An async function
// becomes several C functions and a descriptor; a table says which of them get an attribute. In:
// the attributes of a declaration (Decl.uses, Symbol.uses). Out: errors for attributes that an
// async function cannot have; the text of the others before the declarations of the generated
// functions, on the user's lines, because the C compiler may have messages about them.
#include "fmcc.h"

// ---- the table ----
enum {
  TO_CALL = 1,
  TO_ATOMIC = 2,
  TO_START = 4,   // these three: f__fm_call and so on, which callers see
  TO_CODE = 8,    // the static functions, such as f__fm_resume
  TO_FN = 16,     // the descriptor, which is the function's address
  SHIFTS = 32,    // its arguments number parameters
  SYMBOL = 64,    // its argument names a symbol
  NOT_COLD = 128, // contradicts `cold`
  OWN = 256,      // other code handles it; it is not printed
  VALUED = TO_CALL | TO_ATOMIC,
  BEGINS = VALUED | TO_START,
  CODE = BEGINS | TO_CODE,
  LINKED = BEGINS | TO_FN,
};
typedef struct Known {
  const char *name;
  unsigned where;
} Known;

static const Known table[] = {
  // the symbol
  { "weak", LINKED },
  { "alias", LINKED | SYMBOL },
  { "weakref", LINKED | SYMBOL },
  { "visibility", LINKED },
  { "externally_visible", LINKED },
  { "used", LINKED },
  { "retain", LINKED },
  { "unused", LINKED },
  { "maybe_unused", LINKED },
  { "internal_linkage", LINKED },
  { "dllimport", LINKED },
  { "dllexport", LINKED },
  { "no_reorder", LINKED },
  { "availability", LINKED },
  { "noplt", BEGINS },
  { "nodirect_extern_access", TO_FN },
  // where the code stands and how it is compiled
  { "section", CODE },
  { "__code_seg__", CODE },
  { "cold", CODE },
  { "hot", CODE | NOT_COLD },
  { "optimize", CODE },
  { "target", CODE },
  { "flatten", CODE },
  { "noclone", CODE },
  { "noipa", CODE },
  { "no_icf", CODE },
  { "aligned", BEGINS },
  { "code_align", CODE },
  { "noinline", VALUED },
  { "always_inline", VALUED },
  { "artificial", VALUED },
  { "nothrow", CODE },
  { "optnone", CODE },
  { "minsize", CODE },
  { "no_builtin", CODE },
  { "nodebug", CODE },
  { "nomerge", CODE },
  { "noduplicate", CODE },
  { "convergent", CODE },
  { "not_tail_called", VALUED },
  { "disable_tail_calls", CODE },
  { "min_vector_width", CODE },
  { "patchable_function_entry", CODE },
  { "no_instrument_function", CODE },
  { "no_profile_instrument_function", CODE },
  { "xray_always_instrument", CODE },
  { "xray_never_instrument", CODE },
  { "no_sanitize", CODE },
  { "no_sanitize_address", CODE },
  { "no_sanitize_thread", CODE },
  { "no_sanitize_memory", CODE },
  { "no_sanitize_undefined", CODE },
  { "no_sanitize_coverage", CODE },
  { "no_address_safety_analysis", CODE },
  { "no_stack_protector", CODE },
  { "stack_protect", CODE },
  { "no_stack_limit", CODE },
  { "no_split_stack", CODE },
  { "split_stack", CODE },
  { "zero_call_used_regs", CODE },
  { "nocf_check", CODE },
  { "cf_check", CODE },
  { "fentry_name", CODE },
  { "fentry_section", CODE },
  { "force_align_arg_pointer", CODE },
  { "function_return", CODE },
  { "indirect_branch", CODE },
  { "indirect_return", BEGINS },
  { "speculative_load_hardening", CODE },
  { "no_speculative_load_hardening", CODE },
  { "nouwtable", CODE },
  { "uwtable", CODE },
  { "no_thread_safety_analysis", CODE },
  { "annotate", BEGINS },
  { "btf_decl_tag", BEGINS },
  { "strict_fp", CODE },
  { "no_outline", CODE },
  // for callers
  { "deprecated", LINKED },
  { "unavailable", LINKED },
  { "error", BEGINS },
  { "warning", BEGINS },
  { "diagnose_if", BEGINS },
  { "warn_unused_result", VALUED },
  { "nodiscard", VALUED },
  { "nonnull", BEGINS | SHIFTS },
  { "format", BEGINS | SHIFTS },
  { "format_arg", VALUED | SHIFTS },
  { "sentinel", BEGINS },
  { "access", BEGINS | SHIFTS },
  { "fd_arg", BEGINS | SHIFTS },
  { "fd_arg_read", BEGINS | SHIFTS },
  { "fd_arg_write", BEGINS | SHIFTS },
  { "null_terminated_string_arg", BEGINS | SHIFTS },
  { "argument_with_type_tag", BEGINS | SHIFTS },
  { "pointer_with_type_tag", BEGINS | SHIFTS },
  { "tainted_args", BEGINS },
  { "enforce_tcb", VALUED },
  { "malloc", VALUED },
  { "alloc_size", VALUED | SHIFTS },
  { "alloc_align", VALUED | SHIFTS },
  // promises about the result, or that nothing else happens: true only of a call that does not
  // pause
  { "returns_nonnull", TO_ATOMIC },
  { "assume_aligned", TO_ATOMIC },
  { "pure", TO_ATOMIC },
  { "const", TO_ATOMIC },
  { "leaf", TO_ATOMIC },
  { "unsequenced", TO_ATOMIC },
  { "reproducible", TO_ATOMIC },
  // attributes of the returned type, or of Symbol.noreturn
  { "noreturn", OWN },
  { "_Noreturn", OWN },
  { "vector_size", OWN },
  { "ext_vector_type", OWN },
  { "mode", OWN },
};

static const char *const at_start =
    "it cannot run before or after `main`: call `run` in a plain function with "
    "this attribute";
static const char *const no_code =
    "it becomes several C functions that call the runtime";
static const char *const no_symbol =
    "it has no single symbol that another could stand for";
static const char *const no_convention =
    "it is called by a convention of its own";
static const char *const no_inline =
    "an inline definition of an async function is that of ISO C";

typedef struct Refused {
  const char *name;
  const char *const *why;
} Refused;

static const Refused refused[] = {
  { "constructor", &at_start },
  { "destructor", &at_start },
  { "init_priority", &at_start },
  { "naked", &no_code },
  { "interrupt", &no_code },
  { "interrupt_handler", &no_code },
  { "signal", &no_code },
  { "exception_handler", &no_code },
  { "no_caller_saved_registers", &no_code },
  { "returns_twice", &no_code },
  { "no_callee_saved_registers", &no_code },
  { "ms_hook_prologue", &no_code },
  { "simd", &no_code },
  { "kernel", &no_code },
  { "global", &no_code },
  { "device", &no_code },
  { "callback", &no_code },
  { "transaction_pure", &no_code },
  { "strub", &no_code },
  { "ifunc", &no_symbol },
  { "target_clones", &no_symbol },
  { "target_version", &no_symbol },
  { "cpu_specific", &no_symbol },
  { "cpu_dispatch", &no_symbol },
  { "overloadable", &no_symbol },
  { "enable_if", &no_symbol },
  { "symver", &no_symbol },
  { "copy", &no_symbol },
  { "ms_abi", &no_convention },
  { "sysv_abi", &no_convention },
  { "cdecl", &no_convention },
  { "stdcall", &no_convention },
  { "fastcall", &no_convention },
  { "thiscall", &no_convention },
  { "vectorcall", &no_convention },
  { "regcall", &no_convention },
  { "regparm", &no_convention },
  { "sseregparm", &no_convention },
  { "pascal", &no_convention },
  { "pcs", &no_convention },
  { "preserve_most", &no_convention },
  { "preserve_all", &no_convention },
  { "swiftcall", &no_convention },
  { "swiftasynccall", &no_convention },
  { "aarch64_vector_pcs", &no_convention },
  { "gnu_inline", &no_inline },
};

// Returns the flags of the attribute. One that is not in the table (it is new, or misspelt) goes to
// the call version, and the C compiler reports what it thinks of it.
static unsigned where_to(Unit *u, const AttrUse *k) {
  for (size_t i = 0; i < COUNT(table); i++)
    if (attribute_named(u, k->name, table[i].name))
      return table[i].where;
  return TO_CALL;
}

// ---- checks ----
// Reports the attribute if an async function cannot have it.
static void refuse_one(Unit *u, const AttrUse *k) {
  for (size_t i = 0; i < COUNT(refused); i++) {
    if (!attribute_named(u, k->name, refused[i].name))
      continue;
    u->hold_errors = false;
    error_at(u,
             k->name,
             "an async function cannot be `%s`: %s",
             refused[i].name,
             *refused[i].why);
  }
}

// alias("f"), weakref("f"): each generated function is another name of one of f's, so f has to be
// async, too.
static void check_symbol(Unit *u, const AttrUse *k) {
  if (!(where_to(u, k) & SYMBOL) || k->args.to - k->args.from != 3)
    return;
  size_t n;
  const char *s = tok_text(u, k->args.from + 1, &n);
  if (n < 3 || *s != '"')
    return;
  Symbol *f = intern(u, s + 1, n - 2)->sym;
  if (!f || f->kind != S_FUNC || canon(f->type)->is_async)
    return;
  u->hold_errors = false;
  error_at(u,
           k->args.from + 1,
           "`%s` is not async: no async function can be another name of it",
           f->name->name);
}

// Reads arguments that number parameters. In functions that get the domain, the numbers are one
// higher.
static void read_numbers(Unit *u, AttrUse *k) {
  if (!(where_to(u, k) & SHIFTS) || k->args.from == k->args.to)
    return;
  TokIndex back = u->p;
  for (u->p = k->args.from + 1;
       u->p < k->args.to - 1 && k->nnumbers < MAX_NUMBERS;) {
    int64_t v = -1;
    TokIndex from = u->p;
    bool word = cur(u) == T_IDENT && !tok_at(u, u->p)->id->sym;
    // a word, such as printf or read_only
    if (word || cur(u) == K_CONST)
      u->p++;
    else if (!parse_constant(u, &v))
      v = -1;
    k->numbers[k->nnumbers] = v;
    k->parts[k->nnumbers++] = (Range){ from, u->p };
    if (!accept(u, P_COMMA))
      break;
  }
  u->p = back;
}

void check_async_attributes(Unit *u, Decl *d) {
  for (AttrUse *k = d->uses; k; k = k->next) {
    refuse_one(u, k);
    check_symbol(u, k);
    read_numbers(u, k);
  }
}

bool has_async_attributes(const Decl *d) {
  return d->uses || d->label.from != d->label.to;
}

bool has_attribute(Unit *u, const Symbol *f, const char *name) {
  for (const AttrUse *k = f ? f->uses : NULL; k; k = k->next)
    if (attribute_named(u, k->name, name))
      return true;
  return false;
}

// ---- printing ----
static void print_numbers(Printer *p, const AttrUse *k, int shift) {
  print_text(p, "(");
  for (int i = 0; i < k->nnumbers; i++) {
    if (i)
      print_text(p, ", ");
    if (k->numbers[i] > 0)
      print_say(p, "%lld", (long long)k->numbers[i] + shift);
    else
      print_range(p, k->parts[i]);
  }
  print_text(p, ")");
}

// Prints one attribute. suffix: of the symbol that it names; shift: of the parameters' numbers.
static void
print_use(Printer *p, const AttrUse *k, const char *suffix, int shift) {
  unsigned where = where_to(p->u, k);
  print_tok(p, k->name);
  if (k->args.from == k->args.to)
    return;
  if ((where & SHIFTS) && k->nnumbers) {
    print_numbers(p, k, shift);
  } else if ((where & SYMBOL) && *suffix) {
    print_range(p, (Range){ k->args.from, k->args.to - 1 });
    print_say(p, "\"%s\")", suffix);
  } else {
    print_range(p, k->args);
  }
}

// Prints the attributes whose flags contain `where`. Those in brackets have to stand first.
static void print_some(Printer *p,
                       const AttrUse *list,
                       unsigned where,
                       const char *suffix,
                       int shift) {
  for (const AttrUse *k = list; k; k = k->next) {
    if (!k->std || !(where_to(p->u, k) & where))
      continue;
    print_text(p, "[[");
    if (k->prefix)
      print_tok(p, k->prefix);
    if (k->prefix)
      print_text(p, "::");
    print_use(p, k, suffix, shift);
    print_text(p, "]] ");
  }
  for (const AttrUse *k = list; k; k = k->next) {
    if (k->std || !(where_to(p->u, k) & where))
      continue;
    print_text(p, "__attribute__((");
    print_use(p, k, suffix, shift);
    print_text(p, ")) ");
  }
}

void print_function_attributes(Printer *p, const Decl *d, Generated which) {
  // clang-format off
  static const unsigned flags[] = {
    [GEN_CALL] = TO_CALL,
    [GEN_ATOMIC] = TO_ATOMIC,
    [GEN_START] = TO_START,
  };
  // clang-format on
  const char *name = generated_name(which);
  const char *suffix = arena_printf(&p->u->arena, "__fm_%s", name);
  print_some(p, d->uses, flags[which], suffix, takes_domain(which));
}

void print_descriptor_attributes(Printer *p, const Decl *d) {
  print_some(p, d->uses, TO_FN, "", 0);
}

// `asm ("name")` gives f another symbol; each generated function gets one made from that.
void print_label(Printer *p, const Decl *d, Generated which) {
  if (d->label.from == d->label.to)
    return;
  print_text(p, " __asm__(");
  print_range(p, d->label);
  if (which != GEN_DESCRIPTOR)
    print_say(p, "\"__fm_%s\"", generated_name(which));
  print_text(p, ")");
}

bool has_code_attributes(const Async *a) {
  for (const AttrUse *k = a->decl->sym ? a->decl->sym->uses : NULL; k;
       k = k->next)
    if (where_to(a->u, k) & TO_CODE)
      return true;
  return false;
}

// Also for the functions of the bodies inside the function.
void print_code_attributes(Printer *p, const Async *a, bool cold) {
  // without lines, because the declarations on the user's lines have drawn the messages
  Printer q = *p;
  q.line = UINT32_MAX;
  for (const AttrUse *k = a->decl->sym ? a->decl->sym->uses : NULL; k;
       k = k->next) {
    unsigned where = where_to(p->u, k);
    if (!(where & TO_CODE) || (cold && (where & NOT_COLD)))
      continue;
    print_text(&q, "__attribute__((");
    print_use(&q, k, "", 0);
    print_text(&q, ")) ");
  }
}
