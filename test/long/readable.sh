#!/usr/bin/env bash
# readable.sh [EVERY [BUILT]]: what `fmcc --emit-c` prints of every EVERYth program of test/run, the
# examples and the library (1: all): no line marker, nothing of a system header, no line of ours
# wider than 120, braces in pairs, every function by its name, and each pause of --list-yields as a
# comment with its line. Every BUILTth of these programs (1: all; 0: none) is then compiled by the C
# compiler alone, and does what the program does: the form for people is a complete program.
# Environment: FMCC, CC. Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
every=${1:-1}
built=${2:-1}
FMCC=${FMCC:-$root/build/bin/fmcc}
CC=${CC:-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# These print __LINE__ of plain code, which has other lines here, or count turns of a busy loop.
not_run=' include-in-body driver-hosted-busy '

# shellcheck disable=SC2094
lines_of() { sed -n "s|.*// $1: \{0,1\}||p" "$2"; }
words_of() { lines_of "$1" "$2" | tr '\n' ' '; }

# The user's own lines may be wide.
shape() {                               # SOURCE
  grep -n -E '^# [0-9]+ "' out.c && { echo "a line marker"; return 1; }
  grep -n -E '__extension__ typedef|__glibc|/usr/include' out.c &&
    { echo "text of a system header"; return 1; }
  awk 'length($0) > 120' out.c | grep -v '"' > wide || true
  if [ -s wide ]; then
    cat "$(dirname "$1")"/*.c "$(dirname "$1")"/parts/*.h > users 2> /dev/null || true
    grep -v -x -F -f users wide > wider || true
    mv wider wide
  fi
  [ ! -s wide ] || { head -n 2 wide; echo "wider than 120"; return 1; }
  sed -E "s/'\\\\?.'//g; s/\"(\\\\.|[^\"\\\\])*\"//g; s,//.*,," out.c | tr -cd '{}' > braces
  [ "$(tr -cd '{' < braces | wc -c)" = "$(tr -cd '}' < braces | wc -c)" ] ||
    { echo "braces do not match"; return 1; }
}

# file.c:12:3: f: …   has to be there as   // file.c:12: …
pauses() {
  local place name
  sed -n -E 's|^([^:]*/)?([^:/]+:[0-9]+):[0-9]+: ([^:]+): .*|\2 \3|p' yields | sort -u > wanted
  while read -r place name; do
    grep -q -F -e "// $place: " out.c || { echo "no comment: $place ($name)"; return 1; }
    grep -q -w -E -e "$name(__fm_[a-z]+)?" out.c || { echo "no function $name"; return 1; }
  done < wanted
}

fmcc_there() {                          # OPTION SOURCE FLAGS…
  local option=$1 source=$2
  shift 2
  cd "$(dirname "$source")"
  timeout 20 "$FMCC" --cc="$CC" "$option" "$@" "$(basename "$source")"
  cd "$work"
}

check_text() {                          # SOURCE FLAGS…
  local source=$1
  shift
  fmcc_there --emit-c "$source" "$@" > out.c 2> err || { head -n 3 err; echo "no C"; return 1; }
  fmcc_there --list-yields "$source" "$@" > yields 2> err
  shape "$source" && pauses
}

# Options of fmcc alone are not the C compiler's.
check_program() {                       # SOURCE FLAGS…
  local source=$1 args vars status=0 options=() word want=expect tick=
  shift
  for word in "$@"; do
    case $word in -f*auto-yield*|-Wblocking|-W[a-km-z]*-*|--*) ;; *) options+=("$word") ;; esac
  done
  # shellcheck disable=SC2046
  timeout 60 "$CC" -w -O1 -I"$(dirname "$source")" -I"$root/include" -o program out.c \
    ${options[@]+"${options[@]}"} -lm $("$FMCC" --print-libs) > err 2>&1 ||
    { grep -m 3 -E 'error|undefined|cannot' err; echo "does not compile"; return 1; }
  grep -q '// driven by: ' "$source" && return
  case $not_run in *" $(basename "$source" .c) "*) return ;; esac
  case $source in */examples/*) want=output tick=FERMATA_TICK=off ;; esac
  lines_of stdin "$source" > stdin
  lines_of $want "$source" > expected
  eval "args=($(words_of args "$source"))"
  eval "vars=($(words_of env "$source"))"
  timeout 20 env ${tick:+"$tick"} ${vars[@]+"${vars[@]}"} \
    ./program ${args[@]+"${args[@]}"} < stdin > actual 2> stderr || status=$?
  want=$(lines_of status "$source" | head -n 1)
  if ! cmp -s expected actual || [ "$status" != "${want:-0}" ]; then
    diff expected actual | head -n 5
    echo "exit status $status, expected ${want:-0}"
    return 1
  fi
}

passed=0
failed=0
n=0
cd "$work"
for source in "$root"/test/run/*.c "$root"/examples/*.c "$root"/library/*.c; do
  case $source in */library/web*.c) continue ;; esac # for emcc
  n=$((n + 1))
  [ $((n % every)) = 0 ] || continue
  case $(lines_of only "$source") in ''|"$CC") ;; *) continue ;; esac
  flags="$(words_of flags "$source") -I$(dirname "$source") -I$root/runtime"
  ok=yes
  # shellcheck disable=SC2086
  check_text "$source" $flags > said || ok=no
  case $source in */library/*) build=no ;; *) build=yes ;; esac
  if [ $ok$build = yesyes ] && [ "$built" != 0 ] && [ $((n / every % built)) = 0 ]; then
    # shellcheck disable=SC2086
    check_program "$source" $flags > said || ok=no
  fi
  if [ $ok = yes ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "${source#"$root"/}: $(tr '\n' ' ' < said)"
  fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
