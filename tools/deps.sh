#!/usr/bin/env bash
# deps.sh SET...: installs the Debian packages of those sets (build page wasm check long bench fuzz)
# that are missing, with apt-get, through sudo when not root. Says nothing and is quick when all are
# there. Where it cannot install, it says what to install and fails. DEPS=no: does nothing at all.
set -eu

# A word is `package` or `package=command`; with a command, finding the command is enough.
packages_of() {
  case $1 in
    build)
      echo gcc=gcc make=make libc6-dev libuv1-dev binutils=objcopy ;;
    check)
      echo clang=clang "$(clang_runtime)" clangd=clangd clang-format-14=clang-format-14 g++=g++ \
        tcc=tcc csmith=csmith libcsmith-dev autoconf=autoconf automake=automake \
        libtool=libtoolize cmake=cmake meson=meson ninja-build=ninja pkg-config=pkg-config \
        gdb=gdb valgrind=valgrind bear=bear python3=python3 linux-libc-dev node-llhttp \
        libncurses-dev tmux=tmux strace=strace "$(packages_of page)" chromium=chromium ;;
    page)
      echo nodejs=node npm=npm ;;
    long)
      echo dpkg-dev=dpkg-source xz-utils=xz bzip2=bzip2 patch=patch tcl=tclsh tcl-dev \
        libreadline-dev zlib1g-dev libtool-bin=libtool file=file ;;
    bench)
      echo wrk=wrk node-llhttp clang=clang g++=g++ golang-go=go erlang-base=erlc \
        libboost-fiber-dev libst-dev dpkg-dev=dpkg-source xz-utils=xz bzip2=bzip2 patch=patch \
        tcl=tclsh libreadline-dev libtool-bin=libtool valgrind=valgrind ;;
    wasm)
      echo emscripten=emcc node-acorn nodejs=node llvm=llvm-ar chromium=chromium ;;
    fuzz)
      echo clang=clang "$(clang_runtime)" afl++=afl-fuzz ;;
    *)
      echo "deps.sh: no set called $1" >&2; exit 2 ;;
  esac
}

# The sanitizer runtime is a package of its own, named after clang's version.
clang_runtime() {
  local version
  version=$(clang -dumpversion 2>/dev/null || echo 14)
  echo "libclang-rt-${version%%.*}-dev"
}

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing_of() {
  local word
  for word in $(packages_of "$1"); do
    case $word in
      *=*) command -v "${word#*=}" >/dev/null || echo "${word%%=*}" ;;
      *)   ! command -v dpkg-query >/dev/null || installed "$word" || echo "$word" ;;
    esac
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif [ -t 0 ]; then sudo "$@"
  else sudo -n "$@"
  fi
}

can_install() {
  command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
    install -y --no-install-recommends "$@" >/dev/null
}

apt_update() {
  as_root apt-get -qq -o DPkg::Lock::Timeout=300 update >/dev/null
}

give_up() {
  echo "deps.sh: cannot install what is missing here. Please install: $*" >&2
  echo "         (or go on without, with DEPS=no)" >&2
  exit 1
}

main() {
  [ "${DEPS:-yes}" != no ] || exit 0
  local missing
  missing=$(for set in "$@"; do missing_of "$set"; done | sort -u | tr '\n' ' ')
  [ -n "$missing" ] || exit 0
  # shellcheck disable=SC2086
  can_install || give_up $missing
  echo "deps.sh: installing $missing"
  # shellcheck disable=SC2086
  apt_install $missing 2>/dev/null || { apt_update && apt_install $missing; } || give_up $missing
}

main "$@"
