// The cases of docs/comparison.md in Kotlin with kotlinx.coroutines. These are counted, and were not
// run: Debian has no such library.
import kotlinx.coroutines.*
import kotlinx.coroutines.channels.*
import kotlinx.coroutines.flow.*
import kotlinx.coroutines.selects.*
import kotlinx.coroutines.sync.*
import kotlin.random.Random
import kotlin.time.Duration.Companion.seconds

class Bad(val n: Int) : Exception()

suspend fun work(n: Int): Int {
    delay(n.toLong())
    if (n == 13) throw Bad(n)
    return n * n
}

// case: select with a time limit
suspend fun receiveEither(a: Channel<Int>, b: Channel<Int>) = select<Int> {
    a.onReceive { it }
    b.onReceive { -it }
    onTimeout(100) { 0 }
}
// end

// case: select over an array
suspend fun receiveAny(cs: List<Channel<Int>>) = select<Int> {
    cs.forEach { c -> c.onReceive { it } }
}
// end

// case: select with a condition
suspend fun receiveIf(a: Channel<Int>, b: Channel<Int>, bToo: Boolean) = select<Int> {
    a.onReceive { it }
    if (bToo) b.onReceive { it }
}
// end

// case: receive if there is a value
fun receiveNow(c: Channel<Int>) = c.tryReceive().getOrNull() ?: -1
// end

// case: receive until closed
suspend fun sumOf(c: Channel<Int>): Int {
    var sum = 0
    for (v in c) sum += v
    return sum
}
// end

// case: time limit for a call
suspend fun inTime(n: Int) = withTimeout(50) { work(n) }
// end

// case: time limit for a block, with an alternative
suspend fun orNothing(n: Int) = withTimeoutOrNull(50) { work(n) } ?: -1
// end

// case: children, the first error cancels the rest
suspend fun allOrNone(n: Int) = coroutineScope {
    repeat(n) { i -> launch { work(i) } }
}
// end

// case: children that fail alone
suspend fun countFailures(n: Int): Int {
    var failed = 0
    supervisorScope {
        val handler = CoroutineExceptionHandler { _, _ -> failed++ }
        repeat(n) { i -> launch(handler) { work(i) } }
    }
    return failed
}
// end

// case: map over an array, at most four at once, in order
suspend fun squares(numbers: List<Int>) = coroutineScope {
    val limit = Semaphore(4)
    numbers.map { async { limit.withPermit { work(it) } } }.awaitAll()
}
// end

// case: children, at most four at once
suspend fun limited(n: Int) = coroutineScope {
    val limit = Semaphore(4)
    repeat(n) { i -> launch { limit.withPermit { work(i) } } }
}
// end

// case: start a child and wait until it is ready
suspend fun serve(ready: CompletableDeferred<Int>) {
    delay(5)
    ready.complete(8080)
    delay(1000)
}

suspend fun CoroutineScope.startServer(): Int {
    val ready = CompletableDeferred<Int>()
    launch { serve(ready) }.invokeOnCompletion { ready.completeExceptionally(it ?: Bad(0)) }
    return ready.await()
}
// end

// case: retry with growing delays and jitter
var tries = 0

suspend fun fragile(): Int {
    if (++tries < 4) throw Bad(tries)
    return tries
}

suspend fun keepTrying(): Int {
    var wait = 100L
    repeat(4) {
        try {
            return fragile()
        } catch (e: Bad) {
            delay(wait / 2 + Random.nextLong(wait / 2))
            wait = minOf(2 * wait, 1000)
        }
    }
    return fragile()
}
// end

// case: every 10 ms, missed ones left out
suspend fun tick(n: Int) {
    val t = ticker(10, mode = TickerMode.FIXED_PERIOD)
    repeat(n) { t.receive() }
    t.cancel()
}
// end

// case: cleanup that may wait, also when cancelled
suspend fun withCleanup(log: Channel<Int>) {
    try {
        delay(1000)
    } finally {
        withContext(NonCancellable) {
            delay(5)
            log.send(42)
        }
    }
}
// end

// case: a value that children inherit
class Request(val name: String) : AbstractCoroutineContextElement(Request) {
    companion object Key : CoroutineContext.Key<Request>
}

suspend fun who() = currentCoroutineContext()[Request]!!.name

suspend fun handle(name: String) = withContext(Request(name)) {
    async { who() }.await()
}
// end

// case: no interruption across several waits
var balance = 100
val balanceLock = Mutex()

suspend fun transfer(n: Int) = balanceLock.withLock {
    val old = balance
    delay(1)
    balance = old - n
}
// end

// case: a command with input, output and a time limit
suspend fun sortText(text: String) = withContext(Dispatchers.IO) {
    val p = ProcessBuilder("sort").start()
    try {
        withTimeout(5.seconds) {
            launch { p.outputStream.use { it.write(text.toByteArray()) } }
            runInterruptible { p.inputStream.reader().readText() }
        }
    } finally {
        p.destroyForcibly()
    }
}
// end
