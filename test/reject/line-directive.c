int f(void) {
#line 200 "line-directive.c"
  return missing;
}
// error: 200:10: `missing` is not declared
// #line decides about the line in messages.
