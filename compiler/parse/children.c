// children.c: the parts of each kind of node. A new kind of node needs a line in the table; the
// walks that only pass through it (dumps, labels, liveness, assigned variables, adjacent yields)
// then know it.
#include "fmcc.h"

enum {
  NO = PART_NONE,
  VALUE = PART_VALUE,
  VALUES = PART_VALUE | PART_LIST,
  STMT = PART_STATEMENT,
  STMTS = PART_STATEMENT | PART_LIST,
  TYPE = PART_TYPE,
  TYPES = PART_TYPE | PART_LIST,
  DES = PART_DESIGNATOR | PART_LIST,
  BODY = PART_BODY,
  OTHER = PART_OTHER
};

// clang-format off
const NodeShape node_shapes[] = {
  // expressions                    a       b       c       d
  [N_IDENT]            = { "name",             { NO } },
  [N_NUMBER]           = { "number",           { NO } },
  [N_CHARCONST]        = { "character",        { NO } },
  [N_STRING]           = { "string",           { NO } },
  [N_PAREN]            = { "parentheses",      { VALUE } },
  [N_CALL]             = { "call",             { VALUE, VALUES } },
  [N_INDEX]            = { "index",            { VALUE, VALUE } },
  [N_MEMBER]           = { "member",           { VALUE } },
  [N_ARROW]            = { "member through",   { VALUE } },
  [N_POSTFIX]          = { "postfix",          { VALUE } },
  [N_PREFIX]           = { "prefix",           { VALUE } },
  [N_UNARY]            = { "unary",            { VALUE } },
  [N_SIZEOF]           = { "sizeof",           { TYPE } },
  [N_SIZEOF_TYPE]      = { "sizeof type",      { NO } },
  [N_ALIGNOF]          = { "alignof",          { TYPE } },
  [N_ALIGNOF_TYPE]     = { "alignof type",     { NO } },
  [N_CAST]             = { "cast",             { VALUE } },
  [N_COMPOUND_LIT]     = { "compound literal", { VALUE } },
  [N_BINARY]           = { "binary",           { VALUE, VALUE } },
  [N_ASSIGN]           = { "assign",           { VALUE, VALUE } },
  [N_COND]             = { "conditional",      { VALUE, VALUE, VALUE } },
  [N_STMT_EXPR]        = { "statement expression", { STMT } },
  [N_GENERIC]          = { "_Generic",         { TYPE, VALUES } },
  [N_ASSOC]            = { "association",      { VALUE } },
  [N_LABEL_ADDR]       = { "address of label", { NO } },
  [N_VA_ARG]           = { "va_arg",           { VALUE } },
  [N_OFFSETOF]         = { "offsetof",         { NO, DES } },
  [N_TYPES_COMPATIBLE] = { "types compatible", { TYPE, TYPE } },
  [N_CHOOSE_EXPR]      = { "choose",           { TYPE, VALUE, VALUE } },
  [N_TGMATH]           = { "tgmath",           { NO, VALUES } },
  [N_CONVERTVECTOR]    = { "convert vector",   { VALUE } },
  [N_BIT_CAST]         = { "bit cast",         { VALUE } },
  [N_EXTENSION]        = { "__extension__",    { VALUE } },
  [N_TYPE_ARG]         = { "type",             { NO } },
  [N_INIT_LIST]        = { "initialisers",     { VALUES } },
  [N_INIT]             = { "initialiser",      { VALUE, DES } },
  [N_DES_INDEX]        = { "[index]",          { TYPE, TYPE } },
  [N_DES_MEMBER]       = { ".member",          { NO } },
  [N_OPAQUE]           = { "text",             { VALUE } },
  [N_ERROR]            = { "error",            { NO } },
  [N_AWAIT]            = { "await",            { VALUE } },
  [N_SPAWN]            = { "spawn",            { VALUE, VALUE } },
  [N_RUN]              = { "run",              { VALUE } },
  [N_ATOMIC_EXPR]      = { "atomic",           { VALUE } },
  [N_WITHIN]           = { "within",           { VALUE, VALUE, VALUE } },
  [N_JOB]              = { "job",              { VALUE, NO, VALUES } },
  [N_RT]               = { "runtime",          { NO, VALUES, OTHER } },
  [N_COMPLETE]         = { "complete",         { VALUE, VALUE } },
  // statements
  [N_COMPOUND]         = { "block",            { STMTS } },
  [N_EXPR]             = { "expression",       { VALUE } },
  [N_DECL]             = { "declaration",      { NO } }, // the values of its declarators
  [N_IF]               = { "if",               { VALUE, STMT, STMT } },
  [N_WHILE]            = { "while",            { VALUE, STMT } },
  [N_DO]               = { "do",               { VALUE, STMT } },
  [N_FOR]              = { "for",              { STMT, VALUE, VALUE, STMT } },
  [N_SWITCH]           = { "switch",           { VALUE, STMT } },
  [N_CASE]             = { "case",             { VALUE, VALUE, STMT } },
  [N_DEFAULT]          = { "default",          { NO, NO, STMT } },
  [N_LABEL]            = { "label",            { NO, NO, STMT } },
  [N_GOTO]             = { "goto",             { NO } },
  [N_GOTO_COMPUTED]    = { "goto *",           { VALUE } },
  [N_BREAK]            = { "break",            { NO } },
  [N_CONTINUE]         = { "continue",         { NO } },
  [N_RETURN]           = { "return",           { VALUE } },
  [N_ASM]              = { "asm",              { NO } }, // its operands
  [N_EMPTY]            = { "empty",            { NO } },
  [N_LOCAL_LABELS]     = { "__label__",        { NO } },
  [N_NESTED_FUNC]      = { "function",         { BODY } },
  [N_STATIC_ASSERT]    = { "_Static_assert",   { NO } },
  [N_YIELD]            = { "yield",            { NO, NO, NO, OTHER } },
  [N_ATOMIC]           = { "atomic",           { STMT } },
  [N_ACTIVATE]         = { "activate",         { NO, VALUE, VALUES, BODY } },
  [N_THROW]            = { "throw",            { VALUE, NO, NO, OTHER } },
  [N_TRY]              = { "try",              { STMT, STMTS, STMT } },
  [N_CATCH]            = { "catch",            { STMT } },
  [N_DEFER]            = { "defer",            { STMT } },
  [N_SHIELD]           = { "shield",           { STMT } },
  [N_SCOPE]            = { "scope",            { STMT, STMT, STMT } },
  [N_EACH]             = { "catch each",       { BODY } },
  [N_RACE]             = { "race",             { NO, STMTS } },
  [N_ARM]              = { "arm",              { BODY, VALUE, STMTS, VALUE } },
  [N_AUTO]             = { "automatic yield",  { NO } },
  [N_ENTRY]            = { "check on entry",   { NO } },
  [N_RETHROW]          = { "rethrow",          { VALUE, NO, NO, OTHER } },
  [N_PAUSE]            = { "pause",            { VALUE, VALUE, NO, OTHER } },
  [N_TAIL]             = { "tail call",        { NO, VALUE } },
  [N_CODE]             = { "code",             { NO } },
  [N_PART]             = { "part",             { STMTS } },
};
// clang-format on

