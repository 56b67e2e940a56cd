#!/usr/bin/env bash
# fmcc's own warnings about async code: shared loop variables, -Wimplicit-await, -Wtail-call, -Wblocking and -Wshared-state.
set -eu

fail() {
  echo "$1"
  cat said
  exit 1
}

cat > loops.c << 'END'
#include <fermata.h>
async void f(int n) {
  int outside = 0;
  for (int i = 0; i < n; i++) {
    int inside = i;
    activate { outside += i; }
    activate { outside += inside; }
    activate (i, inside) { outside += i + inside; }
  }
  while (n--) {
    int body = n;
    activate (n) { outside += body + n; }
  }
  int after = n;
  activate { outside += after; }
}
END
"$FMCC" -c loops.c 2> said || fail "does not compile"
for at in '6:27: warning: `i`' '7:27: warning: `inside`' '12:31: warning: `body`'; do
  grep -q -F "loops.c:$at" said || fail "not said: $at"
done
[ "$(grep -c 'warning:' said)" = 3 ] || fail "three warnings are expected"

cat > awaits.c << 'END'
#include <fermata.h>
async int f(int x);
async int g(int x) {
  int n = await f(x);
  n += f(n);
  spawn f(1);
  n += atomic f(2);
  return f(n);
}
END
"$FMCC" -c awaits.c 2> said || fail "does not compile"
[ ! -s said ] || fail "nothing is expected without -Wimplicit-await"
"$FMCC" -c -Wimplicit-await awaits.c 2> said || fail "does not compile"
for at in 5:8 8:10; do grep -q -F "awaits.c:$at: warning: " said || fail "not said: $at"; done
[ "$(grep -c 'warning:' said)" = 2 ] || fail "two warnings are expected"

cat > tails.c << 'END'
#include <fermata.h>
#include <fermata/agent.h>
struct bad { int n; };
struct fixed { const int n; };
async int f(int x);
async int g(const int *x);
async int h(int x) throws(struct bad);
async void quiet(int x);
async struct fixed fix(int x);
void use(int *);
async int tail(int x) { return f(x); }
async void tail_of_void(int x) { if (x) return quiet(x); }
async int in_atomic(int x) { atomic { return f(x); } }
async int address(int x) { int y = x; use(&y); return f(y); }
async int parameter(int x) { return g(&x); }
async int array(int x) { int a[2] = { x }; use(a); return await f(a[1]); }
async int lengths(int x) { int a[x]; use(a); return f(a[0]); }
async int moved(int x) { volatile int v = x; return f(v); }
async int literal(int x) { return g(&(int){ x }); }
async int active(int x) { activate { f(1); } return f(x); }
async int shared(int x) { activate { x++; f(1); } return f(x); }
async long converted(int x) { return f(x); }
async int tried(int x) { try { return h(x); } catch (struct bad b) { return b.n; } }
async int caught(int x) { try { x = h(x); } catch (struct bad b) { return f(b.n); } return x; }
async int deferred(int x) { defer use(0); return f(x); }
async int scoped(int x) { scope (s) { return f(x); } return 0; }
async int ended(int x) { { int a[2] = { x }; use(a); f(1); } if (x) return f(x); { int a[2] = { x }; use(a); f(1); } return 0; }
async int received(int x) { static fm_mailbox(int) m; x += fm_receive(&m); return f(x + fm_receive(&m)); }
async int between(int x) { return f(fix(x).n); }
END
"$FMCC" -c tails.c 2> said || fail "does not compile"
[ ! -s said ] || fail "nothing is expected without -Wtail-call"
"$FMCC" -c -Wtail-call tails.c 2> said || fail "does not compile"
said() {
  grep -q -F "tails.c:$1: $2" said || fail "not said: $1: $2"
}
said 14:48 'warning: not a tail call: the frame stays, because `y` has its address taken [-Wtail-call]'
said 14:32 'note: it is here'
said 15:30 'warning: not a tail call: the frame stays, because `x` has its address taken'
said 16:52 'warning: not a tail call: the frame stays, because `a` is an array'
said 17:46 'warning: not a tail call: the frame stays, because `a` has a type of variable length'
said 18:46 'warning: not a tail call: the frame stays, because `v` is volatile'
said 19:28 'warning: not a tail call: the frame stays, because a compound literal has its address taken'
said 20:46 'warning: not a tail call: the frame stays, because this function has an `activate`'
said 21:51 'warning: not a tail call: a `try`, `defer`, `scope` or `shield` around it'
said 22:31 'warning: not a tail call: its value, of type `int`, is converted to `long`'
said 23:32 'warning: not a tail call: a `try`, `defer`, `scope` or `shield` around it'
said 23:30 'note: it begins here'
said 24:68 'warning: not a tail call: a `try`, `defer`, `scope` or `shield` around it'
said 25:43 'warning: not a tail call: a `try`, `defer`, `scope` or `shield` around it'
said 26:39 'warning: not a tail call: a `try`, `defer`, `scope` or `shield` around it'
[ "$(grep -c 'warning:' said)" = 13 ] || fail "thirteen warnings are expected"

