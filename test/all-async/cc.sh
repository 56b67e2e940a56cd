#!/usr/bin/env bash
# cc.sh ARGUMENTS...: a C compiler in whose units every function is async. Used as CC in the build of a package, twice:
#   PHASE=scan   compiles as the C compiler does, and writes what asyncify finds in each unit to a file in SCANS
#   PHASE=make   inserts the words that NAMES asks for into each unit, and compiles it with fmcc
#   PHASE=edit   inserts them, and writes the one unit, preprocessed, to -o FILE
# Environment: PHASE, SCANS or NAMES, UNDER (the C compiler), FMCC, ASYNCIFY (the program). Probes of configure scripts are left alone.
# A unit that defines a feature macro does so before its first #include; <fermata.h> has to come before that one, so the
# macros that are in force at the end of the unit are given from the beginning.
set -eu

# args: what every step gets; deps: for the preprocessor; out: for the last step
inputs=() args=() deps=() out=() follows=''
for arg in "$@"; do
  case $follows$arg in
    args:* | deps:* | out:*) declare -n list=${follows%:}; list+=("$arg"); follows='' ;;
    -I | -D | -U | -include | -isystem | -iquote | -x) args+=("$arg"); follows=args: ;;
    -MF | -MT | -MQ) deps+=("$arg"); follows=deps: ;;
    -o | -L) out+=("$arg"); follows=out: ;;
    -E | -S | -M | -MM | *conftest*.c | *CMakeC*.c | *testCCompiler.c) exec "$UNDER" "$@" ;;
    -M*) deps+=("$arg") ;;
    -c | -o* | -l* | -L* | -Wl,* | -shared | -rdynamic | -static | *.o | *.a | *.so | *.lo) out+=("$arg") ;;
    -ansi | -std=c89 | -std=c90 | -std=gnu89 | -std=gnu90) args+=(-std=gnu99) ;;
    -Wa,* | -Wp,*) args+=("$arg") ;;
    -W* | -pedantic*) ;;
    *.c) inputs+=("$arg") ;;
    *) args+=("$arg") ;;
  esac
done

features() {
  "$UNDER" -E -dM "${args[@]}" "$1" 2> /dev/null |
    sed -n -E 's/^#define (_(GNU|DEFAULT|BSD|SVID|XOPEN|POSIX|POSIX_C|ATFILE|LARGEFILE|LARGEFILE64|ISOC[0-9]*)_SOURCE|_FILE_OFFSET_BITS) ?(.*)$/-D\1=\3/p'
}

preprocess() {
  local flags
  mapfile -t flags < <(features "$1")
  "$FMCC" --cc="$UNDER" -E -w -include fermata.h "${flags[@]}" "${args[@]}" "${deps[@]}" -o "$2" "$1"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
units=()
for input in ${inputs[@]+"${inputs[@]}"}; do
  base=${input##*/}
  preprocess "$input" "$work/plain.i"
  if [ "$PHASE" = scan ]; then
    "$ASYNCIFY" scan "$work/plain.i" | sort -u > "$(mktemp "$SCANS/${base%.c}.XXXXXX")"
    units+=("$input")
  else
    "$ASYNCIFY" edit "$NAMES" "$work/plain.i" > "$work/${base%.c}.i"
    units+=("$work/${base%.c}.i")
  fi
done
case $PHASE,${#units[@]} in
  scan,*) "$UNDER" -w "${args[@]}" ${units[@]+"${units[@]}"} "${out[@]}" ;;
  edit,1) cp "${units[0]}" "${out[1]}" ;;
  make,0) "$FMCC" --cc="$UNDER" "${args[@]}" "${out[@]}" ;;
  make,*) "$FMCC" --cc="$UNDER" -w "${args[@]}" -x cpp-output "${units[@]}" -x none "${out[@]}" ;;
esac
