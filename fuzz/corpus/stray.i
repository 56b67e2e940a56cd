int a @ b; int $x = 1; ` \ int c;  ÿş int Ã©tÃ©; #
 ## # pragma
