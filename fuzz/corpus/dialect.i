#pragma fermata
typedef struct fm_task { void *n; unsigned long g; } fm_task; typedef struct fm_activity { void *n; unsigned long g; } fm_activity;
typedef struct fm_fn { int x; } fm_fn;
async int g(int i) { if (i % 3) yield; return i * 2; }
static async int s(int n) { int t = 0, v[4] = { g(1), 2 }; for (int i = 0; i < n; i++) t += g(i) && v[i]; return g(t); }
async void m(int k) { task(int) t = spawn s(3); auto u = spawn now g(2); int x = await t + await u; activate (k) { x += k; yield; }
 { int w[k]; w[0] = g(1); while (g(x)) { if (x) break; else continue; } } atomic { x = g(2); if (x) return; } switch (g(1)) { case 1: yield; default: ; }
 do x--; while (g(x) > 0); x = k ? g(1) : g(2); goto out; out: ; }
atomic int p(int a) { return g(a); }
int q(void) { return run g(1) + atomic g(2); }
