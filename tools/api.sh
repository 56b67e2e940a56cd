#!/usr/bin/env bash
# api.sh: writes the reference parts of docs/api/*.md from the comments of the public headers, or
# checks them.
#
#   tools/api.sh            rewrites the pages in place
#   tools/api.sh --check    prints the difference and fails if a page is out of date
#
# A page is written by hand: introduction, examples. Between these two lines it is made from a
# header:
#
#   <!-- api fermata/sync.h: channels -->      all of the section "// ---- channels ----", wherever
#   <!-- end -->                               it goes on; "preface": the header's opening comment
#
# In a header, a comment directly above a public declaration describes it, and the declarations
# that follow without a comment or an empty line. "//: signature" lines replace the declaration's
# own text, for macros and where C's types say less than the dialect's; "//:     more" continues
# one. A comment before an empty line is a paragraph of the section. Names with fm__ are left out.
set -eu
cd "$(dirname "$0")/.."

# section HEADER NAME: that section as Markdown, at most 100 columns wide.
section() {
  awk -v want="$2" '
    # Prints text, wrapped, the first line after `first`, the others after `rest`.
    function wrap(text, first, rest,   n, i, words, line, empty) {
      n = split(text, words, " ")
      line = first; empty = 1
      for (i = 1; i <= n; i++) {
        if (!empty && length(line) + 1 + length(words[i]) > 100) {
          print line
          line = rest; empty = 1
        }
        line = line (empty ? "" : " ") words[i]; empty = 0
      }
      print line
    }
    # Prints the lines of a comment after `indent`: paragraphs, "* " lists, code (indented by 4).
    function prose(lines, n, indent,   i, text, first, rest, code) {
      text = ""; first = rest = indent
      for (i = 1; i <= n + 1; i++) {
        if (i > n || lines[i] == "" || lines[i] ~ /^(\* |    )/) {
          if (text != "") { if (code) print ""; code = 0; wrap(text, first, rest); text = "" }
          if (i > n) break
          if (lines[i] == "") { print ""; code = 0; continue }
        }
        if (lines[i] ~ /^    /) {
          if (!code) print ""
          print indent lines[i]
          code = 1
          first = rest = indent
          continue
        }
        if (lines[i] ~ /^\* /) {
          first = indent "* "; rest = indent "  "; text = substr(lines[i], 3)
          continue
        }
        if (text == "" && lines[i] !~ /^  /) first = rest = indent
        sub(/^ +/, "", lines[i])
        text = text (text == "" ? "" : " ") lines[i]
      }
    }
    function show(   i) {
      if (current != want) return
      for (i = 1; i <= items; i++)
        wrap("`" item[i] "`" (i < items || texts ? "<br>" : ""), i > 1 ? "  " : "* ", "      ")
      if (texts) prose(texted, texts, "  ")
    }
    # Ends the item that is being collected, and prints it.
    function flush() { if (items) show(); items = texts = 0 }
    function forget() { comments = sigs = 0 }
    # A declaration or macro has been read, with its own text; begins an item or joins the last.
    function declared(text,   i) {
      if (comments || sigs || !open) {
        flush()
        for (i = 1; i <= comments; i++) texted[i] = comment[i]
        texts = comments
      }
      if (!sigs) sig[++sigs] = text
      for (i = 1; i <= sigs; i++) if (sig[i] != "") item[++items] = sig[i]
      forget(); open = 1
    }
    function paragraph() {
      flush()
      if (current == "preface" && sub(/^[a-z]+\.h: /, "", comment[1]))
        comment[1] = toupper(substr(comment[1], 1, 1)) substr(comment[1], 2)
      if (comments && current == want && !sigs) { print ""; prose(comment, comments, ""); print "" }
      forget()
    }
    NR == 1 { current = "preface" }
    current == "preface" {
      if (/^\/\//) { sub(/^\/\/ ?/, ""); comment[++comments] = $0; next }
      paragraph(); current = ""
    }
    decl == "" && /^(extern "C" \{|\})$/ { next }
    joined { joined = /\\$/; next }                                  # the rest of a macro
    depth == 0 && decl == "" && /^\/\/ ---- / {
      flush(); forget(); open = 0
      sub(/^\/\/ ---- /, ""); sub(/( ----|:).*/, ""); current = $0; next
    }
    decl == "" && /^\/\/: / {
      if (comments) forget()
      sub(/^\/\/: /, "")
      if (/^    /) { sub(/^ +/, ""); sig[sigs] = sig[sigs] " " $0 } else sig[++sigs] = $0
      next
    }
    decl == "" && /^\/\// { sub(/^\/\/ ?/, ""); comment[++comments] = $0; next }
    decl == "" && /^ *$/ { paragraph(); open = 0; next }
    decl == "" && /^ *#/ {
      joined = /\\$/
      if (sigs) declared("")
      else {
        if (!/define fm_[a-z]/) open = 0
        if (!open || comments) { flush(); open = 0 }
        forget()
      }
      next
    }
    {
      decl = decl (decl == "" ? "" : "\n") $0
      line = $0; sub(/ *\/\/.*/, "", line)
      depth += gsub(/\{/, "{", line) - gsub(/\}/, "}", line)
      if (depth > 0 || (line !~ /;$/ && line !~ /\}$/)) next
      text = decl; decl = ""
      if (sigs) { declared(""); next }
      if (text ~ /fm__|FM__/) { flush(); forget(); open = 0; next }
      if (text ~ /\{/ || text ~ /^typedef/ || text !~ /\(/) {          # a type
        flush(); open = 0
        if (current == want && text ~ /\{/) {
          if (comments) { print ""; prose(comment, comments, ""); print "" }
          print "\n```\n" text "\n```\n"
        }
        forget(); next
      }
      gsub(/[ \n]+/, " ", text); sub(/ *__attribute__.*/, "", text); sub(/ *;.*/, "", text)
      sub(/\* /, "*", text); gsub(/ \*/, " *", text)
      declared(text)
    }
    END { paragraph() }' "include/$1" | cat -s | sed -e '1{/^$/d}' -e '${/^$/d}'
}

# page FILE: the page with its parts made anew.
page() {
  local line skip=""
  while IFS= read -r line; do
    case $line in
    "<!-- api "*": "*" -->")
      printf '%s\n' "$line"
      local what=${line#<!-- api } && what=${what% -->}
      section "${what%%: *}" "${what#*: }" > "$scratch/part"
      [ -s "$scratch/part" ] || { echo "$1: nothing is found for: $what" >&2; exit 1; }
      cat "$scratch/part"
      skip=yes ;;
    "<!-- end -->")
      skip=""
      printf '%s\n' "$line" ;;
    *)
      [ -n "$skip" ] || printf '%s\n' "$line" ;;
    esac
  done < "$1"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
for file in docs/api/*.md; do
  page "$file" > "$scratch/page"
  if [ "${1-}" = --check ]; then
    diff -u "$file" "$scratch/page" || status=1
  elif ! cmp -s "$file" "$scratch/page"; then
    cp "$scratch/page" "$file"
  fi
done
[ $status = 0 ] || echo "docs/api is out of date: run tools/api.sh" >&2
exit $status
