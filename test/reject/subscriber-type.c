// A subscriber gets values of its broadcast's type.
#include <fermata.h>
#include <fermata/sync.h>

typedef fm_broadcast(int) int_cast;
typedef fm_subscriber(long) long_sub;

async void f(int_cast *b, long_sub *s) {
  fm_subscriber_init(s, b, 0);
}
// error: 9:3: a value of type `long *` is given where `int *` is expected
