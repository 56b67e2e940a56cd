#!/usr/bin/env bash
# Traces: FERMATA_TRACE=FILE and fm_trace_start. test/trace/lines.c reads them as JSON, checks what holds for each, and prints lines.
set -eu

$CC -O1 -o lines "$SRC/test/trace/lines.c"
cases=0
read_trace() { ./lines "$@" > seen || { echo "case $cases: $* is no good trace"; exit 1; }; }
says() { cases=$((cases + 1)); grep -q -E -e "$2" "$1" || { echo "not in $1: $2"; cat "$1"; exit 1; }; }
says_not() { cases=$((cases + 1)); ! grep -q -E -e "$2" "$1" || { echo "in $1: $2"; exit 1; }; }
times() { n=$(grep -c -E -e "$2" seen || true); [ "$n" = "$1" ] || { echo "$n times, not $1: $2"; cat seen; exit 1; }; }
is() { [ "$1" = "$2" ] || { echo "$3: $1, not $2"; exit 1; }; }

# ---- what is in it ----
cat > all.c << 'END_OF_ALL'
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <fermata/trace.h>
struct oops { int x; }; typedef fm_chan(int) int_chan;
static async void worker(int n) {
  fm_set_namef(fm_self(), "worker %d \"%s\" \n", n, "\xc3\xa4\xff");
  fm_sleep(5);                                    // line 8
  fm_trace_mark("mark %d \x01", n);
  yield;                                          // line 10
}
static async int fails(void) throws(struct oops) {
  fm_sleep(1);
  throw (struct oops){ 1 };                       // line 14
}
static async int leaf(int n) {
  yield;                                          // line 17
  return n;
}
static async void receiver(int_chan *c) {
  try { printf("%d\n", fm_recv(c)); }             // line 21
  catch (struct fm_closed e) { (void)e; }
}
static async void sleeper(void) { fm_sleep(1000); }
async int main(void) {
  auto a = spawn worker(1);
  auto b = spawn worker(2);
  auto now = spawn now leaf(7);
  int x;
  atomic {
    auto inside = spawn contained leaf(4);
    x = leaf(3) + await inside;
  }
  await a;                                        // line 34
  await b;
  await now;
  auto e = spawn fails();
  try { await e; } catch (struct oops o) { fm_trace_mark("caught %d", o.x); }
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
  fm_cancel(fm_id(s));                            // line 49
  fm_join(fm_id(s));
  return x != 7;
}
END_OF_ALL
check_all() {
  read_trace "$1"
  says seen '^1 1 \(main\) B main'
  says seen '^1 1 \(main\) E main at=all.c:34 in=main waits for=#2 worker'
  says seen '^1 [0-9]+ \(worker 1 \\u0022ä\\ufffd\\u0022 \\u000a\) E worker at=all.c:8 in=worker waits for=a timer'
  says seen '^1 [0-9]+ \(worker 2.*\) B waits for a timer at=all.c:8 in=worker'
  says seen '^1 [0-9]+ \(worker 2.*\) i mark 2 \\u0001$'
  says seen '^1 [0-9]+ \(worker 2.*\) B ready at=all.c:10'
  says seen '^1 1 \(main\) i caught 1'
  says seen '\(fails\) i throw oops at=all.c:14'
  says seen '\(receiver\) B waits for .* at=all.c:21'
  says seen '\(sleeper\) i pause'
  says seen '\(sleeper\) i resume'
  says seen '\(sleeper\) i cancel by=1 at=all.c:49'
  says seen '^1 0 \(loop\) B idle'
  times 2 '\(leaf\) M thread_name'                # each has a track: of spawn now, and in the atomic
  times 2 '\(worker\) M thread_name'
  times 8 '\(leaf\) [BE] leaf'
  times 9 '\(main\) s ready'
}
for ways in -O2 "-g -fsanitize=address,undefined"; do
  # shellcheck disable=SC2086
  "$FMCC" $ways -o all all.c
  FERMATA_TICK=off FERMATA_TRACE=all.json ./all > out
  is "$(cat out)" 42 "the program with a trace"
  check_all all.json
  for sched in random:1 random:2; do
    FERMATA_SCHED=$sched FERMATA_TRACE=other.json ./all > out
    is "$(cat out)" 42 "with FERMATA_SCHED=$sched"
    read_trace other.json
  done
  FERMATA_TICK=always FERMATA_TRACE=other.json ./all > out
  read_trace other.json
  says seen 'i end of slice'
  # All times are real; those of another clock are a counter.
  says_not seen "driver's clock"
  FERMATA_DRIVER=virtual FERMATA_TRACE=other.json ./all > out
  read_trace other.json
  says seen "^1 0 \(loop\) C driver's clock ms=5$"
done

# Slices that are over where a tail-called function begins, which then looks as if it had not run before; cancels everywhere.
"$FMCC" -O2 -I"$SRC/test/run" -o pauses "$SRC/test/run/async-cancel-at-every-pause.c"
FERMATA_DRIVER=virtual FERMATA_TICK=always FERMATA_TRACE=pauses.json ./pauses > out
read_trace pauses.json

