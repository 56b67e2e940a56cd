// What is asyncdirect has its completion for its last parameter.
#include <fermata.h>
asyncdirect int f(int n, fm_completion(int) *k, ...);
// error: 3:17: an asyncdirect function cannot take `...`
