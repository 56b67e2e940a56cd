# A program with more rights than its user obeys none of the variables: each has a value here that others end at, or that would be seen.
. "$SRC/test/driver/common.bash"
# secure_getenv is for variables that are not ours, such as TMPDIR.
! grep -n '\<getenv *(' "$SRC"/runtime/*.h "$SRC"/runtime/*/*.[ch] "$SRC"/library/*.[ch] |
  grep -v '/environment\.c:' || fail "not through fm__setting"
[ "$(id -u)" = 0 ] || { echo "SKIP: only root can make it"; exit 77; }
need setpriv
cat > a.c <<'C'
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
static intptr_t call(void *arg) { return (intptr_t)arg; }
static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
async int main(void) {
  struct sigaction usr1;
  double from = seconds();
  fm_sleep(100);
  sigaction(SIGUSR1, NULL, &usr1);
  printf("%s, %s, %d, %d\n", geteuid() != getuid() ? "more rights" : "the user's rights", seconds() - from >= 0.1 ? "waited" : "did not wait",
         usr1.sa_handler != SIG_DFL, (int)fm_offload(call, (void *)7));
  return 0;
}
C
status 0 "$FMCC" a.c -o a
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp a "$dir/plain"
cp a "$dir/raised"
chmod 4755 "$dir/raised"
as_other() { env "$1" setpriv --reuid=64321 --regid=64321 --clear-groups "$dir/$2" > out 2> err; }
as_other NONE=1 raised || fail "no variable: $?"
grep -q 'more rights' out || { echo "SKIP: set-uid has no effect in $dir"; exit 77; }
for v in FERMATA_DRIVER=virtual FERMATA_DRIVER=x FERMATA_TICK=x FERMATA_SCHED=x FERMATA_OFFLOAD=x FERMATA_DUMP=1 FERMATA_TRACE=/nowhere/x FERMATA_TOP=x; do
  as_other "$v" raised || fail "$v: status $?: $(cat err)"
  has out 'more rights, waited, 0, 7'
  [ ! -s err ] || fail "$v: $(cat err)"
  ! as_other "$v" plain || ! grep -q 'rights, waited, 0, 7' out || fail "$v: a plain program does not see it"
done
