// Goroutines, each of which sends one value: one at a time, and 10^5 started, then received from; nanoseconds for one.
package main

import (
	"fmt"
	"runtime"
	"time"
)

const n = 100000

func one(c chan int, v int) { c <- v }

func inTurn() (s int) {
	c := make(chan int)
	for i := 0; i < n; i++ {
		go one(c, 1)
		s += <-c
	}
	return
}

func many() (s int) {
	c := make(chan int, n)
	for i := 0; i < n; i++ {
		go one(c, 1)
	}
	for i := 0; i < n; i++ {
		s += <-c
	}
	return
}

func best(f func() int) float64 {
	min := 1e30
	for k := 0; k < 10; k++ {
		start := time.Now()
		if f() != n {
			panic("wrong")
		}
		if t := float64(time.Since(start).Nanoseconds()) / n; t < min {
			min = t
		}
	}
	return min
}

func main() {
	runtime.GOMAXPROCS(1)
	fmt.Printf("spawn %.2f\nmany %.2f\n", best(inTurn), best(many))
}
