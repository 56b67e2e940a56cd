# `fermata top`: lists, shows and changes the activities of a running program; as text, as JSON, live.
. "$SRC/test/driver/common.bash"
need python3
need tmux
FERMATA=$(dirname "$FMCC")/fermata
run=$(mktemp -d /tmp/fm-top.XXXXXX)
chmod 700 "$run"
export XDG_RUNTIME_DIR=$run
dir=$run/fermata
started=
socket=fm-top-$$
cleanup() {
  for p in $started; do kill -9 "$p" 2>/dev/null || true; done
  tmux -L "$socket" kill-server 2>/dev/null || true
  rm -rf "$run"
}
trap cleanup EXIT

cat > tree.c <<'C'
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <fermata/trace.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static fm_chan(int) jobs;
static fm_mutex lock;
static async void worker(int i) throws(struct fm_closed) {
  fm_set_namef(fm_self(), "worker %d", i);
  for (;;) fm_sleep((uint64_t)fm_recv(&jobs));
}
static async void holder(void) {
  fm_lock(&lock);
  fm_sleep(10000000);
}
static async void wants(void) { fm_lock(&lock); }
static async void strange(void) {
  fm_set_name(fm_self(), "\x1b[31mk\xc3\xa4se \xff\"x\" and a name that is far too wide for any column of the screen");
  fm_sleep(10000000);
}
static async void idle(void) { fm_sleep(10000000); }
static async void spin(void) {
  for (;;) yield;
}
static async void block(void) { pause(); } // in the system call, not in the library
static async void forks(void) {
  pid_t child = fork();
  if (child == 0) exit(0); // with the handlers of exit
  waitpid(child, NULL, 0);
}
static void ready(void) {
  puts("ready");
  fflush(stdout);
}
async int main(int argc, char **argv) throws(struct fm_closed) {
  int n = argc > 2 ? atoi(argv[2]) : 0;
  if (argc > 1 && !strcmp(argv[1], "spin")) {
    ready();
    spin();
  }
  if (argc > 1 && !strcmp(argv[1], "many")) {
    for (int i = 0; i < n; i++) spawn idle();
    fm_sleep(1);
    ready();
    fm_sleep(10000000);
  }
  if (argc > 1 && !strcmp(argv[1], "pool")) {
    fm_pool *pool = fm_pool_new(2);
    for (int i = 0; i < 2; i++) spawn on(pool) idle();
    fm_domain *far = fm_domain_new(NULL);
    spawn on(far) block();
    fm_sleep(50);
    ready();
    fm_sleep(10000000);
  }
  forks();
  fm_chan_init(&jobs, 4);
  spawn holder();
  spawn wants();
  spawn wants();
  scope {
    for (int i = 0; i < 3; i++) spawn worker(i);
    spawn strange();
    fm_sleep(1);
    ready();
    fm_sleep(10000000);
  }
  return 0;
}
C
status 0 "$FMCC" -O1 -g tree.c -o tree

# start NAME ARGUMENTS…: the program NAME runs, has come to its waits, and is $pid
start() {
  local name=$1
  shift
  : > "started.$name"
  "./$name" "$@" > "started.$name" 2> "err.$name" &
  pid=$!
  started="$started $pid"
  for _ in $(seq 400); do
    ! grep -q ready "started.$name" || return 0
    sleep 0.05
  done
  cat "err.$name" >&2
  fail "$name $* did not come to its waits"
}
# until_true WHAT COMMAND…: it becomes true, in good time
until_true() {
  local what=$1
  shift
  for _ in $(seq 200); do
    ! "$@" > /dev/null 2>&1 || return 0
    sleep 0.05
  done
  fail "$what"
}
stop() { kill -9 "$1"; wait "$1" 2>/dev/null || true; }
top() { "$FERMATA" top "$@"; }
# json PID EXPRESSION [OPTIONS]: the expression about `d`, the domains `doms` and the rows `rows` is true
json() {
  local who=$1 what=$2
  shift 2
  top --json --delay=0 "$@" "$who" > json.out || fail "--json $* $who: status $?"
  python3 - "$what" <<'P' || fail "not true: $what"
import json, sys
d = json.load(open("json.out"))
rows, doms = d["rows"], d["domains"]
def row(name): return next((r for r in rows if r["name"] == name), None)
if not eval("(" + sys.argv[1] + ")"):
    sys.exit(json.dumps(d, indent=1)[:4000])
P
}

