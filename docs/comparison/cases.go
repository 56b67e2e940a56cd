// The cases of docs/comparison.md in Go 1.19, with golang.org/x/sync and golang.org/x/time where they
// are the usual answer.
package comparison

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

func work(ctx context.Context, n int) (int, error) {
	select {
	case <-time.After(time.Duration(n) * time.Millisecond):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if n == 13 {
		return 0, fmt.Errorf("bad %d", n)
	}
	return n * n, nil
}

// case: select with a time limit
func receiveEither(a, b chan int) int {
	select {
	case v := <-a:
		return v
	case v := <-b:
		return -v
	case <-time.After(100 * time.Millisecond):
		return 0
	}
}

// end

// case: select over an array
func receiveAny(cs []chan int) int {
	cases := make([]reflect.SelectCase, len(cs))
	for i, c := range cs {
		cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}
	}
	_, v, _ := reflect.Select(cases)
	return int(v.Int())
}

// end

// case: select with a condition
func receiveIf(a, b chan int, bToo bool) int {
	if !bToo {
		b = nil
	}
	select {
	case v := <-a:
		return v
	case v := <-b:
		return v
	}
}

// end

// case: receive if there is a value
func receiveNow(c chan int) int {
	select {
	case v := <-c:
		return v
	default:
		return -1
	}
}

// end

// case: receive until closed
func sumOf(c chan int) (sum int) {
	for v := range c {
		sum += v
	}
	return
}

// end

// case: time limit for a call
func inTime(ctx context.Context, n int) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	return work(ctx, n)
}

// end

// case: time limit for a block, with an alternative
func orNothing(parent context.Context, n int) (int, error) {
	ctx, cancel := context.WithTimeout(parent, 50*time.Millisecond)
	defer cancel()
	v, err := work(ctx, n)
	if err != nil && ctx.Err() == context.DeadlineExceeded && parent.Err() == nil {
		return -1, nil
	}
	return v, err
}

// end

// case: children, the first error cancels the rest
func allOrNone(ctx context.Context, n int) error {
	g, ctx := errgroup.WithContext(ctx)
	for i := 0; i < n; i++ {
		i := i
		g.Go(func() error { _, err := work(ctx, i); return err })
	}
	return g.Wait()
}

// end

// case: children that fail alone
func countFailures(ctx context.Context, n int) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	failed := 0
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			if _, err := work(ctx, i); err != nil {
				mu.Lock()
				failed++
				mu.Unlock()
			}
		}(i)
	}
	wg.Wait()
	return failed
}

// end

// case: map over an array, at most four at once, in order
func squares(ctx context.Context, in []int) ([]int, error) {
	out := make([]int, len(in))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for i, n := range in {
		i, n := i, n
		g.Go(func() (err error) { out[i], err = work(ctx, n); return })
	}
	return out, g.Wait()
}

// end

// case: children, at most four at once
func limited(ctx context.Context, n int) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for i := 0; i < n; i++ {
		i := i
		g.Go(func() error { _, err := work(ctx, i); return err })
	}
	return g.Wait()
}

// end

// case: start a child and wait until it is ready
func serve(ctx context.Context, ready chan<- int) error {
	time.Sleep(5 * time.Millisecond)
	ready <- 8080
	<-ctx.Done()
	return ctx.Err()
}

func startServer(ctx context.Context) (int, error) {
	ready, failed := make(chan int, 1), make(chan error, 1)
	go func() { failed <- serve(ctx, ready) }()
	select {
	case port := <-ready:
		return port, nil
	case err := <-failed:
		return 0, err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// end

// case: retry with growing delays and jitter
var tries int

func fragile() (int, error) {
	if tries++; tries < 4 {
		return 0, fmt.Errorf("bad %d", tries)
	}
	return tries, nil
}

func keepTrying(ctx context.Context) (n int, err error) {
	delay := 100 * time.Millisecond
	for i := 0; i < 5; i++ {
		if n, err = fragile(); err == nil {
			return n, nil
		}
		select {
		case <-time.After(delay/2 + time.Duration(rand.Int63n(int64(delay/2)))):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		if delay *= 2; delay > time.Second {
			delay = time.Second
		}
	}
	return 0, err
}

// end

// case: every 10 ms, missed ones left out
func tick(n int) {
	t := time.NewTicker(10 * time.Millisecond)
	defer t.Stop()
	for ; n > 0; n-- {
		<-t.C
	}
}

// end

// case: ten a second, bursts of five
func limitedRate(ctx context.Context, n int) error {
	l := rate.NewLimiter(10, 5)
	for ; n > 0; n-- {
		if err := l.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// end

// case: cleanup that may wait, also when cancelled
func withCleanup(ctx context.Context, log chan<- int) error {
	defer func() {
		time.Sleep(5 * time.Millisecond)
		log <- 42
	}()
	select {
	case <-time.After(time.Second):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end

// case: a value that children inherit
type requestKey struct{}

func who(ctx context.Context) string { return ctx.Value(requestKey{}).(string) }

func handle(ctx context.Context, name string) string {
	ctx = context.WithValue(ctx, requestKey{}, name)
	result := make(chan string, 1)
	go func() { result <- who(ctx) }()
	return <-result
}

// end

// case: no interruption across several waits
var balance = 100
var balanceLock sync.Mutex

func transfer(n int) {
	balanceLock.Lock()
	defer balanceLock.Unlock()
	old := balance
	time.Sleep(time.Millisecond)
	balance = old - n
}

// end

// case: lines, then counted bytes, from one connection
func headAndBody(c net.Conn, body []byte) (int, error) {
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadString('\n')
		if err != nil || line == "\n" {
			break
		}
		fmt.Print(line)
	}
	return io.ReadFull(r, body)
}

// end

// case: a command with input, output and a time limit
func sortText(ctx context.Context, text string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sort")
	cmd.Stdin = strings.NewReader(text)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	return out.String(), err
}

// end
