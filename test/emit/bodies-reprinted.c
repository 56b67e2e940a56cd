// In reprint mode bodies come from the tree: layout changes, lines do not.
int f ( int x )
{
    return   x+1 ;
}
// emits-not: x+1
// emits: return x + 1;
// emits: int f ( int x )
int a [ 3 ] ;                  // emits: int a [ 3 ] ;
