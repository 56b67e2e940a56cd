#!/usr/bin/env bash
# fmcc's own warnings about async code: shared loop variables, -Wimplicit-await, -Wtail-call and -Wblocking.
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
said 14:48 'warning: not a tail call: the frame stays, since `y` has its address taken [-Wtail-call]'
said 14:32 'note: it stands here'
said 15:30 'warning: not a tail call: the frame stays, since `x` has its address taken'
said 16:52 'warning: not a tail call: the frame stays, since `a` is an array'
said 17:46 'warning: not a tail call: the frame stays, since `a` has a type of variable length'
said 18:46 'warning: not a tail call: the frame stays, since `v` is volatile'
said 19:28 'warning: not a tail call: the frame stays, since a compound literal has its address taken'
said 20:46 'warning: not a tail call: the frame stays, since this function has an `activate`'
said 21:51 'warning: not a tail call: what is around it'
said 22:31 'warning: not a tail call: a value of type `int` is converted to `long`'
said 23:32 'warning: not a tail call: what is around it'
said 23:30 'note: that begins here'
said 24:68 'warning: not a tail call: what is around it'
said 25:43 'warning: not a tail call: what is around it'
said 26:39 'warning: not a tail call: what is around it'
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
grep -q '12:8: .*or `fm_getaddrinfo`' said || fail "what to call instead of gethostbyname is expected"
[ "$(grep -c 'warning:' said)" = 4 ] || fail "four warnings are expected"
