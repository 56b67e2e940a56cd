# fermata explore finds a failing schedule, makes it short and describes it; the same schedule is the
# same run.
set -eu
[ "$CC" = gcc ] || exit 77
fermata="$SRC/build/bin/fermata"
# The program of docs/explore.md gives what that page shows.
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$SRC/docs/explore.md" > bank.c
sed -n '/\$ fermata explore bank.c/,/run it again/s/^    //p' "$SRC/docs/explore.md" | tail -n +2 > shown
! "$fermata" explore --jobs=1 bank.c > told || exit 1
diff shown told
# … and a replay is exact: it fails each time, the default does not, and atomic mends it.
"$SRC/build/bin/fmcc" -o bank bank.c
for i in $(seq 10); do
  status=0
  "$fermata" explore --replay='1/1.5>1/2' ./bank 2> err || status=$?
  [ $status = 134 ] && grep -q "balance == 130" err
done
"$fermata" explore --replay= ./bank
"$fermata" explore --replay='1/7.5>1/9' ./bank
"$fermata" explore --replay='1/1.5>1/9' ./bank 2> err
grep -q "1 of 1 deviations could not be made" err
sed 's/^  note(amount);/  atomic note(amount);/' bank.c > mended.c
"$fermata" explore -n 100 mended.c > out
grep -qx "100 schedules, none fails" out

# A deadlock, with one switch.
cat > dead.c << 'END'
#include <fermata.h>
#include <fermata/sync.h>
static fm_mutex a, b;
static async void one(void) { fm_lock(&a); fm_lock(&b); fm_unlock(&b); fm_unlock(&a); }
static async void two(void) { fm_lock(&b); fm_lock(&a); fm_unlock(&a); fm_unlock(&b); }
async int main(void) {
  auto x = spawn one();
  auto y = spawn two();
  await x;
  await y;
  return 0;
}
END
! "$fermata" explore -n 30 dead.c > out || exit 1
grep -q "deadlock: nothing is ready" out
grep -q "^1 of [0-9]* deviations" out

# A timer that is due while others run; a use of freed memory, which ASan reports.
cat > timer.c << 'END'
#include <fermata.h>
#include <fermata/time.h>
#include <stdlib.h>
static struct session { int uses; } *current;
static async void expire(void) {
  fm_sleep(1000);
  free(current);
  current = NULL;
}
static async void serve(void) {
  for (int i = 0; i < 5 && current; i++) {
    struct session *s = current;
    yield;
    s->uses++;
  }
}
async int main(void) {
  current = calloc(1, sizeof *current);
  auto a = spawn expire();
  auto b = spawn serve();
  await b;
  await a;
  return 0;
}
END
! "$fermata" explore -n 60 -fsanitize=address timer.c > out || exit 1
grep -q "heap-use-after-free" out
grep -q "timer.c:14" out
grep -q "time passes: a timer is due" out
grep -q "replay='[^' ]*>t'" out

# Without an assertion, the sanitizer sees the lost update.
sed '/assert(/d' bank.c > silent.c
"$fermata" explore -n 20 silent.c > out
! "$fermata" explore -n 20 --sanitize silent.c > out || exit 1
grep -q "balance" out
grep -q "^1 of [0-9]* deviations" out
grep -q "replay='[^']*' --sanitize silent.c" out

# A wrong output; a program that does not end; one that fails by itself.
cat > order.c << 'END'
#include <fermata.h>
static async void say(const char *word) { puts(word); }
async int main(void) {
  activate { say("one"); }
  activate { say("two"); }
  return 0;
}
END
printf 'one\ntwo\n' > expected
! "$fermata" explore -n 30 --expect=expected order.c > out || exit 1
grep -qF 'its output differs from expected in line 1: "two" instead of "one"' out
cat > spins.c << 'END'
#include <fermata.h>
#include <stdbool.h>
static bool asked, done;
static async void ask(void) { asked = true; }
static async void answer(void) { if (asked) done = true; }
async int main(void) {
  auto a = spawn ask();
  auto b = spawn answer();
  while (!done && !asked)
    yield;
  while (asked && !done)
    yield;
  await a;
  await b;
  return 0;
}
END
! "$fermata" explore -n 30 spins.c > out || exit 1
grep -q "it does not end" out
echo 'int main(void) { return 3; }' > fails.c
! "$fermata" explore fails.c > out || exit 1
grep -q "schedule 1 of 1000 fails: it ends with status 3" out
grep -q "the program has run no activities: there is nothing to explore" out
cat > waits.c << 'END'
#include <fermata.h>
#include <fermata/sync.h>
static fm_sem never;
async int main(void) {
  fm_sem_wait(&never);
  return 0;
}
END
! "$fermata" explore -n 3 waits.c > out || exit 1
grep -q "schedule 1 of 3 fails: it ends with status 1: a deadlock" out

# Other domains run beside the first one.
cat > pool.c << 'END'
#include <fermata.h>
#include <fermata/pool.h>
static async int square(int n) { return n * n; }
async int main(void) {
  fm_pool *p = fm_pool_new(2);
  auto a = spawn on(p) square(3);
  int n = await a;
  fm_pool_free(p);
  return n != 9;
}
END
"$fermata" explore -n 5 pool.c > out
grep -q "^5 schedules, none fails" out
grep -q "^2 more domains run in threads of their own: their order was not explored" out

# What it cannot do.
refused() { # WORDS of the message, then the command's
  words=$1; shift
  status=0
  "$fermata" explore "$@" > out 2> err || status=$?
  [ $status = 2 ] && grep -qF -e "$words" err || { cat out err; echo "not refused: $*"; exit 1; }
}
refused "no file is given"
refused "expected a number" --seed=x bank.c
refused "--gdb is for --replay" --gdb bank.c
refused "--sanitize is for files in C" --sanitize ./bank
refused "'nonsense' in the schedule is no deviation" --replay=nonsense ./bank
refused "nothing.txt: No such file" --expect=nothing.txt bank.c
echo 'async int main(void) { return x; }' > wrong.c
refused "undeclared" wrong.c
"$fermata" explore --help | grep -q -- --replay=SCHEDULE
# The file of another version, or none, is refused by the program.
! FERMATA_EXPLORE=bank.c ./bank 2> err || exit 1
grep -q "no file of a .fermata explore" err