cat > blocks.c << 'END'
#define _GNU_SOURCE
#include <fermata.h>
#ifdef PORTED
#include <fermata/posix.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static ssize_t plain(int fd, void *b) { return read(fd, b, 1); }
static unsigned sleep_(unsigned n) { return n; }
async int f(int fd, FILE *in, pthread_rwlock_t *l) {
  char b[8];
  int n = 0;
  ssize_t (*p)(int, void *, size_t) = read;
  plain(fd, b), p(fd, b, 1), sleep_(1), printf("x"), fflush(stdout), close(fd);
  atomic sleep(1);
  if (read(fd, b, 1) < 0) return 1;
  if (fscanf(in, "%d", &n) < 1 || !fgets(b, 8, in)) return 2;
  pthread_rwlock_rdlock(l);
  return system("true");
}
END
"$FMCC" -c blocks.c 2> said || fail "does not compile"
[ ! -s said ] || fail "nothing is expected without -Wblocking"
for way in '' -DPORTED '-DPORTED -O2 -D_FORTIFY_SOURCE=2'; do
  "$FMCC" -c -Wblocking $way blocks.c 2> said || fail "does not compile: $way"
  for at in 18:7 18:36 19:3 20:10; do grep -q -F "blocks.c:$at: warning: " said || fail "not said: $at $way"; done
  [ "$(grep -c 'warning:' said)" = "$([ "$way" ] && echo 4 || echo 5)" ] || fail "one warning for each call is expected: $way"
done

