# build.sh (sourced by ../run.sh): the programs of the question `field`: other people's code and
# everyday programs. Names are PROGRAM-gcc and PROGRAM-clang; `once-…` are scripts that count what
# does not change, and run once.
build_btree() { # CC
  local o=$work/obj/btree-$1 from=$bench/field
  "$1" $cflags -DPLAIN -DPREFIX=plain_ -c -o "$o-plain.o" "$from/btree.c"
  "$FMCC" --cc="$1" $cflags -DPREFIX=fm_ -c -o "$o-fm.o" "$from/btree.c"
  "$FMCC" --cc="$1" $cflags -o "$work/field/btree-$1" "$from/btree-main.c" "$o-plain.o" "$o-fm.o"
}

# The documents, what is to be async, and the programs, as they are and all async.
build_documents() { # CC
  local kind library side program
  for library in $libraries; do
    kind=json
    [ $library = cjson ] || kind=xml
    library_names "$1" $library "$bench/field/$kind.c"
    for side in plain ours; do
      program=$work/obj/$kind-$side-$1
      # shellcheck disable=SC2046
      compile_$side "$1" $library $(library_flags $library) -O2 $(library_sources $library) \
        "$bench/field/$kind.c" -o "$program" -lm
      script "$work/field/$kind-$side-$1" "$program" "$work/obj/document.$kind" "$records"
    done
  done
  script "$work/field/once-text-$1" env FMCC="$FMCC" LIBRARIES="$libraries" \
    "$bench/field/text.sh" "$1" "$work"
}

build_field() {
  local cc from=$bench/field records=1500 kind documents=yes
  . "$from/libraries.sh"
  # shellcheck disable=SC2086
  [ "$libraries" != none ] && "$root/test/long/fetch.sh" $libraries || documents=no
  c "$work/obj/asyncify" -std=gnu11 "$here/asyncify.c"
  c "$work/obj/measure" "$bench/measure.c"
  for kind in json xml; do
    awk -v kind=$kind -v records=$records -f "$from/documents.awk" > "$work/obj/document.$kind"
  done
  c "$work/field/files-plain" "$from/files-plain.c"
  c "$work/field/sockets-epoll" "$from/sockets-epoll.c"
  go_build "$work/field/uneven-go" "$from/uneven.go"
  both field pairs pairs.c pairs.cc
  for cc in "$work"/field/pairs-*; do
    script "${cc/pairs-/ordered-}" "$cc" in-order
  done
  for cc in $ccs; do
    build_btree "$cc"
    [ $documents = no ] || build_documents "$cc"
    lang "$cc" "$work/field/files-$cc" "$from/files.c"
    lang "$cc" "$work/field/sockets-$cc" "$from/sockets.c"
    lang "$cc" "$work/field/uneven-$cc" "$from/uneven.c"
    lang "$cc" "$work/obj/nine-$cc" "$from/nine.c"
    ! have valgrind ||
      script "$work/field/once-nine-$cc" "$from/nine.sh" "$work/obj/nine-$cc" "$work/obj"
  done
}
