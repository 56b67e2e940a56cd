#!/usr/bin/env python3
# figures.py TRACE: what `fermata report --json TRACE` says, computed once more from the cells as
# docs/trace-format.md and docs/report.md define them. Reads the object from standard input, and
# fails where both differ.
import base64
import bisect
import json
import struct
import sys

import cells
from cells import *

report = json.load(sys.stdin)
head, stream = cells.read(sys.argv[1])
base = min(c.time for c in stream)


def column(table, name, kind):
    data = base64.b64decode(report[table][name])
    return list(struct.unpack("<%d%s" % (len(data) // struct.calcsize("<" + kind), kind), data))


def same(what, ours, theirs):
    if ours != theirs:
        sys.exit("%s: %s by the cells, %s in the report" % (what, ours, theirs))


class Turn:
    def __init__(self, who, begin, nested):
        self.who, self.begin, self.nested = who, begin, nested
        self.end, self.place, self.children, self.parent = None, None, 0, None
        self.gap = self.interrupted = self.written = None
        self.recurring = self.sliced = False
        self.waker = -1


turns, who, order = [], {}, []                 # who: (domain, number) to its state
state = {}                                     # of each domain
atomics, bursts, marks = [], [], 0
text, place = {}, {}


class Activity:
    def __init__(self):
        self.turns, self.last, self.spawner, self.rest, self.place = 0, None, None, None, None
        self.how, self.waker, self.seen, self.parent = 0, -1, set(), None


class Domain:
    def __init__(self):
        self.open, self.count, self.burst, self.atomic = [], 0, None, None


def activity(domain, number):
    if (domain, number) not in who:
        who[domain, number] = Activity()
    return who[domain, number]


def close(d, now):
    t = d.open.pop()
    t.end = now
    if not d.open and d.burst:
        d.burst[1] = now


for c in stream:
    d = state.setdefault(c.domain, Domain())
    if c.kind in (ACTIVITY, NAME, BEGIN, PAUSE, END, WAKE, FOR):
        a = activity(c.domain, c.number)
    if c.kind == STRING:
        text[c.domain, c.id] = c.text
    elif c.kind == PLACE:
        place[c.domain, c.id] = (text.get((c.domain, c.raw[0]), ""), c.raw[2],
                                 text.get((c.domain, c.raw[1]), ""))
    elif c.kind == ACTIVITY:
        if c.raw[0]:
            a.parent = (c.domain, c.raw[0])
        if c.info & 1 and d.open:
            a.spawner = d.open[-1]
            a.waker = d.open[-1]
            a.spawner.children += 1
    elif c.kind == BEGIN:
        t = Turn(a, c.time, bool(d.open))
        if not c.info & 1:
            if not d.burst:
                d.burst = [c.time, c.time, 0]
            d.burst[2] += 1
        t.parent = a.last or a.spawner
        if a.last:
            a.last.children += 1
        if a.rest is not None:
            t.gap, t.interrupted = c.time - a.rest[0], d.count > a.rest[1] or a.rest[2]
            t.written = False
        if a.place is not None:
            t.recurring = a.place in a.seen
            a.seen.add(a.place)
        t.waker, a.waker, a.rest, a.last = a.waker, -1, None, t
        a.turns += 1
        if d.atomic:
            d.atomic[1].add(c.number)
        d.open.append(t)
        d.count += 1
        turns.append(t)
    elif c.kind == PAUSE:
        a.place = place.get((c.domain, c.id))
        if not c.info & 4:
            same("the turn that ends", d.open[-1].who, a)
            d.open[-1].place, d.open[-1].sliced = a.place, bool(c.info & 2)
            close(d, c.time)
        a.rest, a.waker = (c.time, d.count, bool(d.open), c.what), -1
    elif c.kind == END:
        same("the turn that ends", d.open[-1].who, a)
        close(d, c.time)
        a.how, a.rest = c.info, None
    elif c.kind == WAKE:
        a.waker = d.open[-1]
    elif c.kind == IDLE and d.burst:
        bursts.append(d.burst)
        d.burst = None
    elif c.kind == ATOMIC and c.info:
        d.atomic = (c.time, {c.number})
    elif c.kind == ATOMIC:
        atomics.append((c.time - d.atomic[0], len(d.atomic[1])))
        d.atomic = None
    elif c.kind == WRITTEN:
        d.open[-1].written = d.open[-1].interrupted = True
    elif c.kind == NOTE:
        marks += 1
last = max(c.time for c in stream)
for d in state.values():
    if d.burst and d.open:
        d.burst[1] = last
    bursts += [d.burst] if d.burst else []
    for t in d.open:
        t.end = last
turns.sort(key=lambda t: t.begin)
index = {id(t): i for i, t in enumerate(turns)}

# ---- counts and columns ----
same("events", len(stream), report["events"])
same("duration", last - base, report["duration"])
same("activities", len(who), report["activities"]["count"])
same("turns", len(turns), report["turns"]["count"])
same("marks", marks, len(report["marks"]))
same("complete", bool(head["flags"] & 1 and not head["lost"]), report["complete"])
same("begin", [t.begin - base for t in turns], column("turns", "begin", "d"))
same("length", [t.end - t.begin for t in turns], column("turns", "length", "I"))
same("waker", [index[id(t.waker)] if t.waker != -1 else -1 for t in turns],
     column("turns", "waker", "i"))
same("flags", [t.recurring + 2 * t.nested + 4 * t.sliced for t in turns],
     column("turns", "flags", "B"))
names = report["strings"]
places = [(names[f], line, names[g]) for f, line, g in report["places"]] + [None]
same("place", [t.place for t in turns], [places[i] for i in column("turns", "place", "i")])
same("turns of each", sorted(a.turns for a in who.values()),
     sorted(column("activities", "turns", "I")))
same("how", sorted(a.how for a in who.values()), sorted(column("activities", "how", "B")))
same("parents", sum(a.parent is not None for a in who.values()),
     sum(p >= 0 for p in column("activities", "parent", "i")))
same("busy", sum(t.end - t.begin for t in turns), sum(column("activities", "busy", "d")))


# ---- figures ----
def times(values, edges):
    bins = [0] * (len(edges) - 1)
    for v in values:
        bins[min(max(bisect.bisect_right(edges, v) - 1, 0), len(bins) - 1)] += 1
    return bins


def counts(values, lower):
    bins = [0] * len(lower)
    for v in values:
        bins[max(bisect.bisect_right(lower, v) - 1, 0)] += 1
    return bins


f = report["figures"]
edges = f["turns"]["edges"]
same("edges", [round(10 ** (1 + k / 4)) for k in range(45)], edges)
gaps = [t for t in turns if t.gap is not None]
same("Figure 2", times([t.end - t.begin for t in turns], edges), f["turns"]["all"])
same("Figure 2, once", times([t.end - t.begin for t in turns if not t.recurring], edges),
     f["turns"]["once"])
same("Figure 3", counts([t.children for t in turns], f["branching"]["values"]),
     f["branching"]["turns"])
same("Figure 3, parents", counts([t.parent.children for t in turns if t.parent],
     f["branching"]["values"]), f["branching"]["parents"])
for name, chosen in (("uninterrupted", [t for t in gaps if not t.interrupted]),
                     ("interrupted", [t for t in gaps if t.interrupted]),
                     ("once", [t for t in gaps if not t.recurring])):
    same("Figure 4, " + name, times([t.gap for t in chosen], edges), f["gaps"][name])
same("Figure 4, written", times([t.gap for t in gaps if t.written], edges)
     if head["flags"] & 2 else None, f["gaps"]["written"])
same("Figure 5", times([n for n, _ in atomics], edges), f["atomic"]["length"])
same("Figure 5, activities", counts([n for _, n in atomics], f["atomic"]["counts"]),
     f["atomic"]["activities"])
same("bursts", times([b[1] - b[0] for b in bursts], edges), f["bursts"]["length"])
same("bursts, turns", counts([b[2] for b in bursts], f["bursts"]["counts"]), f["bursts"]["turns"])

# ---- tables ----
open_waits = [a for a in who.values() if a.rest and a.rest[3]]
same("waits", len(gaps) + len(open_waits), sum(w[3] for w in report["waits"]))
same("gaps", len(gaps), sum(r[2] for r in report["risky"]))
same("interrupted gaps", sum(bool(t.interrupted) for t in gaps), sum(r[3] for r in report["risky"]))
longest = sorted((t.end - t.begin for t in turns), reverse=True)[:50]
same("the longest", longest, [x[3] for x in report["longest"]])
print(len(turns), "turns,", len(who), "activities,", len(gaps), "gaps")
