struct s {
  int a                        // error: 2:8: expected `;` after this member, found `int`
  int b;
};
