# table.py DIRECTORY NAME...: the table of docs/study.md, from DIRECTORY/NAME-off.json (the program
# as it is) and NAME-on.json (with -fsanitize=atomicity).
import json
import os
import sys


def load(name, how):
    path = os.path.join(sys.argv[1], f"{name}-{how}.json")
    return json.load(open(path)) if os.path.exists(path) else None


def time_text(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.0f} ns"


def below(edges, counts, limit):
    """The part of a histogram below a limit, which is one of its edges."""
    total = sum(counts)
    part = sum(n for e, n in zip(edges[1:], counts) if e <= limit * 1.0001)
    return 100 * part / total if total else 0


def bin_of(edges, counts, part):
    """The upper edge of the bin that the given part of all is below."""
    seen = 0
    for e, n in zip(edges[1:], counts):
        seen += n
        if seen >= part * sum(counts):
            return e
    return edges[-1]


def percent(n, total):
    return f"{100 * n / total:.1f} %" if total else "-"


def rows(name):
    d = load(name, "off")
    on = load(name, "on")
    f = d["figures"]
    turns, branch, gaps = f["turns"], f["branching"], f["gaps"]
    n_gaps = sum(gaps["uninterrupted"]) + sum(gaps["interrupted"])
    short = [a + b for a, b in zip(gaps["uninterrupted"], gaps["interrupted"])]
    written = on and on["figures"]["gaps"]["written"]
    on_gaps = on and sum(on["figures"]["gaps"]["uninterrupted"] +
                         on["figures"]["gaps"]["interrupted"])
    yield "activities", f"{d['activities']['count']:,}"
    yield "turns", f"{d['turns']['count']:,}"
    yield "turns < 10 µs", f"{below(turns['edges'], turns['all'], 1e4):.0f} %"
    yield "turns < 100 µs", f"{below(turns['edges'], turns['all'], 1e5):.0f} %"
    yield "turns < 1 ms", f"{below(turns['edges'], turns['all'], 1e6):.1f} %"
    yield "99 % of the turns below", time_text(bin_of(turns["edges"], turns["all"], 0.99))
    yield "longest turn", time_text(max([t[3] for t in d["longest"]] or [0]))
    yield "recurring turns", percent(sum(turns["all"]) - sum(turns["once"]), sum(turns["all"]))
    yield "turns with one child", percent(branch["turns"][1], sum(branch["turns"]))
    yield "turns with several", percent(sum(branch["turns"][2:]), sum(branch["turns"]))
    yield "whose parent has several", percent(sum(branch["parents"][2:]), sum(branch["parents"]))
    yield "gaps < 100 µs", f"{below(gaps['edges'], short, 1e5):.0f} %"
    yield "gaps < 1 ms", f"{below(gaps['edges'], short, 1e6):.0f} %"
    yield "gaps interrupted", percent(sum(gaps["interrupted"]), n_gaps)
    yield "gaps written", percent(sum(written), on_gaps) if written else "-"
    yield "atomic sections", f"{sum(f['atomic']['length']):,}"
    bursts = f["bursts"]
    yield "99 % of the bursts below", time_text(bin_of(bursts["edges"], bursts["length"], 0.99))
    yield "events", f"{d['events']:,}"


names = [n for n in sys.argv[2:] if load(n, "off")]
columns = [list(rows(n)) for n in names]
print("| | " + " | ".join(names) + " |")
print("| --- |" + " ---: |" * len(names))
for i, (what, _) in enumerate(columns[0]):
    print(f"| {what} | " + " | ".join(c[i][1] for c in columns) + " |")
