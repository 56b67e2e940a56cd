// Functions: pointers to them, callbacks, variadic calls, recursion, errors, cleanups, static variables.
typedef int (*binop)(int, int);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static inline int twice(int x) { return x * 2; }
static async int later_plus(int a, int b) { Y return a + b; }
static async int later_times(int a, int b) { Y return a * b; }
static int compare(const void *a, const void *b) { int x = *(const int *)a; int y = *(const int *)b; return (x > y) - (x < y); }
static int sum_all(int count, ...) { va_list ap; int s = 0; va_start(ap, count); while (count-- > 0) s += va_arg(ap, int); va_end(ap); return s; }
static async int fact(int n) { Y return n <= 1 ? 1 : n * fact(n - 1); }
static async int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static async int is_odd(int n);
static async int is_even(int n) { Y return n == 0 ? 1 : is_odd(n - 1); }
static async int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
static async int acker(int m, int n) { Y return m == 0 ? n + 1 : n == 0 ? acker(m - 1, 1) : acker(m - 1, acker(m, n - 1)); }
static async void hanoi(int k, int from, int to, int via, int *moves) { if (!k) return; hanoi(k - 1, from, via, to, moves); Y *moves = *moves * 3 % 1009 + from * to; hanoi(k - 1, via, to, from, moves); }
static async int fail(int e) { Y return errno = e, -1; }
static async int open_like(int n, int *fd) { Y if (n < 0) { errno = EINVAL; return -1; } *fd = n; return 0; }
static async int divide(int a, int b, int *q) { if (!b) return -EDOM; Y *q = a / b; return 0; }
static async int goto_ladder(int n) {
  int rc = -1;
  char *a = malloc(4);
  if (!a) goto out;
  char *b = malloc(4);
  if (!b) goto free_a;
  if (pv(n) == 1) { rc = -2; goto free_b; }
  a[0] = b[0] = (char)n;
  Y
  rc = a[0] + b[0];
free_b:
  free(b);
free_a:
  free(a);
out:
  return rc;
}
static async int counter(void) { static int c = 10; Y return c++; }
static async int memo(int k) { static int known[8]; if (known[k]) return known[k]; Y return known[k] = k < 2 ? 1 : memo(k - 1) + memo(k - 2); }
static async int apply(async int (*f)(int, int), int a, int b) { Y return f(a, b); }
static async void each(const int *a, size_t k, async void (*f)(int, void *), void *arg) { for (size_t i = 0; i < k; i++) f(a[i], arg); }
static async void add_to(int v, void *arg) { Y *(int *)arg += v; }
static async const char *name_of(int k) { Y switch (k) { case 0: return "zero"; case 1: return "one"; default: return "many"; } }
static void note(int *p) { *p += 100; }
static int cleaned;
static void add_up(int *p) { cleaned += *p; }
static async int with_cleanup(int k) { __attribute__((cleanup(add_up))) int v = k; Y v += 2; return v; }
static async int *address_of(int *p) { Y return p; }
static async long widen(char c, short s, int i, long l) { Y return c + s + i + l; }
static async double mixed(float f, double d, int i) { Y return f * d + i; }
static async void nothing(void) { }
static async int many_args(int a, int b, int c, int d, int e, int f, int g, int h) { Y return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8; }
static async int array_param(int a[], int k) { int s = 0; for (int i = 0; i < k; i++) { Y s += a[i]; } return s; }
static async int array_static(int a[static 2], const int *const b) { Y return a[1] + *b; }
static async int matrix_param(int k, int m[k][k]) { int t = 0; for (int i = 0; i < k; i++) { Y t += m[i][i]; } return t; }
static async int change_param(int a) { a += 2; Y a *= 3; return a; }
static async int const_param(const int a, const char *const s) { Y return a + s[0]; }
static async void two_results(int a, int *lo, int *hi) { Y *lo = a & 15; *hi = a >> 4; }
static async int early(int k) { if (k == 0) return 1; Y if (k == 1) return 2; for (;;) { Y if (k++ > 4) return k; } }

