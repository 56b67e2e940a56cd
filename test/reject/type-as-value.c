typedef int number;
int f(void) {
  return number + 1;           // error: 3:10: `number` is a type; a value is expected here
}
