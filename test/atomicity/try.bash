# try.bash: functions for scripts that try -fsanitize=atomicity: FMCC and SRC are set, CC is gcc or
# clang.

# The order that the n-th run has.
order() {
  case $1 in
    0) echo FERMATA_TICK=off ;;
    1) echo FERMATA_TICK=always ;;
    *) echo "FERMATA_SCHED=random:$1" ;;
  esac
}

# run_in N PROGRAM: its reports are in the file err.
run_in() {
  env FERMATA_DRIVER=virtual "$(order "$1")" timeout 20 "$2" > out 2> err
}

make_program() {
  "$FMCC" --cc="$CC" -O1 -Wall -Wextra -fsanitize=atomicity "$@"
}

# finds FILE ORDERS: the mistake is reported in one of so many orders.
finds() {
  local want i
  want=$(sed -n 's|^// reports: ||p' "$1")
  make_program "$1" -o program
  for i in $(seq 0 $(($2 - 1))); do
    ! run_in "$i" ./program || continue
    ! grep -q "fermata: atomicity: $want" err || return 0
  done
  echo "$1: not found in $2 orders: $want"
  return 1
}

# silent FILE ORDERS: the mended version reports nothing.
silent() {
  local i
  make_program -DMENDED "$1" -o program
  for i in $(seq 0 $(($2 - 1))); do
    run_in "$i" ./program || { echo "$1, mended, order $i"; cat err; return 1; }
    [ ! -s err ] || { echo "$1, mended, order $i"; cat err; return 1; }
  done
}

lines_of() { sed -n "s|.*// $1: \{0,1\}||p" "$2"; }

# unchanged FILE: a program of test/run prints what it prints without the sanitizer. Its reports are
# in the file err.
unchanged() {
  local flags args vars
  flags=$(lines_of flags "$1" | tr '\n' ' ')
  eval "args=($(lines_of args "$1" | tr '\n' ' '))"
  eval "vars=($(lines_of env "$1" | tr '\n' ' '))"
  cp "$1" .
  # shellcheck disable=SC2086
  make_program -w "$(basename "$1")" -I"$SRC/test/run" $flags -o program
  lines_of stdin "$1" > stdin
  lines_of expect "$1" > expected
  env FERMATA_ATOMICITY=exit=0 ${vars[@]+"${vars[@]}"} timeout 120 ./program \
    ${args[@]+"${args[@]}"} < stdin > actual 2> err || :
  cmp -s expected actual && return
  echo "$1: prints something else"
  return 1
}
