#!/usr/bin/env bash
# Traces in the compact form, `fermata record` and `fermata report`. test/trace/figures.py computes
# what --json says once more from the cells, as docs/trace-format.md and docs/report.md define them.
# clang is for WAYS=all.
set -eu
[ "$CC" = gcc ] || [ "${WAYS:-}" = all ] || exit 77
fermata=$(dirname "$FMCC")/fermata
export PYTHONPATH=$SRC/test/trace PYTHONDONTWRITEBYTECODE=1
fail() { echo "$*"; exit 1; }
is() { [ "$1" = "$2" ] || fail "$3: $1, not $2"; }
says() { grep -q -E -e "$2" "$1" || { echo "not in $1: $2"; cat "$1"; exit 1; }; }
report() { "$fermata" report --json "$1" > "$1.object" || fail "no report of $1"; }
# What a Python expression over the report r says; n(i): a string; p(i): a place as text.
ask() {
  python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
n = lambda i: r["strings"][i]
p = lambda i: "?" if i < 0 else "%s:%d" % (n(r["places"][i][0]), r["places"][i][1])
print(eval(sys.argv[2]))' "$1.object" "$2"
}
check() {
  report "$1"
  python3 "$SRC/test/trace/figures.py" "$1" < "$1.object" > seen || fail "figures of $1"
}
# asked TRACE EXPRESSION WANT: what it says must be this.
asked() { is "$(ask "$1" "$2")" "$3" "$1, $2"; }

# ---- a program with everything in it ----
cat > all.c << 'END_OF_ALL'
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <fermata/trace.h>
struct oops { int x; };
typedef fm_chan(int) int_chan;
static async void worker(int n) {
  fm_set_namef(fm_self(), "worker %d <b>\n", n);
  fm_sleep(5);                                    // line 9
  fm_trace_mark("mark %d \xff", n);
  for (int i = 0; i < 3; i++) yield;              // line 11
}
static async int fails(void) throws(struct oops) { fm_sleep(1); throw (struct oops){ 1 }; }
static async int leaf(int n) { yield; return n; }
static async void receiver(int_chan *c) {
  try { (void)fm_recv(c); }                       // line 16
  catch (struct fm_closed e) { (void)e; }
}
static async void sleeper(void) { fm_sleep(1000); }
async int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  auto a = spawn worker(1);                       // line 23
  auto b = spawn worker(2);
  auto now = spawn now leaf(7);
  int x;
  atomic {
    auto inside = spawn contained leaf(4);
    x = leaf(3) + await inside;
  }
  atomic { x += 0; }
  await a; await b; await now;
  auto e = spawn fails();
  try { await e; } catch (struct oops o) { (void)o; }
  int_chan c;
  fm_chan_init(&c, 0);
  auto r = spawn receiver(&c); yield;
  try { fm_send(&c, 42); } catch (struct fm_closed closed) { (void)closed; }
  await r;
  fm_chan_free(&c);
  auto s = spawn sleeper();
  yield;
  fm_pause(fm_id(s));
  fm_resume(fm_id(s));
  fm_cancel(fm_id(s));                            // line 45
  fm_join(fm_id(s));
  puts("done");
  return x != 7;
}
END_OF_ALL
FERMATA_TICK=off FERMATA_DRIVER=virtual "$fermata" record -O2 all.c one "two words" > out 2> err ||
  fail "record: $(cat err)"
is "$(cat out)" 'done' "what the program prints"
says err 'the trace is in all.fmtrace; see it by: fermata report all.fmtrace'
check all.fmtrace
# main, 2 workers, 2 leaves that are activities, fails, receiver, sleeper
asked all.fmtrace 'r["activities"]["count"], r["complete"], r["virtual"], r["lost"]' \
  "(8, True, True, 0)"
asked all.fmtrace 'r["arguments"]' "['one', 'two words']"
asked all.fmtrace 'sum(r["figures"]["atomic"]["length"])' 2
asked all.fmtrace 'r["figures"]["atomic"]["activities"][:3]' "[1, 1, 0]"
asked all.fmtrace '", ".join(n(m[2]) for m in r["marks"])' \
  "mark 1 �, mark 2 �, throw oops at all.c:13, pause, resume, cancel by #1 main at all.c:45"
asked all.fmtrace '" ".join(n(m[3]) for m in r["marks"])' "mark mark throw pause resume cancel"
waits='sorted("%s %d" % (p(w[2]), w[3]) for w in r["waits"] if r["kinds"][w[0]] =='
asked all.fmtrace "$waits 'channel')" "['all.c:16 1']"
asked all.fmtrace "$waits 'sleep')" "['all.c:13 1', 'all.c:19 1', 'all.c:9 2']"
asked all.fmtrace '[(p(x[0]), x[2], x[4]) for x in r["risky"] if x[0] == x[1]]' \
  "[('all.c:11', 4, -1)]"
