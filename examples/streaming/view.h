// view.h: what the C code calls in the page's JavaScript (page/*.js). Plain C.
#ifndef VIEW_H
#define VIEW_H

// Makes a card for each instrument. json: [{ symbol, name, unit, digits }]
void view_begin(const char *json);
// Draws a chart: n points of two lines.
void view_draw(int index, const double *times, const double *prices, const double *smooths, int n,
               int window);
// Adds a line to the events of an instrument. kind: "info", "pause", "warn", "error"
void view_event(int index, const char *kind, const char *text);
// Shows the state of everything: { source, cards: […], tree: […] }
void view_update(const char *json);

#endif