# ---- closed: nothing is open; SIGUSR2 opens it ----
start tree
absent "$dir"
! ls -l "/proc/$pid/fd" | grep socket || fail "a socket is open"
status 1 "$FERMATA" top "$pid"
has err "kill -USR2 $pid"
status 0 "$FERMATA" top # programs of others on this machine may be watched
! grep -qw "$pid" out || fail "a program that is closed is listed"
grep -q '^ *[0-9]' out || has out "No program can be watched"
kill -USR2 "$pid"
until_true "SIGUSR2 opens the socket" test -S "$dir/$pid"
top > out
has out "$pid"
json "$pid" 'len(rows) == 9'
stop "$pid"
status 1 "$FERMATA" top "$pid"
has err "no process $pid is running"
present "$dir/$pid"
status 0 "$FERMATA" top
absent "$dir/$pid" # what a killed program has left
FERMATA_TOP=0 start tree
status 1 "$FERMATA" top "$pid"
has err "does not open one"
kill -USR2 "$pid"
got=0
wait "$pid" 2>/dev/null || got=$?
[ "$got" = 140 ] || fail "FERMATA_TOP=0: SIGUSR2 is handled: $got"
FERMATA_TOP=yes status 1 ./tree
has err "FERMATA_TOP=yes: expected 1, or 0 for never"

# ---- a directory that is not the user's alone is not used ----
chmod 755 "$dir"
FERMATA_TOP=1 start tree
present "/tmp/fermata-$(id -u)/$pid"
json "$pid" 'len(rows) == 9'
stop "$pid"
top > out # removes the file there
chmod 700 "$dir"

# ---- text and JSON ----
export FERMATA_TOP=1
start tree
[ "$(stat -c '%a %u' "$dir")" = "700 $(id -u)" ] || fail "the directory: $(stat -c '%a %u' "$dir")"
[ "$(stat -c %a "$dir/$pid")" = 600 ] || fail "the socket: $(stat -c %a "$dir/$pid")"
! ls -l "/proc/$pid/fd" | grep socket || fail "the program has the socket among its descriptors"
status 0 env LC_ALL=C "$FERMATA" top --once --delay=0 "$pid"
cat > expected <<'T'
waits 0 0.0 0.0ms - - main tree.c:L a timer
waits 0 0.0 0.0ms - holder tree.c:L a timer
waits 0 0.0 0.0ms 2 wants tree.c:L a mutex
waits 0 0.0 0.0ms 2 wants tree.c:L a mutex
scope 0 0.0 0.0ms - - scope
waits 0 0.0 0.0ms 3 worker 0 tree.c:L a value from a channel (0 of 4)
waits 0 0.0 0.0ms 3 worker 1 tree.c:L a value from a channel (0 of 4)
waits 0 0.0 0.0ms 3 worker 2 tree.c:L a value from a channel (0 of 4)
T
sed '1,2d; $d; s/  */ /g; s/^ 1:[0-9]* //; s/\(tree.c:\)[0-9]*/\1L/' out > lines
same "--once" expected lines
has out '?[31mk?se ?"x" and a name'
json "$pid" 'd["pid"] == '"$pid"' and len(rows) == 9 and doms[0]["waits"] == 8 and row("main")["below"] == 8'
json "$pid" 'any("k\u00e4se \ufffd\"x\"" in r["name"] for r in rows)'
json "$pid" '[r["name"] for r in rows] == ["main", "scope", "worker 0", "worker 1", "worker 2"]' --filter=WORK
json "$pid" '[r["name"] for r in rows] == ["worker 2", "worker 1", "worker 0"]' --filter=channel --flat --sort=name --reverse
json "$pid" '[r.get("below", 0) for r in rows][:2] == [8, 4] and rows[0]["id"] == rows[1]["parent"]' --sort=below
top --json --flat --delay=0 "$pid" > flat
for key in tree number name state place wait turns load time queue below; do
  json "$pid" 'sorted(r["id"] for r in rows) == sorted(r["id"] for r in json.load(open("flat"))["rows"]) and
    all("parent" not in r or r["parent"] in [x["id"] for x in rows[:i]] for i, r in enumerate(rows))' --sort=$key
