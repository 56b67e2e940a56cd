struct s {
  int a;
  lenght b;                    // error: 3:3: unknown type name `lenght`
};