# ---- however it ends ----
cat > ends.c << 'END_OF_ENDS'
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/trace.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
struct oops { int x; };
static async void fails(void) throws(struct oops) { throw (struct oops){ 1 }; }
async int main(int argc, char **argv) {
  (void)argc;
  for (int i = 0; i < 10; i++) yield;
  fm_trace_mark("the last one");
  switch (*argv[1]) {
  case 'a': spawn detached fails(); yield; break;
  case 'd': { fm_sem s; fm_sem_init(&s, 0); fm_sem_wait(&s); break; }
  case 'e': exit(0);
  case 'k': kill(getpid(), SIGKILL); break;
  case 'q': _exit(0);
  case 'u': try { fails(); } catch (struct oops o) { (void)o; } break;
  }
  return 0;
}
END_OF_ENDS
"$FMCC" -O2 -o ends ends.c
for how in a d e k q u; do
  (FERMATA_TICK=off FERMATA_TRACE=$how.json exec ./ends $how) > out 2>&1 || true
  case $how in [akq]) read_trace --open $how.json ;; *) read_trace $how.json ;; esac
  says seen '\(main\) i the last one'
  [ $how = d ] || times 11 '\(main\) B main'
  case $how in
    a) says seen 'i unhandled error oops' ;;
    d) says seen 'i deadlock' ;;
  esac
done

# ---- fork ----
cat > forks.c << 'END_OF_FORKS'
#include <fermata.h>
#include <fermata/trace.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
async int main(void) {
  yield;
  pid_t child = fork();
  fm_trace_mark(child ? "parent" : "child");
  yield;
  fm_trace_mark(child ? "parent again" : "child again");
  if (!child) exit(0);
  waitpid(child, NULL, 0);
  return 0;
}
END_OF_FORKS
"$FMCC" -O2 -o forks forks.c
FERMATA_TRACE=forks.json ./forks
read_trace forks.json
says seen 'parent again'
says_not seen child
FERMATA_TRACE=forks-%p.json ./forks
for trace in forks-*.json; do
  read_trace "$trace"
  says seen '\(main\) i (parent|child) again'
  times 2 '\(main\) i (parent|child)'
done
is "$(cat forks-*.json | grep -c 'child"')" 1 "files of children"
# One that is new when it forks; and children that have nothing to say have no file.
cat > silent.c << 'END_OF_SILENT'
#include <fermata.h>
#include <fermata/trace.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
async int main(int argc, char **argv) {
  (void)argc;
  pid_t child = fork();
  if (!child && strcmp(argv[1], "marks") == 0) fm_trace_mark("child");
  if (!child) exit(0);
  waitpid(child, NULL, 0);
  return 0;
}
END_OF_SILENT
"$FMCC" -O2 -o silent silent.c
FERMATA_TRACE=silent-%p.json ./silent nothing
is "$(find . -name 'silent-*' | wc -l)" 1 "files"
FERMATA_TRACE=marks-%p.json ./silent marks
for trace in marks-*.json; do read_trace "$trace"; done
is "$(find . -name 'marks-*' | wc -l)" 2 "files"
# Standard descriptors that are closed stay so.
(exec 0<&- 1<&-; FERMATA_TRACE=closed.json exec ./silent nothing)
read_trace closed.json
# A program that it starts finds the same in its environment: it goes on without a trace, and harms no one's.
cat > starts.c << 'END_OF_STARTS'
#include <fermata.h>
#include <stdlib.h>
async int main(void) { yield; return system("./forks"); }
END_OF_STARTS
"$FMCC" -O2 -o starts starts.c
FERMATA_TRACE=starts.json ./starts 2> err
read_trace starts.json
says err '^fermata: FERMATA_TRACE=starts.json: another process writes it'

# ---- files that cannot be written ----
for bad in no/such/folder /dev/full; do
  status=0
  FERMATA_TRACE=$bad ./forks 2> err || status=$?
  is "$status" 1 "status with FERMATA_TRACE=$bad"
  is "$(grep -c "^fermata: FERMATA_TRACE=$bad: " err)" 1 "messages"
done

# ---- for a while, of several domains, in many pieces ----
cat > several.c << 'END_OF_SEVERAL'
#include <errno.h>
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <fermata/trace.h>
static async void waits(void) { fm_sleep(100000); }  // line 6
static async int turns(int n) {
  for (int i = 0; i < n; i++) yield;
  fm_trace_mark("%d turns", n);
  return n;
}
async int main(int argc, char **argv) {
  (void)argc;
  fm_pool *p = fm_pool_new(3);
  auto w = spawn waits();
  yield;
  fm_trace_mark("not in it");
  bool ok = fm_trace_start(argv[1]);
  bool busy = !fm_trace_start("other") && errno == EBUSY;
  for (int round = 0; round < 2; round++) {
    task(int) t[6];
    for (int i = 0; i < 6; i++) t[i] = spawn on(p) turns(1000);
    for (int i = 0; i < 6; i++) await t[i];
  }
  turns(20);
  fm_trace_stop();
  fm_trace_mark("nor this");
  turns(20);
  fm_cancel(fm_id(w));
  fm_detach(w);
  fm_pool_free(p);
  errno = 0;
  bool cannot = !fm_trace_start("no/such/folder") && errno == ENOENT;
  bool again = fm_trace_start(argv[2]);
  fm_trace_mark("once more");
  printf("%d %d %d %d\n", ok, busy, cannot, again);
  return 0;
}
END_OF_SEVERAL
for ways in -O2 "-g -fsanitize=thread"; do
  # shellcheck disable=SC2086
  "$FMCC" $ways -o several several.c
  # Without slices, whose ends on a busy machine would be further turns.
  is "$(FERMATA_TICK=off ./several one.json two.json)" "1 1 1 1" "what fm_trace_start says"
  read_trace one.json
  says seen '^[0-9]+ [0-9]+ \(waits\) B waits for a timer at=several.c:6'
  times 12 'i 1000 turns'
  times 1 'i 20 turns'
  times 12 '\(turns\) M thread_name'
  [ "$(cut -d ' ' -f 1 seen | sort -u | wc -l)" -ge 2 ] || { echo "one domain"; exit 1; }
  [ "$(grep -c '(turns) B turns' seen)" = 12012 ] || { echo "not all turns"; exit 1; }
  says_not seen 'not in it|nor this'
  read_trace two.json
  says seen '\(main\) i once more'
done
