// Channels in Go: nanoseconds a message, as in language.c.
package main

import (
	"fmt"
	"runtime"
	"time"
)

const n, nPairs = 100000, 100000

func sender(c chan int, n int) {
	for i := 0; i < n; i++ {
		c <- 1
	}
}

func receiver(c chan int, n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += <-c
	}
	return sum
}

func pair(capacity int) int {
	c := make(chan int, capacity)
	go sender(c, n)
	return receiver(c, n)
}

func pingpong() int {
	a, b := make(chan int), make(chan int)
	go func() {
		for i := 0; i < n; i++ {
			b <- <-a
		}
	}()
	sum := 0
	for i := 0; i < n; i++ {
		a <- 1
		sum += <-b
	}
	return sum
}

func pairs() int {
	done := make(chan int, nPairs)
	for i := 0; i < nPairs; i++ {
		c := make(chan int)
		go func() { done <- receiver(c, 1) }()
		go sender(c, 1)
	}
	return receiver(done, nPairs)
}

func best(name string, per float64, want int, work func() int) {
	best := 1e30
	for k := 0; k < 10; k++ {
		start := time.Now()
		if work() != want {
			panic("wrong")
		}
		if t := float64(time.Since(start).Nanoseconds()) / per; t < best {
			best = t
		}
	}
	fmt.Printf("%s %.2f\n", name, best)
}

func main() {
	runtime.GOMAXPROCS(1)
	best("pair0", n, n, func() int { return pair(0) })
	best("pair1", n, n, func() int { return pair(1) })
	best("pair128", n, n, func() int { return pair(128) })
	best("pingpong", 2*n, n, pingpong)
	best("pairs", nPairs, nPairs, pairs)
}
