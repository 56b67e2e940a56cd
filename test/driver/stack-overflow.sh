# The end of the C stack: a message that names the function, then SIGSEGV as ever; and every other SIGSEGV is as without Fermata.
. "$SRC/test/driver/common.bash"
ulimit -c 0
ulimit -s 1024

cat > t.c << 'END'
#include <fermata.h>
#include <fermata/pool.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
async long shared(long n, volatile char *up);
static async long deep(long n, volatile char *up) {
  volatile char room[50] = { *up };
  if (n == 0) yield;
  return n == 0 ? room[1] : deep(n - 1, room) + room[0];
}
static long walk(long n, volatile char *up) {
  volatile char room[50] = { *up };
  return n == 0 ? room[1] : walk(n - 1, room) + room[0];
}
static async long large(long n, volatile char *up) {
  volatile char room[200000] = { *up };
  if (n == 0) yield;
  return n == 0 ? room[1] : large(n - 1, room) + room[0];
}
static async long calls_library(long n, volatile char *up) {
  volatile char room[50] = { *up };
  char line[3000];
  if (n == 0) yield;
  if (snprintf(line, sizeof line, "%2000ld", n) < 0) return 1;
  return n == 0 ? line[1] : calls_library(n - 1, room) + room[0];
}
static async long dereference(long *p) { yield; return *p; }
static async long in_atomic(void) { return atomic deep(1000000, "a"); }
static async long variadic(long n, volatile char *up, ...) {
  volatile char room[50] = { *up };
  if (n == 0) yield;
  return n == 0 ? room[1] : variadic(n - 1, room, 1) + room[0];
}
static intptr_t plain(void *arg) { (void)arg; return walk(1000000, "a"); }
static intptr_t blocking(void *arg) { (void)arg; return atomic deep(1000000, "a"); }
static void *thread(void *arg) { (void)arg; return (void *)run in_atomic(); }
static void mine(int signo) { (void)signo; if (write(1, "mine\n", 5) == 5) _exit(3); }
static char own_stack[1 << 16];
static void handle(void) {
  stack_t s = { .ss_sp = own_stack, .ss_size = sizeof own_stack };
  struct sigaction a = { .sa_handler = mine, .sa_flags = SA_ONSTACK };
  sigaltstack(&s, NULL);
  sigaction(SIGSEGV, &a, NULL);
}
static int in_child(void) {
  int status;
  pid_t child = fork();
  if (child == 0) _exit((int)run in_atomic());
  return waitpid(child, &status, 0) == child && WIFSIGNALED(status) ? 100 + WTERMSIG(status) : 0;
}
static async long main_(const char *what) {
  printf("begins\n");
  fflush(stdout);
  switch (*what) {
  case 'd': deep(1000000, "a"); return atomic deep(1000000, "a");
  case 'w': return walk(1000000, "a");
  case 'l': return atomic large(1000, "a");
  case 'c': return atomic calls_library(1000000, "a");
  case 's': return atomic shared(1000000, "a");
  case 'p': { fm_pool *p = fm_pool_new(1); auto t = spawn on(p) in_atomic(); return await t; }
  case 'b': return fm_offload(blocking, NULL);
  case 'o': return fm_offload(plain, NULL);
  case 'v': return variadic(1000000, "a", 1);
  case 'n': return dereference(NULL);
  case 'k': return kill(getpid(), SIGSEGV);
  case 'h': handle(); return atomic deep(1000000, "a");
  case 'i': signal(SIGSEGV, SIG_DFL); return atomic deep(1000000, "a");
  }
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t;
  const char *what = argc > 1 ? argv[1] : "";
  switch (*what) {
  case 'a': return (int)(atomic deep(1000000, "a"));
  case 'f': return in_child();
  case 't': pthread_create(&t, NULL, thread, NULL); pthread_join(t, NULL); return 0;
  case 'e': handle(); return (int)run in_atomic();
  }
  return (int)run main_(what);
}
END
cat > u.c << 'END'
#include <fermata.h>
static async long deep(void) { yield; return 0; }
async long shared(long n, volatile char *up);
async long shared(long n, volatile char *up) {
  volatile char room[50] = { *up };
  if (n == 0) return deep();
  return shared(n - 1, room) + room[0];
}
END

# ends_in FUNCTION MODE: with the message. silent STATUS MODE: without.
ends_in() {
  status 139 ./t "$2"
  has err "fermata: the C stack is exhausted in $1: a recursion"
}
ends_perhaps_at() {
  status 139 ./t "$3"
  grep -Eq "the C stack is exhausted in $1( \\($2\\))?: a recursion" err || { cat err; fail "$3: not in $1"; }
}
silent() {
  status "$1" ./t "$2"
  lacks err 'fermata:'
}
for o in -O0 -O2; do
  "$FMCC" -Wall -Wextra $o t.c u.c -o t -lpthread
  ends_in 'deep (t.c:8)' d
  has out begins
  has err 'inside atomic stays on it'
  ends_in walk w
  has err 'of plain functions stays on it'
  # These are static, and called only in atomic: a compiler may drop the descriptor, which has the place.
  ends_perhaps_at 'large' 't.c:17' l
  ends_perhaps_at 'calls_library' 't.c:22' c
  ends_in 'shared (u.c:4)' s
  ends_in walk o
  has err 'of plain functions stays on it'
  ends_in 'variadic (t.c:31)' v
  has err 'of functions that take `...` or a va_list stays on it'
  for mode in a t p b; do ends_in 'deep (t.c:8)' $mode; done
  status 111 ./t f
  has err 'exhausted in deep (t.c:8)'
  silent 139 n
  silent 139 k
  silent 139 i
  silent 3 h
  has out mine
  silent 3 e
  has out mine
done
strip t
status 139 ./t d
has err 'fermata: the C stack is exhausted: a recursion inside atomic'
"$FMCC" -fsanitize=address t.c u.c -o t -lpthread
got=0
./t d > out 2> err || got=$?
[ "$got" != 0 ] || fail "status 0 with ASan"
has err 'AddressSanitizer: stack-overflow'
lacks err 'fermata: the C stack'
