int f(int x) {
  return x ? 1 ;               // error: 2:16: expected `:` in this `? :`, found `;`
}
