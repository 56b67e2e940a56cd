// A function that is declared again has to throw the same.
#include <fermata.h>
struct bad { int v; };
struct worse { int v; };
int a(int) throws(struct bad);
int a(int n) { return n; }
async int b(int) throws(struct bad);
async int b(int) throws(struct bad, struct worse);
int c(int) throws(struct bad, struct worse);
int c(int n) throws(struct worse, struct bad) { if (n) throw (struct bad){n}; throw (struct worse){n}; }
// error: 6:5: 
// error: 8:11: 
