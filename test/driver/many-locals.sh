# Thousands of variables of one name in one function take fmcc no longer than as many others: it took minutes.
set -u
{
  echo '#include <fermata.h>'
  echo 'async int g(int x) { yield; return x; }'
  echo 'async int f(int s) {'
  for ((i = 0; i < 3000; i++)); do echo '  { int v = g(s); int *p = &v; s += g(*p); }'; done
  echo '  return s; }'
} > a.c
timeout 20 "$FMCC" --cc="$CC" --emit-c=compiled a.c > out.c || { echo "too slow"; exit 1; }
