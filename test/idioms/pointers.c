// Memory, lists, trees and other containers.
struct node { int v; struct node *next; };
struct dnode { struct dnode *prev, *next; int v; };
struct tree { int key; struct tree *left, *right; };
struct list_head { struct list_head *next, *prev; };
struct item { int v; struct list_head link; };
#define list_init(h) ((h)->next = (h)->prev = (h))
#define list_add(e, h) ((e)->next = (h)->next, (e)->prev = (h), (h)->next->prev = (e), (h)->next = (e))
#define list_for_each(p, h) for (p = (h)->next; p != (h); p = p->next)
#define list_for_each_entry(p, h, m) for (p = container_of((h)->next, __typeof__(*p), m); &p->m != (h); p = container_of(p->m.next, __typeof__(*p), m))
#define list_for_each_safe(p, t, h) for (p = (h)->next, t = p->next; p != (h); p = t, t = p->next)
static struct node *push(struct node *l, int v) { struct node *k = malloc(sizeof *k); *k = (struct node){v, l}; return k; }
static async void free_list(struct node *l) { while (l) { struct node *next = l->next; Y free(l); l = next; } }
static async struct tree *insert(struct tree *t, int key) {
  if (!t) { t = calloc(1, sizeof *t); t->key = key; Y return t; }
  if (key < t->key) t->left = insert(t->left, key); else t->right = insert(t->right, key);
  return t;
}
static async int walk(const struct tree *t) { if (!t) return 0; int l = walk(t->left); Y return l * 2 + t->key + walk(t->right); }
static async void drop(struct tree *t) { if (!t) return; drop(t->left); drop(t->right); Y free(t); }

