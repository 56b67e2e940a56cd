// core.c: trees of the core language, and their text.
#include "core.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CORE_NAME(K, text, numbers, parts) #text,
#define CORE_NUMBERS(K, text, numbers, parts) numbers,
#define CORE_PARTS(K, text, numbers, parts) parts,
const char *const core_name[KINDS] = { CORE_KINDS(CORE_NAME) };
const int core_numbers[KINDS] = { CORE_KINDS(CORE_NUMBERS) };
const int core_parts[KINDS] = { CORE_KINDS(CORE_PARTS) };

static Node *node_new(Kind kind) {
  Node *n = calloc(1, sizeof *n);
  if (!n)
    abort();
  n->kind = kind;
  return n;
}

void core_add(Node *list, Node *part) {
  list->part = realloc(list->part, sizeof *list->part * (size_t)(list->parts + 1));
  if (!list->part)
    abort();
  list->part[list->parts++] = part;
}

Node *core_node(Kind kind, ...) {
  Node *n = node_new(kind);
  va_list ap;
  va_start(ap, kind);
  for (int i = 0; i < core_numbers[kind]; i++)
    n->at[i] = va_arg(ap, int);
  for (int i = 0; i < core_parts[kind]; i++)
    core_add(n, va_arg(ap, Node *));
  va_end(ap);
  return n;
}

Node *core_copy(const Node *n) {
  Node *copy = node_new(n->kind);
  memcpy(copy->at, n->at, sizeof n->at);
  for (int i = 0; i < n->parts; i++)
    core_add(copy, core_copy(n->part[i]));
  return copy;
}

void core_free(Node *n) {
  for (int i = 0; i < n->parts; i++)
    core_free(n->part[i]);
  free(n->part);
  free(n);
}

int core_size(const Node *n) {
  int size = 1;
  for (int i = 0; i < n->parts; i++)
    size += core_size(n->part[i]);
  return size;
}

void core_write(FILE *to, const Node *n) {
  fprintf(to, "(%s", core_name[n->kind]);
  for (int i = 0; i < core_numbers[n->kind]; i++)
    fprintf(to, " %d", n->at[i]);
  for (int i = 0; i < n->parts; i++) {
    fputc(n->kind == PROGRAM ? '\n' : ' ', to);
    core_write(to, n->part[i]);
  }
  fputs(n->kind == PROGRAM ? ")\n" : ")", to);
}

// ---- reading ----
static void wrong(const char *what) {
  fprintf(stderr, "oracle: %s in the text of a program\n", what);
  exit(2);
}

static int next(FILE *from) {
  int c;
  do
    c = getc(from);
  while (c != EOF && isspace(c));
  return c;
}

static Kind read_kind(FILE *from) {
  char name[20];
  if (fscanf(from, "%19[a-z]", name) != 1)
    wrong("no kind");
  for (Kind k = 0; k < KINDS; k++)
    if (!strcmp(name, core_name[k]))
      return k;
  wrong("an unknown kind");
  return NONE;
}

Node *core_read(FILE *from) {
  int c = next(from);
  if (c == EOF || c == ')')
    return NULL;
  if (c != '(')
    wrong("a missing parenthesis");
  Node *n = node_new(read_kind(from));
  for (int i = 0; i < core_numbers[n->kind]; i++)
    if (fscanf(from, "%d", &n->at[i]) != 1)
      wrong("a missing number");
  for (Node *part; (part = core_read(from));)
    core_add(n, part);
  if (core_parts[n->kind] != LIST && n->parts != core_parts[n->kind])
    wrong("a wrong number of parts");
  return n;
}

// An arm: its variable, if the wait gives a value; its expressions, as far as its kind has them.
static bool arm_uses(const Node *n, int v) {
  bool gives = n->at[0] == ARM_CALL || n->at[0] == ARM_RECV || n->at[0] == ARM_AWAIT;
  bool takes = n->at[0] == ARM_CALL || n->at[0] == ARM_SEND || n->at[0] == ARM_SLEEP;
  return (gives && n->at[1] == v) || core_uses(n->part[0], v) ||
         (takes && core_uses(n->part[1], v)) || core_uses(n->part[2], v);
}

// n names the variable, in Fermata source.
bool core_uses(const Node *n, int v) {
  static const char first_is_var[KINDS] = { [VAR] = 1, [SET] = 1, [CALL] = 1, [CALLREF] = 1,
                                            [SUM] = 1, [AWAIT] = 1, [AWAITJOB] = 1,
                                            [ATOMICX] = 1, [RECV] = 1, [DIRECT] = 1 };
  if (n->kind == ARM)
    return arm_uses(n, v);
  if (first_is_var[n->kind] && n->at[0] == v)
    return true;
  if (n->kind == CALLREF && n->at[2] == v)
    return true;
  if (n->kind == TAILREF && n->at[1] == v)
    return true;
  if (n->kind == ACTIVATE && n->at[1] == v)
    return true;
  bool catches = n->kind == TRY && (n->part[1]->kind != NONE || n->part[2]->kind != NONE);
  if (catches && n->at[0] == v)
    return true;
  if (n->kind == SCOPE && n->part[2]->kind != NONE && n->at[1] == v)
    return true;
  for (int i = 0; i < n->parts; i++)
    if (core_uses(n->part[i], v))
      return true;
  return false;
}

bool core_has(const Node *n, Kind k) {
  for (int i = 0; i < n->parts; i++)
    if (core_has(n->part[i], k))
      return true;
  return n->kind == k;
}

// ---- programs ----
static void number(Program *p, Node *n) {
  n->index = p->count;
  p->nodes[p->count++] = n;
  for (int i = 0; i < n->parts; i++)
    number(p, n->part[i]);
}

Program *core_program(Node *tree) {
  Program *p = calloc(1, sizeof *p);
  if (!p || !(p->nodes = calloc((size_t)core_size(tree), sizeof *p->nodes)))
    abort();
  p->tree = tree;
  number(p, tree);
  return p;
}

void core_program_free(Program *p) {
  free(p->nodes);
  free(p);
}

Node *core_function(const Program *p, int f) {
  return p->tree->part[f];
}
