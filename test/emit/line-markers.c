// Tokens that stood far apart are kept on their lines by markers; near ones by empty lines.
int f(int a) {
  a++;













  return a;
}
// emits: # 1 "line-markers.c"
// emits: # 17 "line-markers.c"
