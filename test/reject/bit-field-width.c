struct s {
  int a : ;                    // error: 2:11: expected a name or a value, found `;`
};
struct t { int b : 3 int c; }; // error: 4:22: expected `;` after this member, found `int`