# Both are on where <fermata/posix.h> is included. One function for each call: `warned` or `silent` says which it is.
cat > known.c << 'END'
#define _GNU_SOURCE
#include <fermata.h>
#ifdef PORTED
#include <fermata/posix.h>
#endif
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
extern pthread_mutex_t m; extern pthread_cond_t c; extern pthread_t th; extern pthread_rwlock_t rw; extern pthread_barrier_t b;
extern pthread_spinlock_t sp; extern sem_t s; extern mtx_t mx; extern cnd_t cn; extern thrd_t tt; extern struct timespec ts;
extern char buf[9], *p; extern FILE *fp; extern int i; extern size_t z; extern struct flock fl; extern sigset_t ss;
extern struct passwd pw, *pp;
END
calls() {                                         # WHAT, then a call on each line
  while IFS= read -r call; do
    [ "$call" ] || continue
    n=$((n + 1))
    echo "async void f$n(void) { $call; } // $1"
  done
}
n=0
calls warned >> known.c << 'END'
pthread_mutex_lock(&m)
pthread_mutex_timedlock(&m, &ts)
pthread_spin_lock(&sp)
pthread_cond_wait(&c, &m)
pthread_cond_timedwait(&c, &m, &ts)
pthread_join(th, 0)
pthread_rwlock_rdlock(&rw)
pthread_rwlock_wrlock(&rw)
pthread_barrier_wait(&b)
sem_wait(&s)
sem_timedwait(&s, &ts)
mtx_lock(&mx)
cnd_wait(&cn, &mx)
thrd_join(tt, 0)
thrd_sleep(&ts, 0)
if (!fgets(buf, 9, fp)) i = 1
if (!fgets(buf, 9, stdin)) i = 1
z = fread(buf, 1, 9, fp)
fgetc(fp)
getc(fp)
getchar()
i = scanf("%d", &i)
i = fscanf(fp, "%d", &i)
i = getline(&p, &z, fp) > 0
i = getdelim(&p, &z, 10, fp) > 0
fgetwc(fp)
fwrite(buf, 1, 9, fp)
fputs("x", fp)
fputc('x', fp)
putc('x', fp)
fprintf(fp, "x")
dprintf(i, "x")
fflush(fp)
fclose(fp)
pclose(fp)
i = system("x")
fp = popen("x", "r")
fp = fopen("x", "r")
open("x", 0)
openat(0, "x", O_RDONLY)
creat("x", 0600)
flock(0, LOCK_EX)
i = lockf(0, F_LOCK, 0)
fcntl(0, F_SETLKW, &fl)
fcntl(0, F_OFD_SETLKW, &fl)
getnameinfo(0, 0, 0, 0, 0, 0, 0)
gethostbyname2_r("x", 0, 0, 0, 0, 0, 0)
epoll_wait(0, 0, 0, -1)
ppoll(0, 0, 0, 0)
pselect(0, 0, 0, 0, 0, 0)
sigwait(&ss, &i)
sigsuspend(&ss)
sigtimedwait(&ss, 0, &ts)
sigwaitinfo(&ss, 0)
msgrcv(0, 0, 0, 0, 0)
mq_receive(0, buf, 9, 0)
wait3(0, 0, 0)
wait4(0, 0, 0, 0)
waitid(P_ALL, 0, 0, WEXITED)
tcdrain(0)
clock_nanosleep(0, 0, &ts, 0)
p = getpass("x")
i = sendfile(0, 0, 0, 9) > 0
i = splice(0, 0, 0, 0, 9, 0) > 0
i = preadv(0, 0, 0, 0) > 0
recvmmsg(0, 0, 0, 0, 0)
getpwnam_r("x", &pw, buf, 9, &pp)
syslog(0, "x")
activate { sleep(0); fputs("x", fp); }
END
calls silent >> known.c << 'END'
pthread_mutex_trylock(&m)
pthread_mutex_unlock(&m)
pthread_cond_signal(&c)
sem_trywait(&s)
printf("x"), puts("x"), putchar('x'), perror("x")
fprintf(stderr, "x"), fputs("x", stdout), fputc('x', (stderr)), fwrite(buf, 1, 9, stdout), fflush(stdout)
dprintf(2, "x")
fp = fdopen(0, "r")
open("x", O_RDONLY | O_NONBLOCK)
flock(0, LOCK_EX | LOCK_NB), flock(0, LOCK_UN)
i = lockf(0, F_ULOCK, 0)
fcntl(0, F_SETLK, &fl), fcntl(0, F_GETFL)
wait4(0, 0, WNOHANG, 0)
waitid(P_ALL, 0, 0, WEXITED | WNOHANG)
z = sizeof fgetc(fp)
atomic { pthread_mutex_lock(&m); i++; pthread_mutex_unlock(&m); }
atomic fputs("x", fp)
int (*put)(const char *, FILE *) = fputs; put("x", fp)
END
echo 'void plain(void) { pthread_mutex_lock(&m); fputs("x", fp); }' >> known.c
echo 'atomic void steady(void) { pthread_mutex_lock(&m); fputs("x", fp); }' >> known.c
check_known() {                                   # OPTION …: the lines that are marked so are warned of, once each
  "$FMCC" -Wall -Wextra -Wno-deprecated-declarations "$@" -c known.c 2> said || fail "does not compile: $*"
  grep -n '// warned$' known.c | cut -d: -f1 > wanted
  sed -n 's/^known.c:\([0-9]*\):[0-9]*: warning: .*\[-Wblocking\]$/\1/p' said | diff wanted - || fail "other lines are expected: $*"
  [ "$(grep -c 'warning:' said)" = "$(wc -l < wanted)" ] || fail "other warnings: $*"
}
for cc in gcc clang; do
  check_known --cc=$cc -DPORTED
  check_known --cc=$cc -DPORTED -O2 -D_FORTIFY_SOURCE=2 -D_FILE_OFFSET_BITS=64
