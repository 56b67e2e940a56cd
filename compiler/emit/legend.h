// legend.h: the head of the readable form, which explains how to read it.
#ifndef LEGEND_H
#define LEGEND_H

#include "base/base.h"

// text: the rest of the file; only words that occur there are explained.
void write_legend(const char *name, const Buf *text, Buf *out);

#endif