IDIOM(malloc_sizeof_star, struct node *p = malloc(sizeof *p); p->v = pv(n); Y r += p->v; free(p);)
IDIOM(malloc_cast, int *p = (int *)malloc(4 * sizeof(int)); for (int i = 0; i < 4; i++) p[i] = pv(i); r += p[3]; free(p);)
IDIOM(malloc_check, int *p = malloc(sizeof(*p)); if (!p) { perror("malloc"); abort(); } *p = pv(3); r += *p; free(p);)
IDIOM(calloc_zero, int *p = calloc(3, sizeof *p); Y r += p[0] + p[1] + p[2] + n; free(p);)
IDIOM(realloc_grow, int *a = NULL; size_t len = 0; size_t cap = 0; for (int i = 0; i < 9; i++) { if (len == cap) { cap = cap ? cap * 2 : 2; a = realloc(a, cap * sizeof *a); } Y a[len++] = pv(i); } for (size_t i = 0; i < len; i++) r += a[i]; free(a);)
IDIOM(free_null, int *p = NULL; Y free(p); p = malloc(4); free(p); p = NULL; r += p == NULL;)
IDIOM(strdup_free, char *s = strdup("hello"); Y s[0] = 'j'; r += s[0] + (int)strlen(s); free(s);)
IDIOM(alloc_struct_tail, struct { int n; int a[]; } *p = malloc(sizeof *p + 3 * sizeof p->a[0]); p->n = 3; for (int i = 0; i < p->n; i++) p->a[i] = pv(i + 1); for (int i = 0; i < p->n; i++) r += p->a[i]; free(p);)
IDIOM(list_push, struct node *l = NULL; for (int i = 0; i < 4; i++) l = push(l, pv(i)); for (struct node *p = l; p; p = p->next) r = r * 3 + p->v; free_list(l);)
IDIOM(list_on_stack, struct node c = {3, NULL}; struct node b = {2, &c}; struct node a = {1, &b}; Y for (struct node *p = &a; p; p = p->next) { r += p->v; Y })
IDIOM(list_reverse, struct node *l = NULL; for (int i = 0; i < 4; i++) l = push(l, i); struct node *p = NULL; while (l) { struct node *t = l->next; l->next = p; Y p = l; l = t; } r += p->v * 10 + p->next->v; free_list(p);)
IDIOM(list_pointer_to_pointer, struct node *l = NULL; for (int i = 0; i < 5; i++) l = push(l, i); struct node **pp = &l; while (*pp) { if ((*pp)->v % 2) { struct node *d = *pp; *pp = d->next; Y free(d); } else pp = &(*pp)->next; } for (struct node *p = l; p; p = p->next) r += p->v; free_list(l);)
IDIOM(list_append_tail, struct node *l = NULL; struct node **tail = &l; for (int i = 0; i < 3; i++) { *tail = push(NULL, pv(i)); tail = &(*tail)->next; } r += l->v + l->next->v * 10 + l->next->next->v * 100; free_list(l);)
IDIOM(list_count, struct node *l = push(push(NULL, 1), 2); int k = 0; for (const struct node *p = l; p != NULL; p = p->next, k++) Y r += k; free_list(l);)
IDIOM(list_find, struct node *l = push(push(push(NULL, 5), 6), 7); struct node *p; for (p = l; p && pv(p->v) != 6; p = p->next) continue; r += p ? p->v : -1; free_list(l);)
IDIOM(dlist, struct dnode h = {&h, &h, 0}; struct dnode a = {&h, &h, 5}; h.next = h.prev = &a; Y for (struct dnode *p = h.next; p != &h; p = p->next) r += pv(p->v);)
IDIOM(kernel_list, struct list_head h; list_init(&h); struct item a = {.v = 1}; struct item b = {.v = 2}; list_add(&a.link, &h); Y list_add(&b.link, &h); struct item *p; list_for_each_entry(p, &h, link) { r = r * 10 + pv(p->v); })
IDIOM(kernel_list_safe, struct list_head h; list_init(&h); for (int i = 0; i < 3; i++) { struct item *k = malloc(sizeof *k); k->v = i; list_add(&k->link, &h); } struct list_head *p; struct list_head *t; list_for_each_safe(p, t, &h) { struct item *k = container_of(p, struct item, link); r += pv(k->v); free(k); })
IDIOM(kernel_list_plain, struct list_head h = {&h, &h}; struct item a = {7, {&h, &h}}; h.next = h.prev = &a.link; struct list_head *p; list_for_each(p, &h) { Y r += container_of(p, struct item, link)->v; })
IDIOM(tree_insert, struct tree *t = NULL; int keys[] = {5, 2, 8, 1, 9}; for (size_t i = 0; i < ARRAY_SIZE(keys); i++) t = insert(t, keys[i]); r += walk(t); drop(t);)
IDIOM(tree_iterative, struct tree a = {1, 0, 0}; struct tree c = {3, 0, 0}; struct tree b = {2, &a, &c}; struct tree *stack[4]; int sp = 0; stack[sp++] = &b; while (sp) { struct tree *t = stack[--sp]; r = r * 5 + pv(t->key); if (t->left) stack[sp++] = t->left; if (t->right) stack[sp++] = t->right; })
IDIOM(tree_min, struct tree a = {1, 0, 0}; struct tree b = {4, &a, 0}; struct tree *t = &b; while (t->left) { Y t = t->left; } r += t->key;)
IDIOM(pointer_walk, int a[] = {1, 2, 3}; int *end = a + 3; for (int *p = a; p != end; ++p) { Y r += *p; })
IDIOM(pointer_post_increment, int a[3]; int *p = a; *p++ = pv(1); *p++ = pv(2); *p++ = 3; r += a[0] + a[1] * 10 + a[2] * 100 + (int)(p - a);)
IDIOM(pointer_pre_decrement, int a[] = {1, 2, 3}; int *p = a + 3; while (p > a) r = r * 4 + pv(*--p);)
IDIOM(pointer_difference, char s[] = "a,b,c"; char *p = strchr(s, ','); Y r += (int)(p - s) + (int)(strrchr(s, ',') - p);)
IDIOM(pointer_to_array, int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*p)[3] = a; Y p++; r += (*p)[pv(1)] + p[0][2];)
IDIOM(pointer_to_pointer, int x = 1; int *p = &x; int **q = &p; **q += pv(4); Y int y = 9; *q = &y; r += x * 10 + *p;)
IDIOM(pointer_out_param, int x; po(&x, n + 5); r += x;)
IDIOM(pointer_array, int a = 1; int b = 2; int *v[] = {&a, &b, NULL}; for (int **p = v; *p; p++) **p += pv(10); r += a * b;)
IDIOM(pointer_swap, int a = 1; int b = 2; int *p = &a; int *q = &b; Y int *t = p; p = q; q = t; *p += pv(5); r += a * 10 + b;)
IDIOM(const_pointer, const char *const names[] = {"zero", "one", "two"}; const char *const *p = &names[n]; Y r += (int)strlen(*p) + (*p)[0];)
IDIOM(void_pointer, int x = 3; void *v = &x; Y *(int *)v += pv(2); r += x;)
IDIOM(char_view, int x = 0x01020304; unsigned char *b = (unsigned char *)&x; for (size_t i = 0; i < sizeof x; i++) r += b[i] * pv((int)i + 1);)
IDIOM(intptr, int x = 4; uintptr_t u = (uintptr_t)&x; Y r += *(int *)u;)
IDIOM(tagged_pointer, int x = 4; uintptr_t u = (uintptr_t)&x | 1; Y if (u & 1) r += *(int *)(u & ~(uintptr_t)1);)
IDIOM(offset_of, struct { char c; long l; } s = {0, 5}; char *base = (char *)&s; Y r += (int)*(long *)(base + offsetof(__typeof__(s), l));)
IDIOM(container_of_member, struct item it = {9, {0, 0}}; struct list_head *l = &it.link; Y r += container_of(l, struct item, link)->v;)
IDIOM(memcpy_struct, struct node a = {1, NULL}; struct node b; memcpy(&b, &a, sizeof b); Y b.v += pv(2); r += a.v * 10 + b.v;)
IDIOM(memset_zero, int a[4] = {1, 2, 3, 4}; Y memset(a, 0, sizeof a); r += a[0] + a[3] + n;)
IDIOM(memmove_shift, int a[4] = {1, 2, 3, 4}; memmove(a + 1, a, 3 * sizeof *a); Y a[0] = 9; for (int i = 0; i < 4; i++) r = r * 3 + a[i];)
IDIOM(memcmp_keys, char a[4] = "abc"; char b[4] = "abd"; Y r += memcmp(a, b, 3) < 0;)
IDIOM(null_checks, int *p = n ? &r : NULL; if (p && pv(1)) *p += 3; if (!p) r += 5;)
IDIOM(ownership, char *a = strdup("x"); char *b = a; a = NULL; Y r += b[0]; free(b); free(a);)
IDIOM(stack_push_pop, int st[8]; int sp = 0; for (int i = 0; i < 5; i++) st[sp++] = pv(i); while (sp > 0) r = r * 2 + st[--sp];)
IDIOM(ring_buffer, int q[4]; unsigned head = 0; unsigned tail = 0; for (int i = 0; i < 7; i++) { q[head++ & 3] = pv(i); if (head - tail == 3) r += q[tail++ & 3]; } while (tail != head) { Y r += q[tail++ & 3] * 10; })
IDIOM(hash_table, struct node *h[4] = {0}; for (int i = 0; i < 6; i++) { unsigned k = (unsigned)(i * 7) % 4; h[k] = push(h[k], pv(i)); } for (int i = 0; i < 4; i++) { for (struct node *p = h[i]; p; p = p->next) r = r * 3 + p->v; free_list(h[i]); })
IDIOM(heap_sift, int h[] = {9, 3, 5, 1}; int len = 4; for (int s = len / 2; s-- > 0;) { int i = s; for (;;) { int c = 2 * i + 1; if (c >= len) break; if (c + 1 < len && h[c + 1] < h[c]) c++; if (h[i] <= h[c]) break; SWAP(h[i], h[c]); Y i = c; } } r += h[0] * 10 + h[1];)
IDIOM(arena, char mem[64]; size_t used = 0; int *a[3]; for (int i = 0; i < 3; i++) { used = (used + 7) & ~(size_t)7; a[i] = (int *)(void *)(mem + used); used += sizeof(int); *a[i] = pv(i); } r += *a[0] + *a[1] * 10 + *a[2] * 100 + (int)used;)
IDIOM(refcount, struct { int refs; int v; } *o = malloc(sizeof *o); o->refs = 1; o->v = 4; o->refs++; Y if (--o->refs == 0) abort(); r += o->v; if (--o->refs == 0) free(o);)
IDIOM(double_buffer, int a[2] = {1, 2}; int b[2]; int *from = a; int *to = b; for (int i = 0; i < 3; i++) { to[0] = from[1]; to[1] = pv(from[0]) + 1; int *t = from; from = to; to = t; } r += from[0] * 10 + from[1];)
IDIOM(restrict_copy, int a[3] = {1, 2, 3}; int b[3]; int *restrict d = b; const int *restrict s = a; for (int i = 0; i < 3; i++) d[i] = s[i] + pv(1); r += b[0] + b[1] * 10 + b[2] * 100;)
IDIOM(linked_in_array, struct { int v; int next; } a[3] = {{1, 2}, {2, -1}, {3, 1}}; for (int i = 0; i >= 0; i = a[i].next) r = r * 4 + pv(a[i].v);)
IDIOM(free_list_pool, struct node pool[3]; struct node *freed = NULL; for (int i = 0; i < 3; i++) { pool[i].next = freed; freed = &pool[i]; } struct node *k = freed; freed = k->next; Y k->v = pv(6); r += k->v + (int)(freed - pool); k->next = freed; freed = k;)
IDIOM(self_pointer, struct dnode d = {.v = 3}; d.next = &d; Y r += d.next->next->v;)
IDIOM(array_of_strings, char *v[3]; for (int i = 0; i < 3; i++) { char b[8]; snprintf(b, sizeof b, "s%d", pv(i)); v[i] = strdup(b); } for (int i = 0; i < 3; i++) { r += v[i][1]; free(v[i]); })
IDIOM(alloc_2d, int **m = malloc(2 * sizeof *m); for (int i = 0; i < 2; i++) { m[i] = malloc(2 * sizeof **m); for (int j = 0; j < 2; j++) m[i][j] = pv(i * 2 + j); } r += m[1][0] * 10 + m[0][1]; for (int i = 0; i < 2; i++) free(m[i]); free(m);)