done
status 1 "$FERMATA" top --sort=size "$pid"
has err "--sort=size: expected tree"
status 1 "$FERMATA" top --cancel=x "$pid"
has err "expected NUMBER or DOMAIN:NUMBER"
status 1 "$FERMATA" top --stack=99999 "$pid"
has err "no activity 99999"
status 1 "$FERMATA" top 1x
status 1 "$FERMATA" top "$pid" < /dev/null
has err "needs a terminal"

# ---- pause, resume, cancel, backtrace ----
id_of() { python3 -c 'import json,sys; print(next(r["id"] for r in json.load(open("json.out"))["rows"] if r["name"] == sys.argv[1]))' "$1"; }
json "$pid" True
scope=$(id_of scope) wants=$(id_of wants)
status 0 "$FERMATA" top "--pause=$scope" "--pause=${scope#*:}" "$pid"
has out "pause $scope: done"
has out "pause $scope: no effect"
json "$pid" 'row("scope")["paused"] == "here" and row("worker 1")["paused"] == "above" and "paused" not in row("main")'
status 0 "$FERMATA" top "--resume=$scope" "--stack=$wants" "$pid"
has out "held by"
has out "in wants"
json "$pid" 'not any("paused" in r for r in rows)'
status 0 "$FERMATA" top "--cancel=$wants" "$pid"
json "$pid" 'len(rows) == 8 and row("wants")["queue"] == 1'

# ---- viewers come, stay, are killed ----
cat > viewer.py <<'P'
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
f = s.makefile("rw")
hello = f.readline()
def ask(line):
    f.write(line + "\n")
    f.flush()
    return f.readline()
assert '"version":1' in hello, hello
for bad in ["", "rows sort=x", "rows first=-1", "cancel 1", "fold x", "nonsense", "rows first", "detail 9:9"]:
    assert '"error"' in ask(bad), bad
assert '"take"' in ask("take")
ask("fold all")
assert '"total":1,' in ask("rows"), ask("rows")
print("watching", flush=True)
if sys.argv[2] == "flood": # and never reads
    s.setblocking(False)
    try:
        while True: s.send(b"take\nrows count=1000\n" * 50)
    except BlockingIOError: pass
    try: s.send(b"x" * 5000)
    except OSError: pass
    print("full", flush=True)
sys.stdin.read()
P
mkfifo never
exec 9<> never
for how in idle flood; do
  python3 viewer.py "$dir/$pid" $how < never > viewer.$how 2>&1 &
  viewers="${viewers:-} $!"
done
started="$started $viewers"
until_true "viewers: $(cat viewer.*)" grep -q full viewer.flood
until_true "viewers: $(cat viewer.*)" grep -q watching viewer.idle
json "$pid" 'len(rows) == 8'
for v in $viewers; do stop "$v"; done
json "$pid" 'len(rows) == 8'

# ---- live, in a terminal of 80 columns and 24 lines; the tool is the same for all compilers ----
live() {
term() { tmux -L "$socket" "$@"; }
shown() { term capture-pane -p -t s > screen; grep -qF -e "$1" screen; }
sees() { until_true "the screen does not show '$1': $(cat screen 2>/dev/null)" shown "$1"; }
gone() { ! shown "$1"; }
unsees() { until_true "the screen still shows '$1'" gone "$1"; }
keys() { term send-keys -t s "$@"; }
term -f /dev/null new-session -d -x 80 -y 24 -s s "LC_ALL=C.UTF-8 '$FERMATA' top --delay=0.2 $pid; echo status \$?; cat" ||
  fail "tmux"
sees "WAITS FOR"
sees "worker 2"
sees "? help"
[ "$(term capture-pane -p -t s | awk '{ if (length($0) > 80) n++ } END { print n + 0 }')" = 0 ] || fail "a line is too wide"
keys '?'
sees "cancel it and all below it"
keys x
keys / && keys -l worker
sees "filter: worker_"
unsees "holder"
keys Enter
sees "1 of 5"
keys End
sees "5 of 5"
keys / Escape
sees "of 8"
keys Home
sees "1 of 8"
keys Left
sees "(+7)"
keys Right
sees "of 8"
keys '*'
sees "1 of 1"
keys '*'
sees "of 8"
keys t
sees "list"
keys t s s
sees "Sorted by name."
keys S S
sees "Sorted by tree."
keys End p
sees "paused"
keys p
unsees "paused"
keys Enter
sees "in strange"
keys x c
sees "and all below it? y or n"
keys n
sees "Nothing was cancelled."
keys c y
sees "Done."
unsees "tree.c:23"
keys Home
sees "1 of 7"
term resize-window -t s -x 60 -y 10
sees "top: tree"
unsees "LOAD"
keys f
sees "Frozen"
keys f
stop "$pid"
sees "has ended"
keys q
sees "status 1"
term kill-server
for how in 'TERM=dumb' 'TERM=no-such-terminal'; do
  start tree
  term -f /dev/null new-session -d -x 80 -y 24 -s s "$how '$FERMATA' top $pid; echo status \$?; cat" || fail "tmux"
  sees "top: $how: "
  sees "status 1"
  term kill-server
  stop "$pid"
done
start tree
term -f /dev/null new-session -d -x 80 -y 24 -s s "NO_COLOR=1 '$FERMATA' top $pid; echo status \$?; cat" || fail "tmux"
sees "worker 2"
! term capture-pane -p -e -t s | grep -q $'\033\[3[1-7]m' || fail "NO_COLOR: there are colours"
keys q
sees "status 0"
term kill-server
stop "$pid"
}
if is_clang; then stop "$pid"; else live; fi

