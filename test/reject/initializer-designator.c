struct s { int a; };
struct s x = {. = 1};          // error: 2:17: expected a name of a member, found `=`
struct s y = {.a 1, };         // error: 3:18: expected `=` after this designator, found `1`
