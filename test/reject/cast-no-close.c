int f(int x) {
  return (int x;               // error: 2:15: a type is expected here, without a name; remove `x`
}
// error: 2:16: expected `)` after the type, found `;`
