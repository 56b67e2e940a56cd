# -Wunawaited-task: tasks that may throw and are never awaited, and those of which nothing is to be said.
. "$SRC/test/driver/common.bash"
head='#include <fermata.h>
struct bad { int v; };
struct holder { task(int) throws(struct bad) t; };
static async int g(int x) throws(struct bad) { yield; throw (struct bad){x}; }
static async int f(int x) { yield; return x; }
task(int) throws(struct bad) made(void);
void keep(task(int) throws(struct bad) *t, struct holder *h);
'
# says TEXT BODY: the function with that body draws that warning, once; says nothing BODY: none at all.
says() {
  printf '%sasync void test(int c) throws(struct bad);\nasync void test(int c) throws(struct bad) {\n%s\n}\n' "$head" "$2" > t.c
  status 0 "$FMCC" -Wno-unused -c t.c
  if [ "$1" = nothing ]; then lacks err 'Wunawaited-task'
  else has err "$1"; [ "$(grep -c 'Wunawaited-task' err)" = 1 ] || { cat err; fail "more than one warning: $2"; }; fi
}
says 't.c:10:10: warning: the task in `t` may throw `struct bad`, and is never awaited here' 'auto t = spawn g(c);'
says 'the task in `t` may throw' 'auto t = spawn g(c); (void)t;'
says 'the task in `t` may throw' 'task(int) t[3]; for (int i = 0; i < c; i++) t[i] = spawn g(i);'
says 'the task in `t` may throw' 'task(int) t; t = spawn f(1); t = spawn g(1);'
says 'the task in `t` may throw' 'task(int) t = c ? spawn f(1) : spawn g(1);'
says 'the task in `t` may throw' 'activate (c) { auto t = spawn g(c); }'
says 'this task may throw `struct bad`' 'made();'
says 'this task may throw `struct bad`' '(void)(c, made());'
says nothing 'auto t = spawn f(c);'
says nothing 'auto t = spawn detached g(c);'
says nothing 'auto t = spawn g(c); await t;'
says nothing 'auto t = spawn g(c); activate { try { await t; } catch (struct bad e) { (void)e; } }'
says nothing 'task(int) t[2] = {spawn g(1), spawn g(2)}; fm_all(t, 2);'
says nothing 'auto t = spawn g(c); task(int) s = t; await s;'
says nothing 'auto t = spawn g(c); keep(&t, 0);'
says nothing 'auto t = spawn g(c); struct holder h = {t}; keep(0, &h);'
says nothing 'auto t = spawn g(c); fm_detach(t);'
says nothing 'auto t = spawn g(c); fm_cancel(fm_id(t));'
says nothing 'task(int) t = ({ spawn g(c); }); await t;'
# In a scope its error is thrown there; if someone expects it, nothing is to be said.
says nothing 'scope { auto t = spawn g(c); (void)t; }'
printf '%sasync void test(void) { scope { auto t = spawn g(1); (void)t; } }\n' "$head" > s.c
status 0 "$FMCC" -Wno-unused -c s.c; has err 'Wunawaited-task'
# The option.
printf '%sasync void test(void) { auto t = spawn g(1); (void)t; }\n' "$head" > o.c
status 0 "$FMCC" -Wno-unused -c o.c; has err 'Wunawaited-task'
status 0 "$FMCC" -Wno-unused -Wno-unawaited-task -c o.c; lacks err 'Wunawaited-task'
status 0 "$FMCC" -Wno-unused -Wno-unawaited-task -Wunawaited-task -c o.c; has err 'Wunawaited-task'
status 0 "$FMCC" -w -c o.c; lacks err 'Wunawaited-task'
