# fermata gdb: values by the user's names, activities and their backtraces, live and from a core file.
. "$SRC/test/driver/common.bash"
need gdb
fermata=$(dirname "$FMCC")/fermata
gdb -nx -batch -ex 'python print(1)' > log 2>&1 && grep -qx 1 log || { echo "SKIP: gdb without Python"; exit 77; }
cat > program.c << 'END'
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
struct pair { int a, b; };
static int stop_here(int n) { return n; }
static async int leaf(int n, int *sum) {
  int array[3] = { n, n + 1, n + 2 };
  struct pair pair = { n, 2 * n }, *pp = &pair;
  int kept = n * 10;
  yield;
  fm_sleep(20);
  *sum += array[1] + pp->b + kept;
  return array[2];
}
static async int middle(int n, int *sum) {
  long before = 100 + n;
  int r = leaf(n, sum);
  return r + (int)before;
}
static async int worker(int n) {
  int sum = 0;
  for (int i = 0; i < 2; i++) sum += middle(n + i, &sum);
  return sum;
}
static async int hidden(int n) {
  int x = 1, vla[n][2];
  for (int i = 0; i < n; i++) vla[i][0] = vla[i][1] = i;
  {
    int x = 2, *px = &x;
    yield;
    {
      long x = 3;
      yield;
      vla[0][1] += (int)x;
    }
    vla[0][1] += x + *px;
  }
  return vla[0][1] + x;
}
static async int many(int a, int b) {
  int r = 0;
  { yield; r += 1; yield; r += 1; yield; r += 1; }
  { yield; r += 1; yield; r += 1; yield; r += 1; }
  { yield; r += 1; yield; r += 1; yield; r += 1; }
  r += stop_here(r);
  return r + a + b;
}
async int main(void) {
  int shared[2] = { 8, 9 };
  task(int) a = spawn worker(1), b = spawn worker(2);
  fm_set_name(fm_id(b), "the second");
  int x = await a;
  int y = await b;
  x += hidden(2) + many(3, 4);
  activate {
    yield;
    shared[0] += 1;
  }
  printf("%d %d %d\n", x, y, shared[1]);
  return 0;
}
END
debug() {                                         # LINE COMMANDS…: log: what gdb says
  local line=$1; shift
  local args=()
  for c; do args+=(-ex "$c"); done
  timeout 100 "$fermata" gdb -nx -batch -ex 'set width 0' -ex "break program.c:$line" -ex run "${args[@]}" ./program > log 2>&1 || [ $? = 1 ] || { cat log >&2; fail gdb; } # 1: the last command is in error
  ! grep -q ptrace log || { echo "SKIP: gdb may not trace"; exit 77; }
  lacks log Python
}
line() { grep -qxF -e "$2" "$1" || { cat "$1" >&2; fail "expected the line '$2'"; }; }
backtrace() {                                     # of the one that is at line 12
  line log '#2 worker: running at program.c:12'
  awk '/^#/ { on = /^#2 worker/ } on' log | sed 's/0x[0-9a-f]*/ADDRESS/' > got
  cat > want << END
#2 worker: running at program.c:12
    at program.c:12 in leaf
        n = 1
        sum = ADDRESS
        array = {1, 2, 3}
        pair = {a = 1, b = 2}
        pp = ADDRESS
        kept = 10
    at program.c:17 in middle
        n = 1
        sum = ADDRESS
        before = 101
    at program.c:22 in worker
        n = 1
        sum = 0
        i = 0
END
  same backtrace got want
}

"$FMCC" -g -O0 -o program program.c
debug 12 'print array' 'p pair' 'p pair.b + array[2] * 10' 'p &array == &array[0]' 'p/x array' 'p kept' 'p sizeof array' 'p n' \
  'set var array[1] = 77' 'print array' 'p array[1] = 2' 'p "array"' 'p pp->a' 'p sum == 0' 'info locals' 'p nosuch'
for want in '$1 = {1, 2, 3}' '$2 = {a = 1, b = 2}' '$3 = 32' '$5 = {0x1, 0x2, 0x3}' '$6 = 10' '$7 = 12' '$8 = 1' '$9 = {1, 77, 3}' '$10 = 2' \
  '$11 = "array"' '$12 = 1' '$13 = 0' 'array = {1, 2, 3}' 'pair = {a = 1, b = 2}' 'No symbol "nosuch" in current context.'; do line log "$want"; done

