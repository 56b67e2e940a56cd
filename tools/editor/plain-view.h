// plain-view.h: a Fermata file as a language server for C can read it.
#ifndef PLAIN_VIEW_H
#define PLAIN_VIEW_H

#include <stddef.h>

// Changes the text in place. Constructs that the macros of <fermata/keywords.h> cannot express
// become C of the same length. The other tokens keep their places, so every position that a
// language server reports is a position in the user's file.
void plain_view(char *text, size_t n);

#endif
