# read.awk: a compiler's messages → `case context in|out column kind: text`, by the map of write.awk; names of the functions are left out.
#   -v whole=1        they are as fmcc tells them
BEGIN { while ((getline one < map) > 0) { split(one, k, " "); place[k[1]] = k[2] " " k[3] " " k[4] } }
match($0, /^[^ :]+:[0-9]+:[0-9]+: (error|warning|fatal error): /) {
  split($0, k, ":")
  text = substr($0, length(k[1]) + length(k[2]) + length(k[3]) + 5)
  gsub(/f_[0-9]+_[a-z]+/, "f", text)
  if (sub(/\[-Wuninitialized\]/, "[-Wmaybe-uninitialized]", text)) sub(/is used/, "may be used", text) # what may run, or not
  if (!whole && text ~ /\[-Wformat/) k[3] = "-"  # gcc speaks of a place inside a string only if the text is not preprocessed; fmcc looks for it
  if (k[1] !~ /unit\.c$/) print "0 none out " k[3], k[1] ": " text
  else if (k[2] in place) print place[k[2]], k[3], text
  else print "0 none out " k[3], text
}
