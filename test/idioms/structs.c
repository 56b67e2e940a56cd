// Structures, unions, bit-fields, enumerations, initialisers and compound literals.
struct point { int x, y; };
struct rect { struct point min, max; };
struct flags { unsigned a : 1, b : 3, c : 4; int s : 5; };
union word { uint32_t u; uint8_t b[4]; struct { uint16_t lo, hi; } h; };
typedef struct { const char *name; int (*get)(int); int data[3]; } entry;
enum kind { K_INT, K_STR, K_PAIR };
struct value { enum kind kind; union { int i; const char *s; struct { int a, b; } pair; }; };
struct fam { size_t len; int a[]; };
struct deep { struct { struct { int v[2]; } in[2]; } out; };
struct __attribute__((packed)) packed { char c; int i; short s; };
static struct point add(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y}; }
static async struct point later(struct point p) { Y p.x++; Y return p; }
static async struct rect make_rect(int k) { Y return (struct rect){{k, k + 1}, {k + 2, k + 3}}; }
static async int area(const struct rect *q) { Y return (q->max.x - q->min.x) * (q->max.y - q->min.y); }

IDIOM(struct_assign, struct point a = {1, 2}; struct point b; b = a; Y b.x += pv(5); r += a.x * 10 + b.x;)
IDIOM(struct_init_partial, struct rect q = {{1}}; Y r += q.min.x + q.max.y + n;)
IDIOM(struct_designated, struct point p = {.y = pv(3), .x = 4}; Y r += p.x * 10 + p.y;)
IDIOM(struct_designated_nested, struct rect q = {.max = {.y = 7}, .min.x = pv(2)}; r += q.min.x * 10 + q.max.y;)
IDIOM(struct_zero, struct rect q = {0}; Y q.min.x = pv(n); r += q.min.x + q.max.x;)
IDIOM(struct_return, struct point p = add((struct point){1, 2}, (struct point){3, 4}); Y r += p.x * p.y;)
IDIOM(struct_return_member, r += later((struct point){pv(1), 2}).x;)
IDIOM(struct_return_chain, struct point p = later(later(later((struct point){0, 5}))); r += p.x * 10 + p.y;)
IDIOM(struct_return_large, struct rect q = make_rect(n); r += q.min.x + q.min.y * 10 + q.max.x * 100 + q.max.y * 1000;)
IDIOM(struct_by_address, struct rect q = make_rect(pv(1)); q.max.y += 4; r += area(&q);)
IDIOM(struct_literal_address, r += area(&(struct rect){{0, 0}, {pv(3), 4}});)
IDIOM(struct_literal_kept, struct point *p = &(struct point){pv(1), 2}; Y p->x += 4; Y r += p->x * p->y;)
IDIOM(struct_literal_assign, struct point p; p = (struct point){pv(n), n + 1}; Y r += p.x * 10 + p.y;)
IDIOM(struct_literal_array, int *p = (int[]){1, pv(2), 3}; Y r += p[0] + p[1] * 10 + p[2] * 100;)
IDIOM(struct_arrow_chain, struct rect q = {{1, 2}, {3, 4}}; struct rect *p = &q; struct point *m = &p->max; Y m->x += pv(1); r += q.max.x;)
IDIOM(struct_array, struct point a[3] = {{1, 2}, {3, 4}, {5, 6}}; for (int i = 0; i < 3; i++) { Y r += a[i].x * a[i].y; })
IDIOM(struct_array_designated, struct point a[] = {[2] = {5, 6}, [0] = {.y = 1}}; Y r += a[0].y + a[2].x + (int)ARRAY_SIZE(a);)
IDIOM(struct_range_init, int a[8] = {[2 ... 5] = 3, [7] = 1}; Y for (int i = 0; i < 8; i++) r = r * 2 + a[i];)
IDIOM(struct_with_array, struct { int a[3]; } s = {{1, 2, 3}}; __typeof__(s) t = s; Y t.a[1] = pv(9); r += s.a[1] * 10 + t.a[1];)
IDIOM(struct_array_copy, struct { char s[8]; } a = {"text"}; __typeof__(a) b; b = a; Y b.s[0] = 'n'; r += a.s[0] + b.s[0] * 2;)
IDIOM(struct_deep, struct deep d = {{{{{1, 2}}, {{3, 4}}}}}; Y d.out.in[pv(1)].v[0] += 10; r += d.out.in[1].v[0] + d.out.in[0].v[1];)
IDIOM(struct_anonymous_member, struct value v = {.kind = K_PAIR, .pair = {1, 2}}; Y v.pair.b = pv(7); r += v.pair.a * 10 + v.pair.b;)
IDIOM(struct_tagged_union, struct value v[] = {{K_INT, {.i = 4}}, {K_STR, {.s = "four"}}, {K_PAIR, {.pair = {2, 2}}}}; switch (v[n].kind) { case K_INT: r += v[n].i; break; case K_STR: Y r += (int)strlen(v[n].s); break; case K_PAIR: r += v[n].pair.a + pv(v[n].pair.b); })
IDIOM(struct_local_type, struct local { int a; char c; }; struct local l = {pv(1), 'x'}; Y r += l.a + l.c;)
IDIOM(struct_local_typedef, typedef struct { long a, b; } both; both p = {pl(1), 2}; both q = p; Y q.a++; r += (int)(p.a * 10 + q.a);)
IDIOM(struct_local_anonymous, struct { int lo, hi; } range = {1, pv(4)}; for (int i = range.lo; i < range.hi; i++) { Y r += i; })
IDIOM(struct_local_shadow, struct point { char c[3]; } p = {{1, 2, 3}}; Y r += (int)sizeof p + p.c[pv(2)];)
IDIOM(struct_forward, struct later_defined; struct later_defined { int v; } s = {pv(3)}; Y r += s.v;)
IDIOM(struct_self_size, struct point *p = calloc(2, sizeof *p); p[1].x = pv(3); Y r += p[0].x + p[1].x; free(p);)
IDIOM(struct_fam, struct fam *f = malloc(sizeof *f + 4 * sizeof f->a[0]); f->len = 4; for (size_t i = 0; i < f->len; i++) f->a[i] = pv((int)i); Y r += f->a[3] + (int)f->len; free(f);)
IDIOM(struct_packed, struct packed p = {1, pv(0x1234), 5}; Y r += p.i + p.s + (int)sizeof p;)
IDIOM(struct_const, const struct point origin = {pv(3), 4}; Y r += origin.x + origin.y;)
IDIOM(struct_const_member, struct { const int id; int v; } s = {pv(3), 4}; Y s.v += s.id; r += s.v;)
IDIOM(struct_volatile, volatile struct point p = {1, 2}; Y p.x += pv(2); r += p.x + p.y;)
IDIOM(struct_static, static struct point p = {1, 1}; p.x += 1; Y p.y += pv(p.x); r += p.y;)
IDIOM(struct_compare, struct point a = {1, 2}; struct point b = {1, pv(2)}; r += a.x == b.x && a.y == b.y; Y r += memcmp(&a, &b, sizeof a) == 0;)
IDIOM(struct_swap, struct point a = {1, 2}; struct point b = {3, 4}; SWAP(a, b); Y SWAP(a.x, b.y); r += a.x * 10 + b.y;)
IDIOM(struct_conditional, struct point a = {1, 2}; struct point b = {3, 4}; struct point c = pv(n) ? a : b; Y r += c.x;)
IDIOM(struct_comma, struct point a = {1, 2}; struct point c = (a.x = pv(6), a); r += c.x;)
IDIOM(struct_stmt_expr, struct point p = ({ struct point t = {pv(1), 2}; Y t.y += 5; t; }); r += p.x * 10 + p.y;)
IDIOM(struct_stmt_expr_member, r += ({ struct rect t = make_rect(pv(2)); Y t; }).max.y;)
IDIOM(struct_function_member, entry e = {.name = "sv", .get = sv, .data = {[1] = 5}}; Y r += e.get(e.data[1]) + (int)strlen(e.name);)
IDIOM(struct_entry_table, static const entry t[] = {{"a", sv, {1}}, {"b", abs, {-2, 3}}}; for (size_t i = 0; i < ARRAY_SIZE(t); i++) { Y r += t[i].get(t[i].data[0]); })
IDIOM(struct_pass_through, struct point p = {1, 2}; p = later(p); p = add(p, later(p)); r += p.x * 10 + p.y;)
IDIOM(struct_in_loop, for (int i = 0; i < 3; i++) { struct point p = {.x = i}; Y p.y += pv(i); r += p.x * p.y; })
IDIOM(struct_init_from_call, struct rect q = {later((struct point){1, 1}), later((struct point){pv(5), 5})}; r += q.min.x * 10 + q.max.x;)
IDIOM(union_bytes, union word w = {.u = 0x01020304}; Y w.b[pv(0)] ^= 0xff; r += w.b[0] + w.b[1] + w.h.hi;)
IDIOM(union_float, union { float f; uint32_t u; } v = {.f = 1.0f}; Y r += (int)(v.u >> 23);)
IDIOM(union_pointer, union { int *p; char *c; } u; int x = 5; u.p = &x; Y r += *u.p;)
IDIOM(bitfield_set, struct flags f = {0}; f.b = (unsigned)pv(5); f.a = 1; f.s = -3; Y r += (int)f.b * 10 + (int)f.a + f.s;)
IDIOM(bitfield_wrap, struct flags f = {.b = 7}; f.b++; Y r += (int)f.b + n; f.c += (unsigned)pv(17); r += (int)f.c;)
IDIOM(bitfield_init, struct flags f = {1, 2, 3, (int)pv(-4)}; Y r += (int)f.a + (int)f.b * 10 + (int)f.c * 100 + f.s;)
IDIOM(bitfield_assign_value, struct flags f = {0}; int k = (f.b = 12u); Y r += k * 10 + (int)f.b;)
IDIOM(bitfield_loop, struct { unsigned i : 4; } s; for (s.i = 0; s.i < 6; s.i++) r += pv((int)s.i);)
IDIOM(bitfield_copy, struct flags f = {.a = 1, .c = 9}; struct flags g = f; Y g.c ^= (unsigned)pv(3); r += (int)g.c + (int)f.c * 20;)
IDIOM(bitfield_bool, struct { bool a : 1; bool b : 1; } s = {true, pb(false)}; Y s.b = n == 1; r += s.a + s.b * 2;)
IDIOM(enum_flags, enum { F_A = 1 << 0, F_B = 1 << 1, F_C = 1 << 2, F_ALL = F_A | F_B | F_C }; int f = F_A | F_C; Y f &= ~F_A; f ^= pv(F_ALL); r += f;)
IDIOM(enum_loop, enum { ONE, TWO, THREE, COUNT }; int seen[COUNT] = {0}; for (int i = ONE; i < COUNT; i++) { Y seen[i] += pv(i); } r += seen[THREE];)
IDIOM(enum_names, enum { RED, BLUE, COLOURS }; static const char *const names[COLOURS] = {[RED] = "red", [BLUE] = "blue"}; Y r += (int)strlen(names[pv(n & 1)]);)
IDIOM(enum_negative, enum e { LOW = -2, MID, HIGH = 10 }; enum e v = n ? HIGH : LOW; Y r += v + MID;)
IDIOM(enum_sizeof_array, int a[7]; enum { LEN = sizeof a / sizeof a[0] }; memset(a, 0, sizeof a); Y r += LEN + a[0];)
IDIOM(typedef_function, typedef int op(int); op *f = n ? sv : abs; Y r += f(pv(-3));)
IDIOM(typedef_array, typedef int triple[3]; triple t = {1, 2, pv(3)}; Y r += t[0] + t[2] + (int)sizeof(triple);)
IDIOM(init_order, int a = pv(1); int b = a + pv(2); int c[] = {b, a, pv(b)}; r += c[0] * 100 + c[1] * 10 + c[2];)
IDIOM(init_string_member, struct { char s[6]; int v; } e[] = {{"one", 1}, {"three", 3}}; Y r += e[1].s[4] + e[pv(0)].v;)
IDIOM(array_in_struct_by_value, struct { int a[4]; } s; for (int i = 0; i < 4; i++) s.a[i] = pv(i); __typeof__(s) t = s; s.a[0] = 9; Y r += t.a[0] + t.a[3];)
IDIOM(alignas_local, _Alignas(32) char buf[8] = "abc"; Y r += ((uintptr_t)buf % 32 == 0) + buf[pv(1)];)
IDIOM(vector_type, typedef int v4 __attribute__((vector_size(16))); v4 a = {1, 2, 3, 4}; v4 b = a * 2; Y a += b; r += a[pv(2)];)
