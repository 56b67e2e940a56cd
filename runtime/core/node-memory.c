// node-memory.c: the memory of activities, and the domain that a node belongs to. A program may use
// a handle long after its activity has ended, and from any thread. So the memory of a node remains
// a node, and the address of a node leads to its domain:
//
//     block   a piece of memory that is allocated; each block of a domain is larger than the last
//     piece   4 KB of a block, at an address that is a multiple of 4 KB: a head that names the
//             domain, and nodes
//
// When a domain ends, its pieces name no domain any more, and its blocks are kept for the next
// domain. That domain continues the old one's generations, so that no old handle becomes valid
// again.
//
// A piece changes its domain only under the lock. A thread that holds the lock can take a reference
// to the domain.
#include "fm.h"
#include "core/forked.h"

#include <pthread.h>

enum { PIECE = 4096, FIRST_BLOCK = 2 * PIECE, LARGEST_BLOCK = 1 << 20 };

typedef struct piece {
  _Alignas(16) fm__runtime *_Atomic domain; // NULL: it has ended
  // generations up to this one belong to earlier domains
  _Atomic uint64_t since;
} piece;

typedef struct fm__block {
  struct fm__block *next;
  size_t size; // bytes, this head included
  // The newest generation when its last domain ended; all generations in it are older.
  uint64_t serial;
  // The end of the pieces in use, which are the first ones.
  char *entered;
} block;

static struct {
  pthread_mutex_t lock;
  block *blocks; // blocks that no domain has
  size_t domains;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static piece *piece_of(const fm_node *a) {
  return (piece *)((uintptr_t)a & ~(uintptr_t)(PIECE - 1));
}

// ---- blocks ----
static char *first_piece(block *b) {
  return (char *)(((uintptr_t)(b + 1) + PIECE - 1) & ~(uintptr_t)(PIECE - 1));
}

static block *take_kept(void) {
  fm__pthread_lock(&all.lock);
  block *b = all.blocks;
  if (b)
    all.blocks = b->next;
  pthread_mutex_unlock(&all.lock);
  return b;
}

static block *block_new(fm__nodes *n) {
  size_t size = n->next ? n->next : FIRST_BLOCK;
  block *b = fm__alloc(size);
  if (!b)
    fm__out_of_memory("activities", "", size);
  *b = (block){ .size = size };
  n->next = size < LARGEST_BLOCK ? size * 2 : size;
  return b;
}

static void add_block(fm__runtime *d) {
  fm__nodes *n = &d->nodes;
  block *b = take_kept();
  if (!b)
    b = block_new(n);
  if (d->serial < b->serial)
    d->serial = b->serial;
  b->entered = first_piece(b);
  b->next = n->blocks;
  n->blocks = b;
  n->last = (char *)b + b->size;
}

static fm_node *enter_piece(fm__runtime *d) {
  fm__nodes *n = &d->nodes;
  if (!n->blocks || (size_t)(n->last - n->blocks->entered) < PIECE)
    add_block(d);
  piece *p = (piece *)(void *)n->blocks->entered;
  atomic_store_explicit(&p->since, d->serial, memory_order_relaxed);
  atomic_store_explicit(&p->domain, d, memory_order_relaxed);
  fm__ato_skip(p, PIECE);
  n->blocks->entered = (char *)p + PIECE;
  return (fm_node *)(void *)(p + 1);
}

// Enters a piece. All its nodes but the first become idle, in the order of their addresses, so that
// the next activities are made as if they were not the first ones.
fm_node *fm__node_more(fm__runtime *d) {
  enum { NODES = (PIECE - sizeof(piece)) / sizeof(fm_node) };
  fm_node *a = enter_piece(d);
  for (size_t i = 0; i < NODES; i++)
    a[i] = (fm_node){ .link = i + 1 < NODES ? &a[i + 1] : NULL };
  d->idle = a->link;
  return a;
}

// ---- the end of a domain ----
void fm__nodes_disown(fm__runtime *d) {
  fm__pthread_lock(&all.lock);
  for (block *b = d->nodes.blocks; b; b = b->next)
    for (char *p = first_piece(b); p < b->entered; p += PIECE)
      atomic_store_explicit(&((piece *)(void *)p)->domain,
                            NULL,
                            memory_order_relaxed);
  pthread_mutex_unlock(&all.lock);
}

static void keep(block *b, uint64_t serial) {
  b->serial = serial;
  b->next = all.blocks;
  all.blocks = b;
}

void fm__nodes_free(fm__runtime *d) {
  fm__pthread_lock(&all.lock);
  while (d->nodes.blocks) {
    block *b = d->nodes.blocks;
    d->nodes.blocks = b->next;
    keep(b, d->serial);
  }
  pthread_mutex_unlock(&all.lock);
  d->nodes = (fm__nodes){ 0 };
}

void fm__nodes_forget(void) {
  for (block *b; (b = take_kept());)
    fm__free(b);
}

// ---- which domain a node belongs to ----
fm__runtime *fm__runtime_of_node(const fm_node *a) {
  return atomic_load_explicit(&piece_of(a)->domain, memory_order_relaxed);
}

bool fm__domain_has_ended(fm_activity a) {
  piece *p = piece_of(a.node);
  return !atomic_load_explicit(&p->domain, memory_order_relaxed) ||
         a.generation <= atomic_load_explicit(&p->since, memory_order_relaxed);
}

fm__runtime *fm__hold_runtime_of(fm_activity a) {
  fm__pthread_lock(&all.lock);
  fm__runtime *d = fm__domain_has_ended(a) ? NULL : fm__runtime_of_node(a.node);
  if (d)
    atomic_fetch_add(&d->references, 1);
  pthread_mutex_unlock(&all.lock);
  return d;
}

// ---- how many domains there are ----
void fm__count_domain(int change) {
  fm__pthread_lock(&all.lock);
  all.domains += (size_t)change;
  pthread_mutex_unlock(&all.lock);
}

size_t fm__other_domains(void) {
  fm__pthread_lock(&all.lock);
  size_t n = all.domains - 1;
  pthread_mutex_unlock(&all.lock);
  return n;
}
