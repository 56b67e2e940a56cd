#!/usr/bin/env bash
# fmcc frees what it has allocated: LeakSanitizer has nothing to report on usual runs, with messages
# of the preprocessor, of fmcc and of the compiler, with several units, and when it prints C.
. "$SRC/test/driver/common.bash"
cat > good.c << 'EOF'
#include <fermata.h>
#include <stdio.h>
#ifdef WARN
#warning "from the preprocessor"
#endif
static async int f(int n) {
  struct { int v; } x = { n };
  try {
    yield;
  } finally {
    x.v++;
  }
  return x.v;
}
async int main(void) {
  auto j = job () { return f(4); };
  printf("%d\n", f(3) + await j);
  fm_job_free(j);
  return 0;
}
EOF
printf '#include <fermata.h>\nasync int g(void) { return h(); }\n' > wrong.c
printf '#include <fermata.h>\nasync int g(void) { int *p = 3.5; yield; return *p; }\n' > wrong-c.c
printf '#include <fermata.h>\n#include "none.h"\n' > broken.c
printf 'int plain(void) { return 1; }\n' > plain.c

# status, arguments
leaks() {
  local status=0
  ASAN_OPTIONS=detect_leaks=1:exitcode=99 "$FMCC_ASAN" --cc="$CC" "${@:2}" > out 2> err || status=$?
  if [ $status != "$1" ] || grep -q 'LeakSanitizer' err; then
    echo "fmcc ${*:2}: status $status"
    cat err
    exit 1
  fi
}
leaks 0 -c good.c
leaks 0 -c -DWARN good.c
leaks 0 -c good.c plain.c
leaks 0 --emit-c good.c
leaks 0 --emit-c=compiled -o - good.c
leaks 0 --dump=live good.c
leaks 0 --frame-report good.c
leaks 0 -E good.c -o good.i
leaks 0 -c good.i -o good.o
leaks 0 -S -g -O2 -MD good.c
leaks 0 -c --translate=reprint plain.c
leaks 1 -c wrong.c
leaks 1 -c wrong-c.c
leaks 1 -c broken.c
leaks 1 -c wrong.c good.c broken.c
leaks 1 -c none.c
leaks 0 --help
leaks 0 --version
