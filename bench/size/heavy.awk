# heavy.awk: prints yield-heavy code, in the common text of dialect.h: nearly every statement calls
# a function; of four calls three are plain (a yield before and after) and one is async; six locals
# live throughout; a loop, a branch and a switch in each function.
#     awk -v functions=40 -f heavy.awk

function v(i) { return "v" i % 6 }
function plain(i) { return sprintf("%s = ext(%s, %s) + %d;", v(i), v(i + 1), v(i + 2), i) }
function waits(i, n) { return sprintf("%s += NAME(f%d)(%s, %s);", v(i), n ? n - 1 : 0, v(i + 1), v(i + 3)) }
function statement(i, n) { return i % 4 == 3 ? waits(i, n) : plain(i) }

function body(n,   i) {
  for (i = 0; i < 6; i++) print "  " statement(n + i, n)
  print "  for (int i = 0; i < v0; i++) {"
  for (i = 6; i < 10; i++) print "    " statement(n + i, n)
  print "    if (ext(i, v1))\n      continue;"
  print "  }\n  if (ext(v2, v3) > v4) {"
  for (i = 10; i < 14; i++) print "    " statement(n + i, n)
  print "  }\n  switch (v5) {"
  for (i = 14; i < 18; i++) printf "  case %d:\n    %s\n    break;\n", i, statement(n + i, n)
  print "  }"
}

BEGIN {
  print "#include \"dialect.h\"\nint ext(int a, int b);"
  print "async int NAME(f0)(int a, int b);"
  for (n = 0; n < functions; n++) {
    printf "\nasync int NAME(f%d)(int a, int b) {\n", n
    print "  int v0 = a, v1 = b, v2 = a + b, v3 = a - b, v4 = a * b, v5 = a ^ b;"
    body(n)
    print "  return v0 + v1 + v2 + v3 + v4 + v5;\n}"
  }
}
