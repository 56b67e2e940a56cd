# fermata run: arguments, status, signals, nothing left behind.
. "$SRC/test/driver/common.bash"
fermata=$(dirname "$FMCC")/fermata
[ -x "$fermata" ] || fail "$fermata is missing"
mkdir tmp; export TMPDIR=$PWD/tmp
empty() { [ -z "$(ls -A tmp)" ] || fail "$1 left $(ls -A tmp)"; }
cat > a.c <<'C'
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
  printf("%.0f %d\n", sqrt(argc * 100.0), getchar());
  return X;
}
C
status 3 "$fermata" run -DX=3 -lm a.c -c 'two words' -o x < <(printf A)
has out '[-c][two words][-o][x]22 65'; empty "a run"; absent x a.o
status 0 "$fermata" run -I . -D X=0 -lm a.c < /dev/null
status 1 "$fermata" run -DX=y a.c; has err "'y'"; empty "a failed compile"
status 1 "$fermata" run; has err 'no file is given'
status 1 "$fermata" run nosuch.c; has err nosuch.c
echo 'int main(void) { *(volatile int *)0 = 1; }' > crash.c
status 139 "$fermata" run -O0 crash.c; has err 'signal 11'; empty "a crash"
# The program decides what a signal means.
cat > wait.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static void stop(int s) { (void)s; _exit(5); }
int main(void) { signal(SIGTERM, stop); signal(SIGINT, stop); fclose(fopen("ready", "w")); for (;;) pause(); }
C
for sig in TERM INT; do
  rm -f ready; got=0
  env --default-signal=INT,TERM "$fermata" run wait.c & pid=$!
  for _ in $(seq 500); do [ ! -e ready ] || break; sleep 0.01; done
  kill -$sig $pid; wait $pid || got=$?
  [ $got = 5 ] || fail "SIG$sig: expected the program's status 5, got $got"
  empty "SIG$sig"
done
