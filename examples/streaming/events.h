// events.h: what has happened to a subscription.
#ifndef EVENTS_H
#define EVENTS_H

struct subscription;
// Adds a line to the events of the subscription. kind: "info", "pause", "warn", "error"
void event(struct subscription *s, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
