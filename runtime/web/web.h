// web.h: a domain in a page or in node. The functions of this folder; runtime/drivers/web.c is its
// driver. A turn begins by a timer, a microtask or an event of the page, and lasts some
// milliseconds at most.
#ifndef FM_WEB_H
#define FM_WEB_H

#include "fm.h"

// ---- turn.c ----
// The page is asked for a turn: as a microtask if none is ordered yet. For readiness outside of a
// turn.
void fm__page_order_turn(fm__runtime *d);
// The turn that is under way has lasted long enough.
bool fm__page_turn_over(uint64_t now);
bool fm__page_in_turn(void);
// Something of the page can make activities ready at any time: then nothing is a deadlock. Counts.
void fm__page_hold(int change);
size_t fm__page_holds(void);

// ---- fuel.c ----
// Nanoseconds between two readings of the clock: less is too often, more too seldom.
enum { FM__READ_SOON = 10000, FM__READ_LATE = 40000 };
void fm__fuel_begin(fm__runtime *d, uint64_t now); // a turn begins
void fm__fuel_read(uint64_t now); // the clock was read between two activities

// ---- page.c: the functions of the page ----
void fm__page_timer(double ms); // one timer: calls fm__page_turn; < 0: none
void fm__page_soon(void);       // a microtask that does
bool fm__page_is_node(void);
uint64_t fm__page_now(void); // the page's clock, for the length of turns

// ---- drivers/web.c ----
bool fm__is_web_driver(const fm_driver *driver);

#endif