done
grep -q 'pthread_mutex_lock` may block.*forever.*fm_lock() of <fermata/sync.h>' said || fail "fm_lock is to be named"
grep -q 'sem_wait` may block.*fm_sem_wait()' said || fail "fm_sem_wait is to be named"
"$FMCC" -Wall -Wextra -c known.c 2> said || fail "does not compile"
[ ! -s said ] || fail "nothing is expected without <fermata/posix.h>"
for off in -Wno-blocking -w; do
  "$FMCC" -DPORTED $off -c known.c 2> said || fail "does not compile: $off"
  [ ! -s said ] || fail "nothing is expected with $off"
done

cat > state.c << 'END'
#include <fermata.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <time.h>
static char *plain(char *s) { return strtok(s, " "); }
async void f(char *s, time_t t, struct in_addr a) {
  for (char *p = strtok(s, " "); p; p = strtok_r(NULL, " ", &s)) puts(p);
  atomic puts(inet_ntoa(a));
  struct tm *now = localtime(&t);
  puts(plain(asctime(now)));
  puts(gethostbyname("localhost")->h_name);
}
END
"$FMCC" -c state.c 2> said || fail "does not compile"
[ ! -s said ] || fail "nothing is expected without -Wshared-state"
"$FMCC" -c -Wshared-state state.c 2> said || fail "does not compile"
for at in 8:18 10:20 11:14 12:8; do grep -q -F "state.c:$at: warning: " said || fail "not said: $at"; done
grep -q '12:8: .*or call `fm_getaddrinfo`' said || fail "what to call instead of gethostbyname is expected"
[ "$(grep -c 'warning:' said)" = 4 ] || fail "four warnings are expected"

cat > thread.c << 'END'
#include <fermata.h>
#ifdef PORTED
#include <fermata/posix.h>
#endif
#include <errno.h>
#include <pthread.h>
static pthread_key_t key;
static _Thread_local int a;
static __thread int b;
extern _Thread_local int *d;
static int plain(void) { return a + b + *d + (pthread_getspecific(key) != 0); }
async int f(void *p) {
  static _Thread_local int own;
  pthread_setspecific(key, p);
  a = 1;
  a += (int)sizeof b + errno;
  b++;
  if (pthread_getspecific(key) == p) *d = own;
  atomic { a = b; pthread_setspecific(key, p); }
  return plain();
}
async int g(void) { return a; }
END
for cc in gcc clang; do
  "$FMCC" --cc=$cc -c thread.c 2> said || fail "does not compile"
  [ ! -s said ] || fail "nothing is expected without <fermata/posix.h>"
  for way in -DPORTED -Wshared-state; do
    "$FMCC" --cc=$cc -Wall -Wextra $way -c thread.c 2> said || fail "does not compile"
    sed -n 's/^thread.c:\([0-9:]*\): warning: .*\[-Wshared-state\]$/\1/p' said | tr '\n' ' ' > got
    [ "$(cat got)" = "14:3 15:3 17:3 18:7 18:39 18:43 22:28 " ] || fail "other places are expected: $(cat got)"
    [ "$(grep -c 'warning:' said)" = 7 ] || fail "seven warnings are expected: $way"
  done
  "$FMCC" --cc=$cc -Wall -Wextra -DPORTED -Wno-shared-state -c thread.c 2> said || fail "does not compile"
  [ ! -s said ] || fail "nothing is expected with -Wno-shared-state"
done
