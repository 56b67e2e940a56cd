// In assert mode every expression's type, and every structure's size, is put to the C compiler.
// flags: --translate=assert
struct s { char c; int i; };
// emits: _Static_assert(sizeof(struct s) == 8 && __alignof__(struct s) == 4
long f(struct s *p, short x) {
  return p->i + x * 2l;
  // emits: __builtin_types_compatible_p(__typeof__(p->i + x * 2l), long)
  // emits: __builtin_types_compatible_p(__typeof__(p), struct s *)
  // emits: __builtin_types_compatible_p(__typeof__(x), short)
}
