# decide.awk: from what `asyncify scan` found in all units of a program to what `asyncify edit` reads. Three extended regular
# expressions may be given: -v force=… names functions that are async although their address is taken, -v pointers=…
# the pointers that they are kept in, -v plain=… those of them that hold plain functions all the same.
# What the C compiler calls by itself is not async.
BEGIN {
  n = split("memcmp memcpy memmove memset __cyg_profile_func_enter __cyg_profile_func_exit", names)
  for (i = 1; i <= n; i++) kept[names[i]] = 1
}

function matches(name, pattern) { return pattern != "" && name ~ "^(" pattern ")$" }

$1 == "defines" { defined[$2] = 1 }
$1 == "keeps" && !($3 == "taken" && matches($2, force)) { kept[$2] = 1 }
$1 == "points" && matches($2, pointers) && !matches($2, plain) { pointer[$2] = 1 }

END {
  for (name in defined) print (name in kept ? "atomic" : "async"), name
  for (name in pointer) print "pointer", name
}
