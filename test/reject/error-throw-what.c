// Only structures can be thrown and declared; what was caught is thrown again by `throw;`.
#include <fermata.h>
struct bad { int v; };
union u { int v; };
void a(void) { throw 3; }
void b(void) { throw "text"; }
void c(void) { union u x = {1}; throw x; }
void d(void) { try { throw (struct bad){1}; } catch (fm_error *e) { throw e; } }
void e(void) { struct bad x = {1}; throw &x; }
void f(void) throws(int);
void g(void) throws(struct bad *);
// error: 5:22: only structures can be thrown, and this value is of type `int`
// error: 6:22: only structures can be thrown, and this value is of type
// error: 7:39: only structures can be thrown, and this value is of type `union u`
// error: 8:75: a caught error is thrown again by `throw;`, inside its `catch`
// error: 9:42: only structures can be thrown, and this value is of type `struct bad *`
// error: 10:21: only structures can be thrown, and `int` is not a structure
// error: 11:21: only structures can be thrown, and `struct bad *` is not a structure
