// In verbatim mode a plain body is copied as the preprocessor left it, odd layout and all; only the declarations are parsed.
// flags: --translate=verbatim
int f ( int x )
{
    return x+
      1 ;// emits:     return x+
}
// emits: int f ( int x )
// emits:       1 ;
int g(void){return sizeof(int[3]);} // emits: int g(void){return sizeof(int[3]);}
