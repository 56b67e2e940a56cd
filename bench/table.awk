# table.awk [-v base=TEXT] RESULTS BARS: the smallest of each figure, laid out as BARS says. Rows without figures are left out. A figure OURS/BASE is
# their ratio, if it is not to be that of the figures; two more numbers are the range in which it was seen.
function figure(v) { return v >= 1000 ? sprintf("%.0f", v) : v >= 100 ? sprintf("%.1f", v) : sprintf("%.2f", v) }
function value(key) { return key in best ? figure(best[key]) : "" }
function verdict(bar, ours, ratio) {
  if (bar == "-") return ""
  if (bar ~ /^>=/) return ratio >= substr(bar, 3) + 0 ? "met" : "NOT MET"
  if (bar ~ / /) return ours <= bar + 0 ? "met" : "NOT MET"
  return ratio <= bar + 0 ? "met" : "NOT MET"
}
function peers(list,   n, i, at, word, text) {
  n = split(list, word, " ")
  for (i = 1; i <= n; i++) {
    at = index(word[i], "=")
    if (substr(word[i], at + 1) in best) text = text "  " substr(word[i], 1, at - 1) " " value(substr(word[i], at + 1))
  }
  return text
}

FNR == 1 { file++ }
file == 1 && NF > 3 { range[$1] = sprintf(" %.2f–%.2f", $3, $4) }
file == 1 { if (!($1 in best) || $2 < best[$1]) best[$1] = $2; next }
/^#/ { next }
{
  split($0, part, / *\| */)
  if (!(part[3] in best) || !(part[4] in best)) next
  if (!begun++) printf "%-40s %-3s %9s %9s %7s %7s %-8s%s\n", "what", "", "ours", "base", "ratio", "bar", "", "  peers"
  pair = part[3] "/" part[4]
  ratio = pair in best ? best[pair] : best[part[3]] / best[part[4]]
  says = verdict(part[5], best[part[3]], ratio)
  if (says == "NOT MET") missed++
  if (says != "") judged++
  printf "%-40s %-3s %9s %9s %7.2f%s %7s %-8s%s\n", part[1], part[2], value(part[3]), value(part[4]), ratio, range[pair], part[5], says, peers(part[6])
}
END { if (judged) printf "%d of %d bars met. base: %s\n", judged - missed, judged, base ? base : "plain C by the same compiler, or C++20 coroutines with pooled frames by g++." }
