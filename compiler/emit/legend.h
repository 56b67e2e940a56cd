// legend.h: the head of the readable form: how to read it.
#ifndef LEGEND_H
#define LEGEND_H

#include "base/base.h"

// text: what follows; only what occurs there is explained
void write_legend(const char *name, const Buf *text, Buf *out);

#endif
