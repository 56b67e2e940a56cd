int f(void) {
  int ;
  int *;                       // error: 3:8: expected a name to be declared, found `;`
  return 0;
}
