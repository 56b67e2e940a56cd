# --dump=PASS: the state of a unit after each pass, for people; names, lines and types are the user's.
. "$SRC/test/driver/common.bash"

cat > d.c <<'C'
#include <fermata.h>

struct late { int by; };
async int ask(int n) throws(struct late);

async int twice(int n) throws(struct late) {
  int seen[2] = { n };
  seen[1] = ask(n);
  return seen[0] + seen[1];
}
C

# shows PASS: what is expected is standard input.
shows() {
  cat > expected
  status 0 "$FMCC" "--dump=$1" d.c
  same "--dump=$1" expected out
  [ ! -s err ] || { cat err >&2; fail "--dump=$1 has something to say"; }
  absent d.o a.out
}

shows lex <<'E'
d.c:3: keyword    struct
d.c:3: name       late
d.c:3: punctuator {
d.c:3: keyword    int
d.c:3: name       by
d.c:3: punctuator ;
d.c:3: punctuator }
d.c:3: punctuator ;
d.c:4: dialect    async
d.c:4: keyword    int
d.c:4: name       ask
d.c:4: punctuator (
d.c:4: keyword    int
d.c:4: name       n
d.c:4: punctuator )
d.c:4: dialect    throws
d.c:4: punctuator (
d.c:4: keyword    struct
d.c:4: name       late
d.c:4: punctuator )
d.c:4: punctuator ;
d.c:6: dialect    async
d.c:6: keyword    int
d.c:6: name       twice
d.c:6: punctuator (
d.c:6: keyword    int
d.c:6: name       n
d.c:6: punctuator )
d.c:6: dialect    throws
d.c:6: punctuator (
d.c:6: keyword    struct
d.c:6: name       late
d.c:6: punctuator )
d.c:6: punctuator {
d.c:7: keyword    int
d.c:7: name       seen
d.c:7: punctuator [
d.c:7: number     2
d.c:7: punctuator ]
d.c:7: punctuator =
d.c:7: punctuator {
d.c:7: name       n
d.c:7: punctuator }
d.c:7: punctuator ;
d.c:8: name       seen
d.c:8: punctuator [
d.c:8: number     1
d.c:8: punctuator ]
d.c:8: punctuator =
d.c:8: name       ask
d.c:8: punctuator (
d.c:8: name       n
d.c:8: punctuator )
d.c:8: punctuator ;
d.c:9: keyword    return
d.c:9: name       seen
d.c:9: punctuator [
d.c:9: number     0
d.c:9: punctuator ]
d.c:9: punctuator +
d.c:9: name       seen
d.c:9: punctuator [
d.c:9: number     1
d.c:9: punctuator ]
d.c:9: punctuator ;
d.c:10: punctuator }
E
shows parse <<'E'
d.c:3: declaration struct late { int by ; } ;
d.c:4: declaration async int ask ( int n ) throws ( struct late ) ;
d.c:6: twice: async int(int) throws(struct late)
  block  (line 6)
    declaration seen: int[2]  (line 7)
      initialisers
        initialiser
          name n: int
    expression  (line 8)
      assign =: int
        index: int
          name seen: int[2]
          number 1: int = 1
        call: int, may pause, may throw
          name ask: async int(int)
          name n: int
    return  (line 9)
      binary +: int
        index: int
          name seen: int[2]
          number 0: int = 0
        index: int
          name seen: int[2]
          number 1: int = 1
E
shows check <<'E'
d.c:6: twice: async int(int) throws(struct late)
  d.c:8: struct late may be thrown here: it leaves the function, which declares it
E
shows quiet <<'E'
d.c:6: twice: may pause
E
shows lower <<'E'
d.c:6: twice: async int(int) throws(struct late)
  block  (line 6)
    declaration seen: int[2]  (line 7)
      initialisers
        initialiser
          name n: int
    automatic yield 1  (line 8)
    pause 2  (line 8)
      name fm__t1: int
      call: int, may pause, may throw
        name ask: async int(int)
        name n: int
    expression  (line 8)
      assign =: int
        index: int
          name seen: int[2]
          number 1: int = 1
        name fm__t1: int
    automatic yield 4  (line 8)
    return  (line 9)
      binary +: int
        index: int
          name seen: int[2]
          number 0: int = 0
        index: int
          name seen: int[2]
          number 1: int = 1
E
shows merge <<'E'
d.c:6: twice: async int(int) throws(struct late)
  block  (line 6)
    declaration seen: int[2]  (line 7)
      initialisers
        initialiser
          name n: int
    empty  (line 8)
    pause 2  (line 8)
      name fm__t1: int
      call: int, may pause, may throw
        name ask: async int(int)
        name n: int
    expression  (line 8)
      assign =: int
        index: int
          name seen: int[2]
          number 1: int = 1
        name fm__t1: int
    automatic yield 4  (line 8)
    return  (line 9)
      binary +: int
        index: int
          name seen: int[2]
          number 0: int = 0
        index: int
          name seen: int[2]
          number 1: int = 1
E
shows residents <<'E'
d.c:6: twice
  n: int: is stored in the frame at the pauses that need it
  seen: int[2]: lives in the frame: it is an array
  (a value in between): int: is stored in the frame at the pauses that need it
E
shows live <<'E'
d.c:6: twice
  d.c:6: state 0, start: keeps n
  d.c:8: state 2, the call may pause: keeps nothing
  d.c:8: state 4, automatic yield: keeps nothing
E
shows forms <<'E'
d.c:6: twice
  versions of its own for call and resume; 2 states are in use
  the frame is made on entry
E
shows fields <<'E'
d.c:6: twice
  field 0: int: n
  field 1: int[2]: seen (all the time)
E
# The last one is the text that the compiler gets.
"$FMCC" --dump=emit d.c > text
"$FMCC" --emit-c=compiled d.c > compiled
same "--dump=emit" text compiled

# All passes are listed, and each of those that are listed can be dumped, also of what is more difficult.
status 0 "$FMCC" --dump=help
passes=$(awk '/^  / { print $1 }' out)
[ "$(echo "$passes" | wc -l)" = 12 ] || { cat out >&2; fail "twelve passes were expected"; }
for pass in $passes; do
  for program in "$SRC"/examples/{collatz,race}.c; do
    status 0 "$FMCC" "--dump=$pass" "$program"
    [ -s out ] || fail "--dump=$pass prints nothing of $program"
  done
done
status 1 "$FMCC" --dump=nothing d.c
has err "there is no pass 'nothing'; --dump=PASS takes one of these:"
for pass in $passes; do has err "  $pass "; done
status 0 "$FMCC" --help
has out '--dump=PASS'

# Errors are messages, and nothing is dumped.
echo '#include <fermata.h>
async int f(void) { return nobody(); }' > bad.c
status 1 "$FMCC" --dump=live bad.c
has err '`nobody` is not declared'
[ ! -s out ] || fail "a dump of a unit with errors"