# ---- 100,000 activities; all paused is no deadlock ----
start tree many 100000
# A domain that has not had the processor for a while has no rows yet.
all_are_there() {
  top --json --delay=0 "$pid" > json.out
  python3 -c 'import json
d = json.load(open("json.out"))
assert len(d["rows"]) == 100001, len(d["rows"])
assert len(set(r["id"] for r in d["rows"])) == 100001 and d["domains"][0]["waits"] == 100001'
}
until_true "not all of 100,001 activities are shown" all_are_there
json "$pid" 'len(rows) == 1 and rows[0]["below"] == 100000' --flat --filter=main
stop "$pid"
start tree spin
top --pause=1 "$pid" > out
json "$pid" 'row("main")["state"] == "paused"'
json "$pid" 'row("main")["paused"] == "here"'
top --resume=1 "$pid" > out
json "$pid" 'row("main")["state"] == "ready"'
stop "$pid"

# ---- several domains, one of which blocks its thread ----
start tree pool
json "$pid" 'len(doms) == 4 and sum("busy" in x for x in doms) == 1'
json "$pid" '[x["busy"]["thread"] for x in doms if "busy" in x] == ["is blocked in a call"]'
json "$pid" 'sum(r["name"] == "idle" for r in rows) >= 2'
top --once --delay=0 "$pid" > out
has out "BUSY for"
stop "$pid"

# ---- sanitized; with virtual time, whose driver is another one; every yield taken ----
status 0 "$FMCC" -O1 -g -fsanitize=address,undefined tree.c -o asan
start asan
json "$pid" 'len(rows) == 9'
json "$pid" 'len(rows) == 1' --flat --filter=holder
top --cancel=1 "$pid" > out
got=0
wait "$pid" || got=$?
[ "$got" = 1 ] || fail "asan: $got $(cat err.asan)"
has err.asan "unhandled error fm_cancelled, thrown at fermata top"
lacks err.asan Sanitizer
absent "$dir/$pid" # the program has ended by itself
FERMATA_DRIVER=virtual start tree spin
json "$pid" 'len(rows) == 1'
top --pause=1 "$pid" > out
json "$pid" 'row("main")["state"] == "paused"' # it sleeps in its driver, and is woken
json "$pid" 'row("main")["state"] == "paused"'
stop "$pid"
FERMATA_TICK=always FERMATA_SCHED=random:7 start tree
json "$pid" 'len(rows) == 9'
stop "$pid"

# ---- the tool without ncurses ----
obj=$(dirname "$FMCC")/../obj
$CC -std=gnu11 -Wall -Wextra -Werror -I"$SRC/include" -I"$SRC/compiler" -c "$SRC/tools/top/no-screen.c" -o no-screen.o
$CC -o plain "$obj/tools/fermata.o" "$obj"/tools/{explore,report}/*.o \
  "$obj"/tools/top/{top,client,json,rows}.o no-screen.o "$obj/compiler/base/base.o" \
  "$obj"/compiler/driver/{options,option-table,process,toolchain,emscripten}.o
start tree
status 1 ./plain top "$pid"
has err "libncurses-dev"
./plain top --once --delay=0 "$pid" > out
has out "worker 2"
stop "$pid"
