// editor-all.c: every construct of the dialect, as fermata-clangd shows it to clangd. It is only parsed.
#include <fermata.h>
#include <fermata/time.h>
#include <fermata/sync.h>
typedef fm_chan(int) chan;
struct big { int a, b; };
struct bad { int code; };
async int f(int x);
async void w(int x) throws(struct bad);
static async struct big g(int x) { fm_sleep(1); return (struct big){ x, x }; }
asyncdirect int on_ready(int fd, fm_completion(int) *k) {
  fm_on_cancel(k, NULL, &fd);
  fm_complete(k, fd);
}
asyncdirect void just(fm_completion(void) *k);
async void h(chan *c, chan *cs, int n, int cond) {
  int v;
  race { case v = f(1): puts("a"); case fm_sleep(2): puts("b"); }
  race {
    case int v = fm_recv(c):
      printf("%d\n", v);
      break;
    case if (cond) int q = fm_recv(c):
      printf("%d\n", q);
    case if (cond) v = fm_recv(c): { printf("%d\n", v); }
    case cond ? f(1) : f(2):
      return;
    default:
      puts("none");
  }
  race fair {
    for (int i = 0; i < n; i++) case int got = fm_recv(&cs[i]):
      printf("%d %d\n", i, got);
    case fm_sleep(10): if (cond) puts("x"); else puts("y");
  }
  switch (cond) { case 1: race { case w(1): break; } break; case 2: case 3: puts("z"); break; default: break; }
  auto t = spawn f(2);
  fm_cancel(fm_id(t));
  task(int) u = spawn now f(3);
  printf("%d\n", await t + await u);
  task(struct big) b = spawn g(3);
  printf("%d\n", (await b).a);
  auto b2 = spawn g(4);
  struct big b3 = await b2;
  task(void) ws[2];
  for (int i = 0; i < 2; i++) ws[i] = spawn w(i);
  fm_all(ws, 2);
  fm_activity id;
  activate { w(1); }
  activate (n) { w(n); return; }
  activate [&id] { w(1); }
  activate [&id] (n, cond) { w(n + cond); }
  activate [&id] () { w(n + cond); }
  if (cond) activate (n) { w(n); } else puts("no");
  job(int) j = job f(3);
  auto j2 = job (n, cond) { int x = n; return f(x + cond); };
  int k = await j + run j;
  auto tt = spawn j2;
  spawn j2;
  scope (s) { spawn in(s) w(3); spawn detached w(3); } catch each (struct bad e) { printf("%d\n", e.code); }
  scope (s) { fm_cancel_after(s, 3); } else puts("late");
  scope { spawn w(1); }
  try { w(2); } catch (struct bad) { puts("bad"); }
  struct { int run, yield; } names = { .run = 1 };
  names.yield = names.run;
  on_ready(3);
  just();
  try { w(1); } catch (struct bad e) { printf("%d\n", e.code); } catch (fm_error *any) { puts(fm_error_name(any)); throw; } finally { puts("end"); }
  (void)k, (void)tt, (void)b3;
}