! grep -q '<' all.fmtrace.object || fail "there is a < in the object"
asked all.fmtrace 'len([s for s in r["strings"] if "<b>" in s])' 2
"$fermata" report --text all.fmtrace > text
says text '^all one two words ran for |^all ran for '
says text '6 activities have returned, 1 failed with an error, 1 was cancelled, 0 were alive'
says text 'all.c:11 … all.c:11'
"$fermata" report all.fmtrace --perfetto -o all.json
python3 -c 'import json
events = json.load(open("all.json"))
arrows = [[e["id"] for e in events if e["ph"] == p] for p in "sf"]
assert arrows[0] == arrows[1]
print(sum("turn" in e.get("args", {}) for e in events))' > turns
is "$(cat turns)" "$(ask all.fmtrace 'r["turns"]["count"]')" "turns for ui.perfetto.dev"
# Straight from a program; its output is not part of the report.
"$fermata" report --json -O1 all.c > all2.object 2> out
says out '^done$'
python3 -c 'import json; json.load(open("all2.object"))'

# Activities that an atomic takes out of the ready queue while others become ready.
cat > delayed.c << 'END_OF_DELAYED'
#include <fermata.h>
static async int leaf(int n) { yield; return n; }
async int main(void) {
  int sum = 0;
  for (int i = 0; i < 50; i++) {
    auto before = spawn leaf(1);
    atomic {
      auto inside = spawn contained leaf(1);
      auto later = spawn leaf(1);
      auto kept = spawn leaf(1);
      sum += await inside;
      sum += await later;
      auto now = spawn now leaf(1);
      sum += await now + await kept;
    }
    auto after = spawn leaf(1);
    sum += await before + await after;
  }
  return sum != 300;
}
END_OF_DELAYED
"$FMCC" -g -fsanitize=address -o delayed delayed.c
for name in delayed.fmtrace delayed.json; do
  FERMATA_TICK=off FERMATA_TRACE=$name ./delayed || fail "$name: status $?"
done
check delayed.fmtrace
asked delayed.fmtrace 'r["activities"]["count"], sum(r["figures"]["atomic"]["length"])' "(301, 50)"

# ---- however it ends ----
cat > ends.c << 'END_OF_ENDS'
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/trace.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
struct oops { int x; };
static async void fails(void) throws(struct oops) { throw (struct oops){ 1 }; }
async int main(int argc, char **argv) {
  for (int i = 0; i < (argc > 2 ? atoi(argv[2]) : 10); i++) yield;
  fm_trace_mark("the last one");
  switch (*argv[1]) {
  case 'a': spawn detached fails(); yield; break;
  case 'd': { fm_sem s; fm_sem_init(&s, 0); fm_sem_wait(&s); break; }
  case 'f': {
    pid_t child = fork();
    yield;
    if (!child) exit(0);
    waitpid(child, NULL, 0);
    break;
  }
  case 'k': kill(getpid(), SIGKILL); break;
  case 's': raise(SIGSEGV); break;
  }
  return 0;
}
END_OF_ENDS
"$FMCC" -O2 -o ends ends.c
for how in a d k n s; do
  (FERMATA_TICK=off FERMATA_TRACE=$how.fmtrace exec ./ends $how) > out 2>&1 || true
  check $how.fmtrace
  asked $how.fmtrace '"the last one" in [n(m[2]) for m in r["marks"]]' True
  case $how in
    n) asked n.fmtrace 'r["complete"], r["turns"]["count"]' "(True, 11)" ;;
    [ks]) asked $how.fmtrace 'r["complete"], r["turns"]["count"]' "(False, 11)" ;;
    d) asked d.fmtrace '"deadlock" in [n(m[3]) for m in r["marks"]]' True ;;
    a) asked a.fmtrace '"unhandled error" in [n(m[3]) for m in r["marks"]]' True ;;
  esac
done
FERMATA_TICK=off FERMATA_TRACE=f-%p.fmtrace ./ends f
for trace in f-*.fmtrace; do check "$trace"; done
is "$(find . -name 'f-*.fmtrace' | wc -l)" 2 "traces of parent and child"

