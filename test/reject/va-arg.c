int f(__builtin_va_list ap) {
  return __builtin_va_arg(ap int); // error: 2:30: expected `,` before the type, found `int`
}
