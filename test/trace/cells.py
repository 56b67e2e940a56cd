#!/usr/bin/env python3
# cells.py FILE: the cells of a trace in the compact form, as docs/trace-format.md describes them,
# one line each. Other scripts import `read`.
import struct
import sys

TIME, STRING, PLACE, ACTIVITY, NAME, BEGIN, PAUSE, FOR, END, WAKE, IDLE, READY, CLOCK, NOTE, BY, \
    ATOMIC, WRITTEN, STOP = range(1, 19)
KINDS = ("NONE TIME STRING PLACE ACTIVITY NAME BEGIN PAUSE FOR END WAKE IDLE READY CLOCK NOTE BY "
         "ATOMIC WRITTEN STOP").split()


class Cell:
    def __init__(self, domain, time, kind, info, what, body):
        self.domain, self.time, self.kind = domain, time, kind
        self.info, self.what, self.body = info, what, body
        self.number, self.id = body & 0xffffffffff, body >> 40
        self.text, self.raw = "", b""


def piece(data, order, cells):
    magic, _, domain, _, time = struct.unpack_from(order + "IIQQQ", data)
    assert magic == 0x65636570
    at = 64
    while at + 16 <= len(data):
        head, body = struct.unpack_from(order + "QQ", data, at)
        at += 16
        kind = head >> 32 & 0xff
        if kind == 0:
            break
        time = body if kind == TIME else time + (head & 0xffffffff)
        c = Cell(domain, time, kind, head >> 40 & 0xff, head >> 48, body)
        n = {STRING: c.number, NAME: c.id, NOTE: c.what}.get(kind, 0)
        if n:
            c.text = data[at:at + n].decode("utf-8", "replace")
            at += (n + 15) // 16 * 16
        if kind in (PLACE, ACTIVITY):
            c.raw = struct.unpack_from(order + ("IIII" if kind == PLACE else "QII"), data, at)
            at += 16
        cells.append(c)


# The head as a dictionary, and all cells in the order of the pieces.
def read(path):
    data = open(path, "rb").read()
    assert data[:8] == b"fmtrace\n"
    order = "<" if data[8] == 4 else ">"
    version, head, size, flags, words, process, begun, calendar, lost = struct.unpack_from(
        order + "IIIIIQQQQ", data, 12)
    assert version == 1
    pieces = []
    for at in range(head, len(data), size):
        part = data[at:at + size]
        if len(part) >= 64 and struct.unpack_from(order + "I", part)[0] == 0x65636570:
            pieces.append((struct.unpack_from(order + "Q", part, 16)[0], part))
    cells = []
    for _, part in sorted(pieces):
        piece(part, order, cells)
    text = data[64:64 + words]
    return dict(flags=flags, process=process, begun=begun, calendar=calendar, lost=lost,
                words=text.split(b"\0")[:-1]), cells


if __name__ == "__main__":
    info, all_cells = read(sys.argv[1])
    print(info)
    for c in all_cells:
        print(c.domain, c.time - info["begun"], KINDS[c.kind], c.info, c.what, c.number, c.id,
              c.text, c.raw or "")