# ---- a ring: bounded, readable at any time, the end is in it ----
export FERMATA_TICK=off
(FERMATA_TRACE=ring.fmtrace FERMATA_TRACE_KEEP=1M exec ./ends k 200000) > out 2>&1 || true
check ring.fmtrace
[ "$(wc -c < ring.fmtrace)" -le 1048576 ] || fail "the ring has $(wc -c < ring.fmtrace) bytes"
asked ring.fmtrace 'r["complete"], r["lost"] > 300000, r["turns"]["count"] > 10000' \
  "(False, True, True)"
asked ring.fmtrace '[n(m[2]) for m in r["marks"]]' "['the last one']"
for bad in x 5 0s '1M,'; do
  status=0
  FERMATA_TRACE=bad.fmtrace FERMATA_TRACE_KEEP=$bad ./ends n 2> err || status=$?
  is $status 1 "status with FERMATA_TRACE_KEEP=$bad"
  says err "^fermata: FERMATA_TRACE_KEEP=$bad: expected "
done
"$fermata" record --ring 1 --last=3600 -o kept.fmtrace ./ends n 100000 2> err
[ "$(wc -c < kept.fmtrace)" -le 1048576 ] || fail "--ring 1 keeps $(wc -c < kept.fmtrace) bytes"

# ---- several domains ----
cat > several.c << 'END_OF_SEVERAL'
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/trace.h>
static async int turns(int n) { for (int i = 0; i < n; i++) yield; return n; }
async int main(int argc, char **argv) {
  (void)argc;
  fm_pool *p = fm_pool_new(3);
  bool ok = fm_trace_start(argv[1]);
  task(int) t[6];
  for (int i = 0; i < 6; i++) t[i] = spawn on(p) turns(5000);
  for (int i = 0; i < 6; i++) await t[i];
  fm_trace_stop();
  turns(20);
  fm_pool_free(p);
  return !ok;
}
END_OF_SEVERAL
for ways in -O2 "-g -fsanitize=thread"; do
  # shellcheck disable=SC2086
  "$FMCC" $ways -o several several.c
  FERMATA_TICK=off ./several several.fmtrace
  check several.fmtrace
  asked several.fmtrace 'sum(d["turns"] for d in r["domains"]) >= 30007' True
  FERMATA_TICK=off FERMATA_TRACE_KEEP=1M ./several several-ring.fmtrace
  report several-ring.fmtrace
done

# ---- what others wrote in a gap ----
cat > lost.c << 'END_OF_LOST'
#include <fermata.h>
#include <fermata/time.h>
static int balance = 100, other;
static async void take(int n) {
  int b = balance;
  fm_sleep(1);                                    // line 6
  balance = b - n;
}
static async void innocent(void) { for (int i = 0; i < 5; i++) { other++; fm_sleep(1); } }
async int main(void) {
  auto a = spawn take(1); auto b = spawn take(2); auto c = spawn innocent();
  await a; await b; await c;
  return 0;
}
END_OF_LOST
export FERMATA_DRIVER=virtual FERMATA_ATOMICITY=exit=0
"$fermata" record --sanitize lost.c > out 2>&1
check lost.fmtrace
asked lost.fmtrace '[(p(x[0]), x[4], n(x[8][0])) for x in r["risky"] if x[4] > 0]' \
  "[('lost.c:6', 1, 'take')]"
asked lost.fmtrace 'sum(r["figures"]["gaps"]["written"])' 1

# ---- files that are no traces, or broken ones ----
refused() {
  status=0
  "$fermata" report --text "$1" > out 2> err || status=$?
  is $status 1 "status of a report of $1"
  says err "$2"
}
refused nothing.fmtrace 'No such file'
: > empty.fmtrace
refused empty.fmtrace 'not a trace of Fermata'
FERMATA_TRACE=old.json ./ends n
refused old.json 'a trace in JSON'
head -c 65536 n.fmtrace > cut.fmtrace
refused cut.fmtrace 'has no events'
(printf 'fmtrace\n\4\3\2\1\11\0\0\0'; tail -c +17 n.fmtrace) > new.fmtrace
refused new.fmtrace 'another version'
parts="read names model finish figures tables words text json columns perfetto"
# shellcheck disable=SC2046
$CC -g -O1 -std=gnu11 -fsanitize=address,undefined -fno-sanitize-recover=all -I"$SRC/include" \
  -I"$SRC/compiler" -I"$SRC/runtime" -o fuzz "$SRC/test/trace/fuzz.c" \
  $(for p in $parts; do echo "$SRC/tools/report/$p.c"; done) "$SRC/compiler/base/base.c"
for trace in all a lost; do
  [ "$(./fuzz $trace.fmtrace 150 7)" -gt 30 ] || fail "fuzzed files of $trace are seldom read"
done
