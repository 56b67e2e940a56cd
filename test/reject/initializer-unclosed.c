int a[] = {1, 2;               // error: 1:16: expected `}` to close this initializer, found `;`
int f(void) { return 0; }
