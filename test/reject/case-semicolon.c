int f(void) {
  return 0;
  case 5;                      // error: 3:9: expected `:` after this `case`, found `;`
}
