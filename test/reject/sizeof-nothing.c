int f(void) {
  return sizeof;               // error: 2:16: expected a name or a value, found `;`
}
