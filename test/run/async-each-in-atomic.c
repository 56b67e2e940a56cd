// A child that an atomic contains fails, and goes on in the clause `catch each` of a scope around
// the atomic: there, too, the atomic holds back a cancel of the scope.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>

struct bad {
  int code;
};

static async void fails(int code, int after) throws(struct bad) {
  fm_sleep(after);
  throw (struct bad){ code };
}

static async void around(int until, int after) {
  scope (s) {
    fm_cancel_after(s, until);
    atomic {
      spawn now fails(until, after);
      spawn contained fails(until + 1, after);
      fm_sleep(10);
    }
    printf("atomic left\n");
  } catch each (struct bad b) {
    printf("clause for %d\n", b.code);
    fm_sleep(20);
    printf("end of %d\n", b.code);
  } else {
    printf("cancelled\n");
  }
}

// Nothing of it is left when the cancel comes.
static async void scope_inside(void) {
  atomic {
    scope (s) {
      fm_cancel_after(s, 5);
      spawn now fails(3, 1);
    } catch each (struct bad b) {
      printf("clause for %d\n", b.code);
      fm_sleep(20);
      printf("not here\n");
    } else {
      printf("cancelled\n");
    }
  }
}

async int main(void) {
  around(5, 15); // the cancel comes before the errors
  // expect: clause for 5
  // expect: clause for 6
  // expect: end of 5
  // expect: end of 6
  // expect: atomic left
  around(15, 5); // and while the clauses run
  // expect: clause for 15
  // expect: clause for 16
  // expect: end of 15
  // expect: end of 16
  // expect: atomic left
  scope_inside();
  // expect: clause for 3
  // expect: cancelled
  return 0;
}
