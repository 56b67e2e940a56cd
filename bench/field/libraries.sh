# libraries.sh (sourced): cJSON and expat, from Debian's sources, as they are and with every
# function made async by test/all-async. Sets libraries, source and here; needs work and FMCC, and
# reads LIBRARIES ("cjson expat"; none: neither).
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
libraries=${LIBRARIES:-cjson expat}
source=$root/build/src
here=$root/test/all-async
export FMCC ASYNCIFY=$work/obj/asyncify

library_sources() {
  case $1 in
    cjson) echo "$source/cjson/cJSON.c" ;;
    expat) echo "$source"/expat/expat/lib/xml{parse,role,tok}.c ;;
  esac
}

# With MACROS of the caller's.
library_flags() {
  echo "${MACROS:-}"
  case $1 in
    cjson) echo "-I$source/cjson" ;;
    expat)
      echo "-DHAVE_MEMMOVE -DXML_NS -DXML_DTD -DXML_GE=1 -DXML_CONTEXT_BYTES=1024"
      echo "-DXML_DEV_URANDOM -I$source/expat/expat/lib" ;;
  esac
}

# library_names CC LIBRARY PROGRAM: finds out what is to be async, in WORK/obj/LIBRARY-CC.names.
# expat calls its handlers through pointers, which then hold async functions; those to malloc do
# not.
library_names() {
  local scans=$work/obj/scans-$1-$2 force='' pointers='' plain=''
  mkdir -p "$scans"
  # shellcheck disable=SC2046
  UNDER=$1 PHASE=scan SCANS=$scans "$here/cc.sh" -w -O2 $(library_flags "$2") \
    $(library_sources "$2") "$3" -o "$scans.plain" -lm
  [ "$2" != expat ] || force='.*' pointers='.*' plain='(malloc|realloc|free)_fcn'
  cat "$scans"/* | awk -v force="$force" -v pointers="$pointers" -v plain="$plain" \
    -f "$here/decide.awk" > "$work/obj/$2-$1.names"
}

# library_text CC LIBRARY: the preprocessed sources of both sides,
# WORK/obj/text-CC-LIBRARY-SIDE-FILE.i.
library_text() {
  local file text
  for file in $(library_sources "$2"); do
    text=$work/obj/text-$1-$2
    # shellcheck disable=SC2046
    "$1" -w -E $(library_flags "$2") -o "$text-plain-${file##*/}.i" "$file"
    # shellcheck disable=SC2046
    UNDER=$1 PHASE=edit NAMES=$work/obj/$2-$1.names "$here/cc.sh" $(library_flags "$2") \
      "$file" -o "$text-ours-${file##*/}.i"
  done
}

# compile_plain, compile_ours CC LIBRARY ARGUMENTS...
compile_plain() {
  local cc=$1
  shift 2
  "$cc" -w "$@"
}

compile_ours() {
  UNDER=$1 PHASE=make NAMES=$work/obj/$2-$1.names "$here/cc.sh" "${@:3}"
}
