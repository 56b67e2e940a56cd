# The cases of docs/comparison.md in Python with Trio 0.22.
import contextvars
import random
import sys

import trio


class Bad(Exception):
    pass


async def work(n):
    await trio.sleep(n / 1000)
    if n == 13:
        raise Bad(n)
    return n * n


# case: select with a time limit
async def receive_either(a, b):
    result = 0

    async def receive(c, sign):
        nonlocal result
        result = sign * await c.receive()
        nursery.cancel_scope.cancel()

    with trio.move_on_after(0.1):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(receive, a, 1)
            nursery.start_soon(receive, b, -1)
    return result
# end


# case: select over an array
async def receive_any(cs):
    result = None

    async def receive(c):
        nonlocal result
        result = await c.receive()
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        for c in cs:
            nursery.start_soon(receive, c)
    return result
# end


# case: select with a condition
async def receive_if(a, b, b_too):
    result = None

    async def receive(c):
        nonlocal result
        result = await c.receive()
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(receive, a)
        if b_too:
            nursery.start_soon(receive, b)
    return result
# end


# case: receive if there is a value
async def receive_now(c):
    try:
        return c.receive_nowait()
    except trio.WouldBlock:
        return -1
# end


# case: receive until closed
async def sum_of(c):
    total = 0
    async for v in c:
        total += v
    return total
# end


# case: time limit for a call
async def in_time(n):
    with trio.fail_after(0.05):
        return await work(n)
# end


# case: time limit for a block, with an alternative
async def or_nothing(n):
    with trio.move_on_after(0.05) as s:
        v = await work(n)
    return -1 if s.cancelled_caught else v
# end


# case: children, the first error cancels the rest
async def all_or_none(n):
    async with trio.open_nursery() as nursery:
        for i in range(n):
            nursery.start_soon(work, i)
# end


# case: children that fail alone
async def count_failures(n):
    failed = 0

    async def one(i):
        nonlocal failed
        try:
            await work(i)
        except Bad:
            failed += 1

    async with trio.open_nursery() as nursery:
        for i in range(n):
            nursery.start_soon(one, i)
    return failed
# end


# case: map over an array, at most four at once, in order
async def squares(numbers):
    out = [None] * len(numbers)
    limit = trio.CapacityLimiter(4)

    async def one(i, n):
        async with limit:
            out[i] = await work(n)

    async with trio.open_nursery() as nursery:
        for i, n in enumerate(numbers):
            nursery.start_soon(one, i, n)
    return out
# end


# case: children, at most four at once
async def limited(n):
    limit = trio.CapacityLimiter(4)

    async def one(i):
        async with limit:
            await work(i)

    async with trio.open_nursery() as nursery:
        for i in range(n):
            nursery.start_soon(one, i)
# end


# case: start a child and wait until it is ready
async def serve(task_status=trio.TASK_STATUS_IGNORED):
    await trio.sleep(0.005)
    task_status.started(8080)
    await trio.sleep(1)


async def start_server(nursery):
    return await nursery.start(serve)
# end


# case: retry with growing delays and jitter
tries = 0


async def fragile():
    global tries
    tries += 1
    if tries < 4:
        raise Bad(tries)
    return tries


async def keep_trying():
    delay = 0.1
    for attempt in range(5):
        try:
            return await fragile()
        except Bad:
            if attempt == 4:
                raise
        await trio.sleep(delay * (0.5 + random.random() / 2))
        delay = min(2 * delay, 1)
# end


# case: every 10 ms, missed ones left out
async def tick(n):
    due = trio.current_time()
    for _ in range(n):
        now = trio.current_time()
        due += 0.01 * max(1, int((now - due) / 0.01) + 1)
        await trio.sleep_until(due)
# end


# case: ten a second, bursts of five
async def limited_rate(n):
    tokens, last = 5.0, trio.current_time()
    for _ in range(n):
        now = trio.current_time()
        tokens, last = min(5.0, tokens + 10 * (now - last)), now
        if tokens < 1:
            await trio.sleep((1 - tokens) / 10)
            tokens, last = 1.0, trio.current_time()
        tokens -= 1
# end


# case: cleanup that may wait, also when cancelled
async def with_cleanup(log):
    try:
        await trio.sleep(1)
    finally:
        with trio.CancelScope(shield=True):
            await trio.sleep(0.005)
            log.append(42)
# end


# case: a value that children inherit
request = contextvars.ContextVar("request")


async def who(out):
    out.append(request.get())


async def handle(name):
    request.set(name)
    out = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(who, out)
    return out[0]
# end


# case: no interruption across several waits
balance = 100
balance_lock = trio.Lock()


async def transfer(n):
    global balance
    async with balance_lock:
        old = balance
        await trio.sleep(0.001)
        balance = old - n
# end


# case: lines, then counted bytes, from one connection
async def head_and_body(stream, n):
    data = b""
    while b"\n\n" not in data:
        more = await stream.receive_some()
        if not more:
            break
        data += more
    head, _, body = data.partition(b"\n\n")
    print(head.decode())
    while len(body) < n:
        more = await stream.receive_some(n - len(body))
        if not more:
            break
        body += more
    return body
# end


# case: a command with input, output and a time limit
async def sort_text(text):
    with trio.fail_after(5):
        r = await trio.run_process(["sort"], stdin=text, capture_stdout=True)
    return r.stdout
# end


async def main():
    a, ra = trio.open_memory_channel(4)
    b, rb = trio.open_memory_channel(4)
    assert await receive_either(ra, rb) == 0
    await b.send(7)
    assert await receive_either(ra, rb) == -7
    await b.send(8)
    assert await receive_any([ra, rb]) == 8
    await b.send(9)
    assert await receive_if(ra, rb, True) == 9
    assert await receive_now(ra) == -1
    for i in range(4):
        await a.send(i)
    await a.aclose()
    assert await sum_of(ra) == 6
    assert await in_time(5) == 25
    assert await or_nothing(5) == 25 and await or_nothing(60) == -1
    try:
        await all_or_none(20)
        assert False
    except Bad:
        pass
    assert await count_failures(20) == 1
    assert await squares([1, 2, 3]) == [1, 4, 9]
    await limited(10)
    async with trio.open_nursery() as nursery:
        assert await start_server(nursery) == 8080
        nursery.cancel_scope.cancel()
    assert await keep_trying() == 4
    await tick(3)
    await limited_rate(8)
    log = []
    with trio.move_on_after(0.01):
        await with_cleanup(log)
    assert log == [42]
    assert await handle("first") == "first"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(transfer, 10)
        nursery.start_soon(transfer, 20)
    assert balance == 70
    assert await sort_text(b"b\na\n") == b"a\nb\n"
    left, right = trio.testing.memory_stream_pair()
    await left.send_all(b"Length: 4\n\nbody")
    assert await head_and_body(right, 4) == b"body"
    sys.stdout.write("done\n")


if __name__ == "__main__":
    import trio.testing
    trio.run(main)