debug 12 bt 'fermata activities' 'fermata backtrace' 'fermata backtrace 3' 'fermata backtrace 77' 'fermata backtrace x' 'generate-core-file core'
grep -q '^#0  leaf (n=1, sum=0x[0-9a-f]*) at program.c:12$' log || { cat log >&2; fail "bt"; }
line log '#1 main: waits at program.c:52 for #2 worker'
line log '  #2 worker: running at program.c:12'
grep -qE '^  #3 the second: (ready|waits) at program.c:11( for a timer)?$' log || { cat log >&2; fail "activities"; }
backtrace
awk '/^#/ { on = /^#3 the second/ } on' log > third
line third '        array = {2, 3, 4}'; line third '        before = 102'; line third '        kept = 20'
line log 'there is no activity #77'; has log 'which activity?'

# From the core file, without the program running.
[ -s core ] || fail "there is no core file"
timeout 100 "$fermata" gdb -nx -batch -ex 'print array' -ex 'fermata activities' -ex 'fermata backtrace' -ex 'fermata backtrace 1' ./program core > log 2>&1
line log '$1 = {1, 2, 3}'; line log '#1 main: waits at program.c:52 for #2 worker'; line log '  #2 worker: running at program.c:12'
backtrace
line log '    at program.c:52 in main'; line log '        shared = {8, 9}'

# Names that hide others, an array of variable length.
debug 34 'p x' 'p vla' 'p vla[1][1]' 'fermata locals' 'next' 'next' 'next' 'p x'
line log '$1 = 3'; line log '$2 = {{0, 0}, {1, 1}}'; line log '$3 = 1'; line log 'x = 3'; line log 'n = 2'
debug 36 'p x' 'fermata locals'
line log '$1 = 2'; line log 'x = 2'
debug 38 'p x'
line log '$1 = 1'

# One body for calls and resumes; a plain function called by it; what an activate shares.
debug 5 up 'p a' 'p r' bt 'fermata backtrace'
line log '$1 = 3'; line log '$2 = 9'; has log ' in many (a=3, b=4) at program.c:45'; lacks log ' in many__fm_resume'
line log '    at program.c:5 in stop_here'; line log '    at program.c:45 in many'; line log '    at program.c:54 in main'
debug 57 'p shared' 'p shared[0]'
line log '$1 = {8, 9}'; line log '$2 = 8'

# Optimised: lines are stopped at, what lives in the frame has its value.
"$FMCC" -g -O2 -o program program.c
debug 12 'p array' 'p pair' bt 'fermata activities' 'fermata backtrace'
line log '$1 = {1, 2, 3}'; line log '$2 = {a = 1, b = 2}'; has log '#0  leaf (' ; line log '  #2 worker: running at program.c:12'
line log '    at program.c:17 in middle'; line log '        before = 101'; line log '    at program.c:22 in worker'

# The command itself: arguments go to the program; what is missing is said.
timeout 60 "$fermata" gdb -nx -batch -ex 'show args' ./program one 'two words' > log 2>&1
has log '"one two\ words"'
PATH=$PWD/nowhere status 127 "$fermata" gdb ./program; has err 'not installed'
mkdir -p elsewhere/bin; cp "$fermata" elsewhere/bin
status 1 elsewhere/bin/fermata gdb ./program; has err 'share/fermata/fermata-gdb.py'
timeout 60 "$fermata" gdb -nx -batch -ex 'fermata activities' -ex 'fermata backtrace' -ex 'print 6 * 7' -ex 'fermata locals' > log 2>&1 || true
has log 'no process'; line log '$1 = 42'; lacks log Python

# Steps over pauses, in the same activity, and out to who awaits it.
"$FMCC" -g -O0 -o program program.c
debug 10 delete 'fermata next' 'p n' 'fermata next' 'p n' 'p array' 'fermata next' 'fermata next' 'p before'
awk '/^#0 / { sub(/.* at /, ""); print } /^\$/' log > got
sed -i 's/program.c:18$/program.c:17/' got          # the rest of line 17, if the compiler says where that begins
printf '%s\n' program.c:11 '$1 = 1' program.c:12 '$2 = 1' '$3 = {1, 2, 3}' program.c:13 program.c:17 '$4 = 101' > want
same steps got want