IDIOM(pointer_call, binop f = n ? plus : minus; Y r += f(pv(5), 3) + (*f)(1, 1);)
IDIOM(pointer_table, static const binop t[] = {plus, minus, plus}; r += t[pv(n)](7, 2);)
IDIOM(pointer_in_struct, struct { binop f; int a; } s = {minus, pv(9)}; Y r += s.f(s.a, 4);)
IDIOM(pointer_ternary, r += (n ? plus : minus)(pv(8), 3);)
IDIOM(pointer_null_check, binop f = n == 1 ? NULL : plus; Y r += f ? f(1, 2) : -1;)
IDIOM(pointer_compare, binop f = plus; Y r += (f == plus) + (f != minus) * 2;)
IDIOM(pointer_array_local, binop ops[2]; ops[0] = plus; ops[1] = minus; for (int i = 0; i < 2; i++) { Y r = ops[i](r, pv(i)); })
IDIOM(async_pointer, async int (*f)(int, int) = n ? later_plus : later_times; r += f(3, 4);)
IDIOM(async_table, async int (*t[])(int, int) = {later_plus, later_times, later_plus}; r += t[n](pv(3), 5);)
IDIOM(async_callback, r += apply(later_plus, 2, 3) + apply(later_times, pv(2), 3);)
IDIOM(async_each, int a[] = {1, 2, 3}; int s = 0; each(a, 3, add_to, &s); r += s;)
IDIOM(inline_helper, r += twice(pv(4)) + twice(twice(n));)
IDIOM(qsort_call, int a[] = {5, 1, 4}; Y qsort(a, 3, sizeof *a, compare); r += a[0] * 100 + a[1] * 10 + a[2];)
IDIOM(bsearch_call, int a[] = {1, 3, 5, 7}; int k = pv(5); int *p = bsearch(&k, a, 4, sizeof *a, compare); Y r += p ? (int)(p - a) : -1;)
IDIOM(variadic_call, r += sum_all(3, pv(1), n, pv(3)); Y r += sum_all(0);)
IDIOM(printf_args, char b[32]; r += snprintf(b, sizeof b, "%d %s %c %ld", pv(1), ps("two"), 'c', pl(4)); r += b[2];)
IDIOM(recursion_fact, r += fact(5 + n);)
IDIOM(recursion_fib, r += fib(6 + n);)
IDIOM(recursion_mutual, r += is_even(n + 4) * 10 + is_odd(n);)
IDIOM(recursion_acker, r += acker(1, n + 1);)
IDIOM(recursion_hanoi, int m = 1; hanoi(3, 1, 3, 2, &m); r += m;)
IDIOM(errno_comma, int e = fail(n + 20); r += e * 100 + errno;)
IDIOM(errno_saved, errno = 0; int saved = errno; fail(EIO); r += errno == EIO; errno = saved; Y r += errno == 0;)
IDIOM(errno_checked, int fd = -1; if (open_like(n - 1, &fd) < 0) r += errno == EINVAL; else r += fd + 10;)
IDIOM(error_code, int q = 0; int e = divide(9, pv(n), &q); if (e < 0) r += -e; else r += q;)
IDIOM(error_chain, int fd; int q; int e; if ((e = open_like(n, &fd)) != 0 || (e = divide(8, fd, &q)) != 0) r += 100 - e; else r += q;)
IDIOM(goto_ladder_call, r += goto_ladder(n);)
IDIOM(static_counter_call, r += counter() + counter();)
IDIOM(static_memo, r += memo(5 + n);)
IDIOM(static_table, static const int t[] = {3, 1, 2}; r += t[t[pv(n)] - 1];)
IDIOM(static_init_once, static bool ready; static int v; if (!ready) { Y v = pv(5); ready = true; } r += v++;)
IDIOM(string_result, const char *s = name_of(n); r += (int)strlen(s);)
IDIOM(string_result_direct, r += (int)strlen(name_of(pv(n))) + name_of(0)[1];)
IDIOM(cleanup_attribute, { __attribute__((cleanup(note))) int k = pv(3); Y r += k; } r += 1;)
IDIOM(cleanup_order, cleaned = 0; { __attribute__((cleanup(add_up))) int a = 1; Y a += 4; { __attribute__((cleanup(add_up))) int b = pv(10); (void)b; } r += cleaned; } r += cleaned;)
IDIOM(cleanup_return, cleaned = 0; int v = with_cleanup(n); r += v * 100 + cleaned;)
IDIOM(pointer_result, int x = 3; *address_of(&x) = pv(8); r += x;)
IDIOM(conversions, r += (int)widen((char)pv(1), 2, 3, 4);)
IDIOM(float_args, r += (int)mixed(1.5f, pd(2), 3);)
IDIOM(implicit_convert, double d = pv(3); int i = (int)pd(2.9); char c = (char)pv(65); Y r += (int)(d * 10) + i + c;)
IDIOM(void_call, nothing(); Y nothing(); r++;)
IDIOM(ignored_result, pv(1); (void)pv(2); sv(3); r += 1;)
IDIOM(eight_args, r += many_args(1, pv(2), 3, pv(4), 5, 6, pv(7), n);)
IDIOM(argument_order, int a = 1; r += many_args(a, a, pv(a), a, 0, 0, 0, 0);)
IDIOM(nested_calls, r += pv(pv(pv(n) + 1) + 1) + later_plus(pv(1), later_plus(2, pv(3)));)
IDIOM(array_argument, int a[] = {1, 2, pv(3)}; r += array_param(a, 3) + array_param((int[]){4, 5}, 2);)
IDIOM(array_static_argument, int a[2] = {1, pv(2)}; r += array_static(a, &a[0]);)
IDIOM(vla_argument, int m[2][2] = {{1, 2}, {3, pv(4)}}; r += matrix_param(2, m);)
IDIOM(param_changed, int a = n; r += change_param(a) * 10 + a;)
IDIOM(param_const, r += const_param(pv(1), "a");)
IDIOM(out_params, int lo; int hi; two_results(pv(0x35), &lo, &hi); r += lo * 10 + hi;)
IDIOM(out_struct, struct { int lo, hi; } s; two_results(0x47, &s.lo, &s.hi); Y r += s.lo + s.hi;)
IDIOM(out_array, int a[3] = {0}; po(&a[pv(1)], 7); r += a[0] + a[1];)
IDIOM(early_returns, r += early(n) * 10 + early(pv(2));)
IDIOM(call_in_subscript, int a[] = {4, 5, 6}; r += a[pv(n)] + a[a[pv(0)] - 4];)
IDIOM(call_in_init_list, int a[] = {pv(1), sv(2), later_plus(1, 2)}; r += a[0] + a[1] * 10 + a[2] * 100;)
IDIOM(call_in_return_expr, r += ({ int k = pv(2); k * later_times(2, 3); });)
IDIOM(call_compare_chain, r += pv(1) < pv(2) == 1; r += pv(n) <= 1 && pv(3) >= 2;)
IDIOM(const_cast, const int k = pv(4); const int *p = &k; Y r += *p;)
IDIOM(linkage_block, extern int optind; int a = optind; Y r += a == optind;)
IDIOM(prototype_in_block, int abs(int); Y r += abs(pv(-6));)
IDIOM(function_address, int (*f)(int) = &twice; int (*g)(int) = twice; Y r += f == g ? f(pv(2)) : 0;)
IDIOM(function_typedef_param, typedef int (*cb)(int); cb list[] = {twice, sv, abs}; for (size_t i = 0; i < ARRAY_SIZE(list); i++) r = list[i](pv(r % 50) - 1);)
IDIOM(unused_variable, int unused __attribute__((unused)) = pv(3); Y r++;)
IDIOM(assert_like, if (!(pv(1) == 1)) abort(); Y r += 2;)
