#!/usr/bin/env bash
# The thread sanitizer has nothing to say about domains, pools, mailboxes and completions: the runtime and the library are built with
# it, and so are programs that use several threads.
set -eu
flags=(-O1 -g -w -fsanitize=thread)
echo 'int main(void) { return 0; }' > empty.c
"$CC" "${flags[@]}" -o empty empty.c 2> err && ./empty 2>> err || exit 77 # there is none, or it does not run here

# ---- the library ----
mkdir objects
for file in "$SRC"/runtime/*.c "$SRC"/runtime/*/*.c; do
  "$CC" -std=gnu11 "${flags[@]}" -I"$SRC/include" -c -o "objects/$(basename "$file" .c)-r.o" "$file"
done
for file in "$SRC"/library/*.c; do
  "$FMCC" --cc="$CC" -std=gnu11 -DFM_LIBRARY "${flags[@]}" -I"$SRC/include" -c -o "objects/$(basename "$file" .c)-l.o" "$file"
done
ar rcs libthreads.a objects/*.o

# ---- programs ----
for name in run/async-on-cancel run/async-on-results run/async-on-plain run/async-on-storm run/async-on-await run/async-on-mailboxes \
            run/async-offload run/async-agents run/direct-from-a-thread stress/domains stress/await-elsewhere; do
  "$FMCC" --cc="$CC" "${flags[@]}" -I"$SRC/test/run" -c -o program.o "$SRC/test/$name.c"
  "$CC" "${flags[@]}" -o program program.o libthreads.a -luv -lm
  status=0
  # shellcheck disable=SC2046
  TSAN_OPTIONS="second_deadlock_stack=1 ${TSAN_OPTIONS:-}" timeout 120 env $(sed -n 's|.*// env: ||p' "$SRC/test/$name.c") ./program > out 2> err || status=$?
  [ "$status" = 0 ] || { echo "$name: exit status $status"; head -n 60 err; exit 1; }
  sed -n 's|.*// expect: \{0,1\}||p' "$SRC/test/$name.c" | diff - out
done
