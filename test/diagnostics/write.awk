# write.awk: cases → a unit in which each stands in its contexts, each in a function of its own, alone on its line.
#   -v plain=1        as plain C, as many times: gcc says some things differently the second time
#   -v map=FILE       gets `line case context in|out`: which line belongs to what; in: the case's own
#   -v leave=FILE     `case context` pairs that are left out; their lines stay empty
#   -v clang=1        for clang
#   -v only=FILE      the numbers of the cases that are wanted
function line(text, own) {
  number++
  print text
  print number, i, context, own ? "in" : "out" > map
}
function put(before, after) {
  if (((i, context) in left)) { line(""); line(""); line(""); line(""); return }
  if (plain) line("int f_" i "_" context "(int n, char *s, struct S *p) {")
  else line("async int f_" i "_" context "(int n, char *s, struct S *p) {")
  line(plain ? "" : before)
  line("    " code (plain && context == "case" ? ";" : ""), 1)
  line((plain ? "" : after) " return g(n) + *s + p->a; }")
}
function both(name, before, after) { context = name; put(before, after) }
BEGIN {
  FS = " *[|] "
  while (leave && (getline pair < leave) > 0) { split(pair, k, " "); left[k[1], k[2]] = 1 }
  while (only && (getline one < only) > 0) wanted[one] = 1
  print "#include \"prelude.h\""
  number = 1
}
/^#/ || /^ *$/ { next }
{
  i++
  if (only && !(i in wanted)) next
  flags = $1
  code = substr($0, index($0, "|") + 2)
  returns = flags ~ /r/
  both("before", "", "  yield;")
  both("after", "  yield;", "  yield;")
  both("shield", "  shield {", "  }")
  both("atomic", "  atomic {", "  }")
  both("scope", "  scope (z) { (void)z; h(n);", "  }")
  both("else", "  scope (z) { (void)z; h(n); } else {", "  }")
  both("try", "  try { may_fail(n);", "  } catch (struct bad z) { use(z.v); }")
  both("catch", "  try { may_fail(n); } catch (struct bad z) { use(z.v);", "  }")
  if (flags !~ /b/) both("arm", "  race { case h(n):", "  break; case h(2): ; }")
  if (code !~ /return/) {
    both("activate", "  activate (n, s, p) {", "  }")
    both("later", "  activate (n, s, p) { yield;", "  yield; }")
    both("finally", "  try { h(n); } finally {", "  }")
    both("defer", "  defer {", "  }")
  }
  if (code !~ /return/ && !(clang && flags ~ /j/)) both("job", "  auto j = job (n, s, p) {", "  return 1; }; await j; fm_job_free(j);")
  if (flags ~ /x/) {
    code = substr(code, 1, length(code) - 1)
    both("case", "  race { case", "  : break; case h(2): ; }")
  }
}
