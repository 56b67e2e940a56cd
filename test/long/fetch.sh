#!/usr/bin/env bash
# fetch.sh NAME...: puts the sources of other projects into build/src/NAME, once; later calls find them there.
# NAME is a Debian source package (lua5.4, cjson …) or `torture`: the c-torture/execute tests of gcc-12.
# The source entries are derived from the machine's own apt configuration, into a private list with private state:
# nothing of the system is changed and no root is needed. Status 77 when it cannot be had (no apt, no network).
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
top=$root/build/src
private=$top/.apt

unavailable() {
  echo "fetch.sh: $*" >&2
  exit 77
}

# ---- apt with source entries ----
one_line_entries() { sed -n 's/^deb[ \t]/deb-src /p' "$1"; }
deb822_entries() { sed 's/^Types:.*/Types: deb-src/' "$1"; }

write_entries() {
  local list=$1 parts=$2 file
  mkdir -p "$private/sources" "$private/lists/partial" "$private/cache/archives/partial"
  rm -f "$private/sources/"*
  for file in "$list" "$parts"/*.list; do
    [ ! -f "$file" ] || one_line_entries "$file" > "$private/sources/${file##*/}.list"
  done
  for file in "$parts"/*.sources; do
    [ ! -f "$file" ] || deb822_entries "$file" > "$private/sources/${file##*/}"
  done
}

private_apt() {
  local command=$1
  shift
  "$command" -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$private/sources" \
    -o Dir::State::lists="$private/lists" -o Dir::Cache="$private/cache" -o APT::Sandbox::User=root \
    -o APT::Get::List-Cleanup=0 -o Acquire::Retries=3 "$@"
}

apt() { private_apt apt-get "$@"; }

# The versions of a source package, the newest first.
versions() {
  private_apt apt-cache showsrc "$1" | sed -n 's/^Version: //p' | sort -u -V -r
}

prepare_apt() {
  local LIST='' PARTS=''
  [ ! -e "$private/ready" ] || return 0
  command -v apt-get >/dev/null || unavailable "needs apt-get"
  eval "$(apt-config shell LIST Dir::Etc::sourcelist/f PARTS Dir::Etc::sourceparts/d)"
  write_entries "$LIST" "${PARTS%/}"
  apt update > "$private/update.log" 2>&1 || { tail -n 5 "$private/update.log" >&2; unavailable "apt-get update failed"; }
  touch "$private/ready"
}

# Downloads a source package into build/src/.download/NAME. Not every mirror has the files of the newest version.
download() {
  local dir=$top/.download/$1 version
  prepare_apt
  : > "$dir.log"
  for version in $(versions "$1"); do
    rm -rf "$dir"
    mkdir -p "$dir"
    ! (cd "$dir" && apt source --download-only "$1=$version") >> "$dir.log" 2>&1 || return 0
  done
  tail -n 5 "$dir.log" >&2
  unavailable "apt-get source $1 failed"
}

# ---- unpacking, into a place beside the final one, so that an interrupted run leaves nothing half done ----
unpack_package() {
  dpkg-source --no-check -x "$top/.download/$1/"*.dsc "$2/tree" > "$2.log" 2>&1 || { tail -n 5 "$2.log" >&2; unavailable "cannot unpack $1"; }
  mv "$2/tree" "$top/$1"
}

# gcc's source package is a tarball that holds gcc's own tarball.
unpack_torture() {
  local outer inner
  outer=$(ls "$top/.download/gcc-12/"*.orig.tar.*)
  inner=$(tar -tf "$outer" | grep -E '/gcc-[^/]*\.tar\.xz$' | head -n 1)
  tar -xOf "$outer" "$inner" | tar -xJ -C "$1" --wildcards '*/gcc/testsuite/gcc.c-torture/execute'
  mv "$1"/*/gcc/testsuite/gcc.c-torture/execute "$top/torture"
}

fetch() {
  local work
  [ ! -d "$top/$1" ] || return 0
  work=$(mktemp -d "$top/.unpack.XXXXXX")
  case $1 in
    torture) download gcc-12; unpack_torture "$work" ;;
    *) download "$1"; unpack_package "$1" "$work" ;;
  esac
  rm -rf "$work" "$work.log"
}

main() {
  local name
  mkdir -p "$top/.download"
  exec 9> "$top/.lock"
  flock 9
  for name in "$@"; do fetch "$name"; done
}

main "$@"
