// plain-view.h: a Fermata file as a language server for C can read it.
#ifndef PLAIN_VIEW_H
#define PLAIN_VIEW_H

#include <stddef.h>

// Changes the text in place: what the macros of <fermata/keywords.h> cannot express becomes C of
// the same length. Every token that is left stands where it stood, so that positions, and what is
// shown at them, are those of the user's file.
void plain_view(char *text, size_t n);

#endif
