// The same in Go, on one processor, with the standard library alone: a semaphore by weight and a
// rate limiter are a few lines each, and a map with a limit is a channel of places.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

const (
	N       = 20000
	HEARERS = 8
	TIMERS  = 1000
)

var sum int

type weighted struct {
	mu   sync.Mutex
	cond *sync.Cond
	n    int
}

func (w *weighted) acquire(n int) {
	w.mu.Lock()
	for w.n < n {
		w.cond.Wait()
	}
	w.n -= n
	w.mu.Unlock()
}

func (w *weighted) release(n int) {
	w.mu.Lock()
	w.n += n
	w.cond.Broadcast()
	w.mu.Unlock()
}

func permits() {
	w := &weighted{n: 3}
	w.cond = sync.NewCond(&w.mu)
	var wg sync.WaitGroup
	for k := 0; k < 2; k++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < N/2; i++ {
				w.acquire(2)
				runtime.Gosched()
				w.release(2)
			}
		}()
	}
	wg.Wait()
}

func broadcast() {
	var all [HEARERS]chan int
	var wg sync.WaitGroup
	for i := range all {
		c := make(chan int, 16)
		all[i] = c
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range c {
				sum += v
			}
		}()
	}
	for i := 0; i < N/HEARERS; i++ {
		for _, c := range all {
			c <- 1
		}
	}
	for _, c := range all {
		close(c)
	}
	wg.Wait()
}

func latest() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	value := 0
	done := make(chan bool)
	go func() {
		mu.Lock()
		for seen := 0; seen < N; sum++ {
			for value == seen {
				cond.Wait()
			}
			seen = value
		}
		mu.Unlock()
		done <- true
	}()
	for i := 1; i <= N; i++ {
		mu.Lock()
		value = i
		cond.Broadcast()
		mu.Unlock()
		runtime.Gosched()
	}
	<-done
}

func oneshot() {
	for i := 0; i < N; i++ {
		set, done := make(chan bool), make(chan bool)
		go func() {
			<-set
			sum++
			done <- true
		}()
		close(set)
		<-done
	}
}

func group() {
	places := make(chan bool, 4)
	var wg sync.WaitGroup
	for i := 0; i < N; i++ {
		places <- true
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			sum += i
			<-places
		}(i)
	}
	wg.Wait()
}

func mapped() {
	in, out := make([]int, N), make([]int, N)
	next := make(chan int)
	var wg sync.WaitGroup
	for k := 0; k < 4; k++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				out[i] = in[i]
			}
		}()
	}
	for i := range in {
		next <- i
	}
	close(next)
	wg.Wait()
}

type key struct{}

func local() {
	ctx := context.WithValue(context.Background(), key{}, 1)
	for i := 0; i < N; i++ {
		sum += ctx.Value(key{}).(int)
	}
}

type question struct {
	n      int
	answer chan int
}

func ask() {
	c := make(chan question)
	go func() {
		for q := range c {
			q.answer <- q.n
		}
	}()
	for i := 0; i < N; i++ {
		q := question{1, make(chan int, 1)}
		c <- q
		sum += <-q.answer
	}
	close(c)
}

func condfor() {
	c := make(chan bool)
	done := make(chan bool)
	go func() {
		t := time.NewTimer(time.Hour)
		for i := 0; i < N; i++ {
			t.Reset(10 * time.Second)
			select {
			case <-c:
				sum++
			case <-t.C:
			}
			t.Stop()
		}
		done <- true
	}()
	for i := 0; i < N; i++ {
		c <- true
	}
	<-done
}

func tick() {
	var wg sync.WaitGroup
	for k := 0; k < TIMERS; k++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			t := time.NewTicker(time.Millisecond)
			for i := 0; i < N/TIMERS; i++ {
				<-t.C
			}
			t.Stop()
		}()
	}
	wg.Wait()
}

func restart() {
	for lives, again := 0, true; again; {
		done := make(chan bool)
		go func() {
			defer func() { done <- recover() != nil }()
			if lives < N {
				lives++
				panic(lives)
			}
		}()
		again = <-done
	}
}

func end() {
	for i := 0; i < N; i++ {
		done := make(chan bool)
		go func(i int) {
			sum += i
			close(done)
		}(i)
		<-done
	}
}

func wall() float64 { return float64(time.Now().UnixNano()) }

func processor() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano() + u.Stime.Nano())
}

func main() {
	runtime.GOMAXPROCS(1)
	chunks := 40
	if os.Getenv("BENCH_MOMENT") != "" {
		chunks = 1
	}
	questions := []struct {
		name  string
		run   func()
		clock func() float64
	}{{"permits", permits, wall}, {"broadcast", broadcast, wall}, {"latest", latest, wall},
		{"oneshot", oneshot, wall}, {"group", group, wall}, {"map", mapped, wall},
		{"local", local, wall}, {"ask", ask, wall}, {"condfor", condfor, wall},
		{"tick", tick, processor}, {"restart", restart, wall}, {"end", end, wall}}
	for _, q := range questions {
		best := 0.0
		for i := 0; i < chunks; i++ {
			then := q.clock()
			q.run()
			each := (q.clock() - then) / N
			if best == 0 || each < best {
				best = each
			}
		}
		fmt.Printf("%s %.2f\n", q.name, best)
	}
}
