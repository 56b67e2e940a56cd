// What an arm of a race may be.
#include <fermata.h>
#include <fermata/time.h>

async int value(int x) { fm_sleep(1); return x; }
async int fails(void) throws(struct os_error);

async void wrong(int n) throws(struct os_error) {
  int i;
  race {
    for (i = 0; i < n; i++) case fm_sleep(1): break;  // error: 11:5: a `for` in `race` has to declare its variables
  }
}
async void waits(int n) throws(struct os_error) {
  race {
    for (int i = value(0); i < n; i++) case fm_sleep(1): break;  // error: 16:5: the heading of a `for` in `race` cannot wait or throw
    for (int i = 0; i < fails(); i++) case fm_sleep(1): break;  // error: 17:5: the heading of a `for` in `race` cannot wait or throw
    for (int i = 0; i < n; i++) case if (value(i)) fm_sleep(1): break;  // error: 18:38: the condition of an arm in a `for` cannot wait or throw
    for (int a[2] = { 0 }; a[0] < n; a[0]++) case fm_sleep(1): break;  // error: 19:14: `a` cannot be kept for an arm of the race
  }
}
async void defaults(void) {
  race {
    case fm_sleep(1): break;
    default: break;
    default: break;               // error: 26:5: this `race` has a `default:` already
  }
  race {                          // error: 28:3: `race` needs at least one arm
    default: break;
  }
  race {
    case int v = fm_sleep(1): break;  // error: 32:5: there is nothing to assign
    yield;
  }
}
async void none(void) {
  race {
    yield;                        // error: 38:5: an arm of `race` begins with `case`, or is `default:`
  }
}
