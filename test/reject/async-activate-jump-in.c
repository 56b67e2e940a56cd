// No jump enters the body of activate: neither goto nor a case of a switch around it.
#include <fermata.h>

async void c(int n) {
  if (n) goto in;
  activate {
  in:
    yield;
  }
}

async void e(int n) {
  switch (n) {
    activate {
    case 1: yield;
    }
  }
}
// error: 5:15: `in`
// error: 15:5: `case`
