int f( { return 1; }
int g(void) { return undeclared + 1; }
struct S { int a; ; int };
int h(void) { int x = ; if ( } 
int ok(void) { return 0; }
