// shorten.h: shorter programs.
#ifndef SHORTEN_H
#define SHORTEN_H

#include "core.h"

// The program after edit number `which`; the same one if that is no program; NULL: there is none.
Node *shorten(const Node *tree, int which);
#endif
