// `default:` wins if no arm can end at once; the arms have unwound before its statements run.
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) chan;

static async int waits(int ms) {
  defer printf("unwound\n");
  fm_sleep((uint64_t)ms);
  return ms;
}
static async int slow_to_leave(void) {
  try {
    fm_sleep(100);
  } finally {
    fm_sleep(3);
    printf("left after 3\n");
  }
  return 0;
}
static async int at_once(int v) { return v; }
static async int through(chan *c) throws(struct fm_closed) { return fm_recv(c); }

static async int try_recv(chan *c) throws(struct fm_closed) {
  race {
    case int v = fm_recv(c): return v;
    default: return -1;
  }
}

async int main(void) {
  chan c;
  fm_chan_init(&c, 2);
  try {
    printf("%d\n", try_recv(&c));         // expect: -1
    fm_send(&c, 4);
    printf("%d\n", try_recv(&c));         // expect: 4
    fm_send(&c, 5);
    race {
      default: printf("no\n");            // may stand anywhere
      case int v = through(&c): printf("%d\n", v);  // expect: 5
    }
    race {
      case waits(5): printf("no\n");
      case slow_to_leave(): printf("no\n");
      default: printf("default\n"); break;
    }
    // expect: unwound
    // expect: left after 3
    // expect: default
    race {
      case waits(5): printf("no\n");
      case int v = at_once(6): printf("%d\n", v);
      default: printf("no\n");
    }
    // expect: unwound
    // expect: 6
    race {
      case if (0) waits(1): printf("no\n");
      default: printf("nothing to wait for\n");     // expect: nothing to wait for
    }
    fm_chan_close(&c);
    race {
      case fm_recv(&c): printf("no\n");
      default: printf("no\n");
    }
  } catch (struct fm_closed e) {
    printf("closed\n");                   // expect: closed
  }
  scope (s) {
    fm_cancel(s);
    race {
      case waits(1): printf("no\n");      // does not start
      default: printf("no\n");
    }
    printf("no\n");
  } else {
    printf("cancelled\n");                // expect: cancelled
  }
  return 0;
}
