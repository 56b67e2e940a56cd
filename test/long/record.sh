#!/usr/bin/env bash
# record.sh ARGUMENTS...: the C compiler RECORD_CC, which also writes down how each C file is compiled, in RECORD_DIR:
# a bash file each, that goes to the right directory and sets `input` and `args` (without -c, -o, dependency files and
# what is for the linker). Used as CC in a real build, it tells how the files of a package are compiled.
set -eu

note() {
  local file
  file=$(mktemp "$RECORD_DIR/XXXXXXXX")
  { printf 'cd %q || return\ninput=%q\nargs=(' "$PWD" "$1"; printf ' %q' "${args[@]}"; printf ' )\n'; } > "$file"
}

wanted=yes skip=no inputs=() args=(-w)
for arg in "$@"; do
  if [ $skip = yes ]; then
    skip=no
    continue
  fi
  case $arg in
    -E | -S | -M | -MM) wanted=no ;;
    -o | -MF | -MT | -MQ | -L | -l) skip=yes ;;
    -c | -o?* | -MD | -MMD | -MP | -MF?* | -MT?* | -MQ?* | -l?* | -L?* | -Wl,* | -shared | -rdynamic) ;;
    *.o | *.a | *.so | *.so.*) ;;
    *.c) inputs+=("$arg") ;;
    *) args+=("$arg") ;;
  esac
done
if [ $wanted = yes ]; then
  for input in ${inputs[@]+"${inputs[@]}"}; do note "$input"; done
fi
exec $RECORD_CC "$@"
