int f(void) {
  strnig s = 0;                // error: 2:3: unknown type name `strnig`
  return 0;
}
unknown_t g(void);             // error: 5:1: unknown type name `unknown_t`
