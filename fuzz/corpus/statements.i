int f(int n) {
  int i, r = 0;
  for (i = 0; i < n; i++) { if (i % 2) continue; else if (i > 10) break; r += i; }
  for (int j = 0;;) { if (j++ > 3) break; }
  while (r > 100) r /= 2;
  do r++; while (r < 5);
  switch (r) { case 1: r = 2; case 2: { r = 3; break; } case 4 ... 9: return 1; default: ; }
  if (r) ; else return 2;
  goto end;
end: return r;
}