Children children(Node *n, unsigned wanted) {
  return (Children){
    .of = n,
    .wanted = wanted,
    .decls = n->kind == N_DECL ? n->decl : NULL,
    .rest = n->kind == N_ASM ? n->asm_->operands : NULL,
    .is = PART_VALUE,
  };
}

Children children_backward(Node *n, unsigned wanted) {
  Children c = children(n, wanted);
  c.backward = true;
  c.next = 3;
  return c;
}

static Node *part_of(Node *n, int i) {
  return i == 0 ? n->a : i == 1 ? n->b : i == 2 ? n->c : n->d;
}

// The kind of part i of n. Of the alternatives of _Generic and the like only one is evaluated.
static int kind_of_part(const Node *n, int i) {
  int is = node_shapes[n->kind].part[i];
  if (n->kind == N_CHOOSE_EXPR && i > 0 &&
      (n->op == CHOOSES_SECOND) != (i == 1))
    return PART_OTHER;
  return is;
}

// The next child in a list. Alternatives of _Generic that are not chosen are left out, unless the
// walk wants all parts.
static Node *from_list(Children *c) {
  for (Node *k; (k = c->rest);) {
    c->rest = k->next;
    bool chosen = k->kind != N_ASSOC || k->op == ASSOC_CHOSEN;
    if (chosen || (c->wanted & PART_OTHER))
      return k;
  }
  return NULL;
}

// The value of the next declarator that has a value.
static Node *from_decls(Children *c) {
  while (c->decls) {
    Node *init = c->decls->init;
    c->decls = c->decls->next;
    if (init && (c->wanted & PART_VALUE))
      return init;
  }
  return NULL;
}

Node *next_child(Children *c) {
  Node *k = c->rest ? from_list(c) : NULL;
  if (!k && c->decls)
    k = from_decls(c);
  while (!k && c->next >= 0 && c->next < 4) {
    int i = c->next;
    int is = kind_of_part(c->of, i);
    c->next += c->backward ? -1 : 1;
    c->is = is & ~PART_LIST;
    if (!(c->is & c->wanted))
      continue;
    k = part_of(c->of, i);
    if (is & PART_LIST) {
      c->rest = k;
      k = from_list(c);
    }
  }
  return k;
}
