# A function with many pauses: what the C compiler gets of it are functions whose size does not
# grow with the number of pauses, so that its time grows no faster than that number. Such a function
# does what plain C does, with every yield taken, and debuggers know its variables.
. "$SRC/test/driver/common.bash"

# program N: `work` has about 3 N pauses; plain C if PLAIN is defined
program() {
  cat << 'C'
#ifdef PLAIN
#define async
#define yield
#else
#include <fermata.h>
#endif
#include <stdio.h>
async int f(int x) { yield; return x * 3 % 1009 + 1; }
async void h(int *p) { yield; ++*p; }
async int work(int a) {
  int x = a, y = 0;
C
  for ((i = 0; i < $1; i++)); do
    case $((i % 5)) in
      0) echo "  x += f(x); h(&y);" ;;
      1) echo "  { int v$i = f(x); x ^= f(v$i) + v$i; if (x > 100000) goto out; }" ;;
      2) echo "  for (int i = 0; i < 3; i++) { if (f(x + i) % 3 == 0) continue; x += f(i); }" ;;
      3) echo "  switch (x % 3) { case 0: x += f(x); case 1: h(&x); break; default: x -= f(y); }" ;;
      4) echo "  while (f(x) % 4) { h(&x); if (x % 7 == y % 7) break; x++; }" ;;
    esac
  done
  cat << 'C'
out:
  return x * 1000 + y;
}
async int main(void) {
  for (int i = 0; i < 5; i++)
    printf("%d\n", work(i));
  return 0;
}
C
}

# The size of the largest function of `work` but the atomic version, which is plain C.
largest() {
  nm -S "$1" | awk '$3 ~ /[tT]/ && /work__fm_/ && !/atomic/ { print $2 }' | sort | tail -1
}

for n in 120 360; do
  program $n > big$n.c
  "$CC" -DPLAIN -w -o plain big$n.c
  ./plain > expected
  status 0 "$FMCC" -c big$n.c
  status 0 "$FMCC" -o big big$n.o
  for tick in off always; do
    FERMATA_TICK=$tick ./big > out || fail "$n: status $?"
    same "$n" expected out
  done
done
status 0 "$FMCC" --emit-c big120.c
has out work__fm_part1
small=$((16#$(largest big120.o))) large=$((16#$(largest big360.o)))
((large < small * 3 / 2)) ||
  fail "the largest function has $small bytes, and $large with three times the pauses"

# Below the limit there is one body.
program 25 > small.c
status 0 "$FMCC" --emit-c small.c
lacks out work__fm_part

status 0 "$FMCC" --part-size=2 --dump=parts big120.c
has out "    part"
