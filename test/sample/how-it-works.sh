# docs/how-it-works.md tells the truth: every block that is marked with a command is its output now.
#   <!-- file: NAME -->        the block that follows is written to NAME
#   <!-- output: COMMAND -->   the block that follows is what COMMAND prints
# With a name as its argument, it writes the page there with all outputs as they are now.
set -eu
page=${SRC:-.}/docs/how-it-works.md
out=${1:-page.md}
fmcc() { "$FMCC" --cc="$CC" "$@"; }

: > "$out"
kind=
inside=no
while IFS= read -r line; do
  case $line in
    '<!-- file: '*) kind=file; what=${line#<!-- file: }; what=${what% -->} ;;
    '<!-- output: '*) kind=output; what=${line#<!-- output: }; what=${what% -->} ;;
  esac
  case $inside,$kind,$line in
    no,?*,'```'*)
      inside=yes
      echo "$line" >> "$out"
      [ "$kind" = output ] || : > "$what"
      [ "$kind" = file ] || eval "$what" >> "$out"
      continue ;;
    yes,?*,'```')
      inside=no
      kind= ;;
    yes,file,*) printf '%s\n' "$line" >> "$what" ;;
    yes,output,*) continue ;;
  esac
  printf '%s\n' "$line" >> "$out"
done < "$page"
[ $# -gt 0 ] || diff -u "$page" "$out"
