# table.awk [-v base=TEXT] RESULTS BARS: the smallest of each figure, as Markdown tables laid out as
# BARS says. Rows without figures are left out. In a row with `@` that stands for gcc and clang, and
# `%` for nothing and "clang": their values stand in one row, apart by `;`. A figure OURS/BASE is
# their ratio, if it is not to be that of the figures; two more numbers are the range in which it
# was seen.
function commas(text) {
  while (match(text, /[0-9][0-9][0-9][0-9]($|,)/))
    text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
  return text
}
function figure(v) {
  if (v >= 100) return commas(sprintf("%.0f", v))
  return sprintf(v >= 20 ? "%.1f" : "%.2f", v)
}
function verdict(bar, ours, ratio) {
  if (bar == "-") return ""
  judged++
  if (bar ~ /^>=/ && ratio >= substr(bar, 3) + 0) return "met"
  if (bar !~ /^>=/ && (bar ~ / / ? ours : ratio) <= bar + 0) return "met"
  missed++
  return "NOT MET"
}
function add(list, word) { return word == "" ? list : list == "" ? word : list "; " word }
function with(text, cc) {
  gsub(/@/, cc, text)
  gsub(/%/, cc == "clang" ? "clang" : "", text)
  return text
}
function peers(list,   n, i, at, word, text) {
  n = split(list, word, " ")
  for (i = 1; i <= n; i++) {
    at = index(word[i], "=")
    if (substr(word[i], at + 1) in best)
      text = text ", " substr(word[i], 1, at - 1) " " figure(best[substr(word[i], at + 1)])
  }
  return text
}
# Adds one compiler's part of the row to ours, beside, ratios and says.
function column(mine, other, bar,   ratio, pair, says_now) {
  if (!(mine in best) || (other != "" && !(other in best))) return
  ours = add(ours, figure(best[mine]))
  if (other != "") {
    pair = mine "/" other
    ratio = pair in best ? best[pair] : best[mine] / best[other]
    beside = add(beside, figure(best[other]))
    ratios = add(ratios, sprintf("%.2f", ratio) range[pair])
  }
  says_now = verdict(bar, best[mine], ratio)
  if (says_now != says) says = add(says, says_now)
}
function heading() {
  if (title != "") printf "\n### %s\n", title
  title = ""
  print "| what | ours | beside it | ratio | bar | |"
  print "| --- | --- | --- | --- | --- | --- |"
  begun = 1
}

FNR == 1 { file++ }
file == 1 && NF > 3 { range[$1] = sprintf(" (%.2f–%.2f)", $3, $4) }
file == 1 { if (!($1 in best) || $2 < best[$1]) best[$1] = $2; next }
/^#/ { next }
/^== / { title = substr($0, 4); begun = 0; next }
{
  split($0, part, / *\| */)
  at = index(part[4], "=")
  name = substr(part[4], 1, at - 1)
  ours = beside = ratios = says = ""
  if ($0 ~ /@/) column(with(part[3], "gcc"), with(substr(part[4], at + 1), "gcc"), part[5])
  if ($0 ~ /@/) column(with(part[3], "clang"), with(substr(part[4], at + 1), "clang"), part[5])
  if ($0 !~ /@/) column(part[3], substr(part[4], at + 1), part[5])
  if (ours == "") next
  if (!begun) heading()
  others = substr((beside == "" ? "" : ", " name " " beside) peers(part[6]), 3)
  if (part[2] != "") ours = ours " " part[2]
  if (part[5] == "-") part[5] = ""
  printf "| %s | %s | %s | %s | %s | %s |\n", part[1], ours, others, ratios, part[5], says
}
END {
  if (judged) printf "\n%d of %d bars met. %s\n", judged - missed, judged, base
}
