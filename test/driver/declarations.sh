# Every version of a function declares its variables as the source does: qualifiers, attributes, storage, registers. The same block
# stands in functions that become call, resume and atomic versions, one body, a handler's copy, and in the bodies of activate, job and
# race; each generated function has to have all these declarations. Variables that a pause keeps lose const and no more.
. "$SRC/test/driver/common.bash"
case $(uname -m) in aarch64) register=x19 ;; *) register=rbx ;; esac

cat > block.h << END
{
  volatile long q_volatile = 1;
  const int q_const = 2;
  const volatile short q_both = 3;
  register int q_register = 4;
  int *restrict q_restrict = &outside;
  _Atomic int q_atomic = 5;
  char q_aligned __attribute__((aligned(64))) = 6, __attribute__((aligned(32))) q_second = 7;
  _Alignas(16) char q_alignas = 8;
  _Alignas(64) struct { int x; } q_tagged = { 9 };
  __attribute__((unused)) int q_before = 10;
  int q_vector __attribute__((vector_size(16))) = { 11 };
  unsigned q_mode __attribute__((mode(QI))) = 12;
  const volatile char q_array[2] = { 13 };
  const char *const volatile q_pointer = "14";
  register long q_asm __asm__("$register") = 15;
  outside += (int)q_volatile + q_const + q_both + q_register + *q_restrict + q_atomic + q_aligned + q_second + q_alignas +
             q_tagged.x + q_vector[0] + (int)q_mode + q_array[0] + *q_pointer + (int)q_asm;
}
END
cat > kept.h << END
{
  volatile long k_volatile = 1;
  _Atomic int k_atomic = 2;
  char k_aligned __attribute__((aligned(64))) = 3, *k_taken = &k_aligned;
  const volatile char k_array[2] = { 4 };
  register long k_asm __asm__("$register") = 5;
  yield;
  outside += (int)k_volatile + k_atomic + *k_taken + k_array[0] + (int)k_asm;
}
END
cat > p.c << 'END'
#include <fermata.h>
#include <fermata/sync.h>
typedef fm_chan(int) ints;
static int outside;
async int pv(int x) { yield; return x; }
async void few(volatile int p_volatile, int p_unused __attribute__((unused))) {
#include "block.h"
  yield;
  outside += p_volatile;
#include "block.h"
}
async void without(const volatile int p_without) {
#include "block.h"
  outside += p_without;
}
async void many(void) {
  yield; yield; yield; yield; yield; yield; yield; yield; yield;
#include "block.h"
}
async void apart(ints *c) throws(struct fm_closed) {
  defer outside++;
  for (;;) {
    int v = fm_recv(c);
    fm_send(c, v);
#include "block.h"
  }
}
async void bodies(void) {
  activate {
    yield;
#include "block.h"
  }
  auto j = job () {
    yield;
#include "block.h"
  };
  await j;
  race { case pv(({ int n = 1;
#include "block.h"
    n; })): break; }
}
async void kept(void) {
#include "kept.h"
}
END
"$FMCC" -Wall -Wextra -O2 -c p.c > log 2>&1 || { cat log; fail "p.c does not compile"; }
[ ! -s log ] || { cat log; fail "the compiler warns"; }
"$FMCC" --emit-c=compiled p.c > p.out
grep -v '^#' p.out | tr '\n' ' ' | sed -E 's/ +/ /g; s/ ([;,)])/\1/g' > text
# One line for each generated function: its name, and what stands up to the next one.
sed -E 's/([a-z0-9_]+__fm_(call|resume|body|landed|atomic)\([^;{]*\) \{)/\n\1/g' text | grep -E '^[a-z0-9_]+__fm_' > functions

declares() {                             # function, extended regular expression
  grep -E "^$1\(" functions | grep -q -E "$2" || { grep -E "^$1\(" functions; fail "$1 has no: $2"; }
}

N='(__[0-9]+)?( __attribute__\(\(unused\)\))?'
versions="few__fm_call few__fm_resume few__fm_atomic without__fm_call without__fm_resume without__fm_atomic many__fm_body
  many__fm_atomic apart__fm_call apart__fm_resume apart__fm_landed apart__fm_atomic bodies__activate1__fm_resume
  bodies__job2__fm_resume bodies__race3__fm_resume"
for f in $versions; do
  declares "$f" "volatile long q_volatile$N = 1;"
  declares "$f" "const int q_const$N = 2;"
  declares "$f" "(const volatile|volatile const) short q_both$N = 3;"
  declares "$f" "register int q_register$N = 4;"
  declares "$f" "int \*(restrict|__restrict) ?q_restrict$N = &outside;"
  declares "$f" "_Atomic int q_atomic$N = 5;"
  declares "$f" "char q_aligned(__[0-9]+)? __attribute__\(\(aligned\(64\)\)\)( __attribute__\(\(unused\)\))? = 6;"
  declares "$f" "char __attribute__\(\(aligned\(32\)\)\) q_second$N = 7;"
  declares "$f" "_Alignas\(16\) char q_alignas$N = 8;"
  declares "$f" "__attribute__\(\(aligned\(64\)\)\) struct [a-z0-9_]+ q_tagged$N = \{9\};"
  declares "$f" "__attribute__\(\(unused\)\) int q_before$N = 10;"
  declares "$f" "int q_vector(__[0-9]+)? __attribute__\(\(vector_size\(16\)\)\)( __attribute__\(\(unused\)\))? = \{11\};"
  declares "$f" "unsigned int q_mode(__[0-9]+)? __attribute__\(\(mode\(QI\)\)\)( __attribute__\(\(unused\)\))? = 12;|unsigned q_mode"
  declares "$f" "(const volatile|volatile const) char q_array(__[0-9]+)?\[2\]( __attribute__\(\(unused\)\))? = \{13\};"
  declares "$f" "const char \*(const volatile|volatile const) q_pointer$N = \"14\";"
  declares "$f" "register long q_asm(__[0-9]+)? __asm__\(\"$register\"\)( __attribute__\(\(unused\)\))? = 15;"
done
declares 'few__fm_(call|atomic)' 'volatile int p_volatile'
declares 'without__fm_call' 'const volatile int p_without'
declares 'without__fm_atomic' 'const volatile int p_without'
declares 'without__fm_resume' 'volatile int p_without'

# In the frame, for the time of the pauses.
sed -E 's/typedef struct /\n&/g' text | grep 'struct kept__fm_frame' | head -n 1 > frame
for field in 'volatile long k_volatile;' '_Atomic int k_atomic;' '__attribute__\(\(aligned\(64\)\)\) char k_aligned;' 'volatile char k_array\[2\];'; do
  grep -q -E "$field" frame || { cat frame; fail "the frame has no: $field"; }
done
declares kept__fm_resume 'register long k_asm __asm__ ?\( ?"'$register'" ?\)'
declares kept__fm_call 'register long k_asm __asm__\("'$register'"\)'
declares kept__fm_atomic 'volatile long k_volatile = 1;.*register long k_asm __asm__\("'$register'"\)'
