int a = {1, 2;                 // error: 1:14: expected `}` to close this initializer, found `;`
int b[ = 3;                    // error: 2:6: this `[` is never closed
struct s { int x; y; } ;
extern int c(int, struct);     // error: 4:25: expected `{` after `struct`, found `)`
typedef unknown_t d;           // error: 5:9: unknown type name `unknown_t`
int last(void) { return misspelt; } // error: 6:25: `misspelt` is not declared
// After each mistake reading goes on at the next declaration, even where braces do not balance.
