struct hidden;
int f(struct hidden *h) {
  return h->x;                 // error: 3:11: `struct hidden` is declared but not defined here: its members are not known
}
