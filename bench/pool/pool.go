// Goroutines on two processors, as in language.c: trip (go, and its value over a channel), many, pingpong, stream, skynet2; skynet1 on one.
package main

import (
	"fmt"
	"runtime"
	"time"
)

const trips, many, messages, nStream, chunks, leaves = 5000, 10000, 5000, 200000, 7, 1000000

func trip() {
	for i := 0; i < trips; i++ {
		c := make(chan int)
		go func(v int) { c <- v }(i)
		if <-c != i {
			panic("trip")
		}
	}
}

func lots() {
	cs := make([]chan int, many)
	sum := 0
	for i := range cs {
		c := make(chan int, 1)
		cs[i] = c
		go func() { c <- 1 }()
	}
	for _, c := range cs {
		sum += <-c
	}
	if sum != many {
		panic("many")
	}
}

func pingpong() {
	a, b := make(chan int), make(chan int)
	go func() {
		for i := 0; i < messages; i++ {
			b <- <-a
		}
	}()
	for i := 0; i < messages; i++ {
		a <- i
		if <-b != i {
			panic("pingpong")
		}
	}
}

func stream() {
	a, done := make(chan int, 1024), make(chan int)
	go func() {
		sum := 0
		for i := 0; i < nStream; i++ {
			sum += <-a
		}
		done <- sum
	}()
	for i := 0; i < nStream; i++ {
		a <- 1
	}
	if <-done != nStream {
		panic("stream")
	}
}

func skynet(c chan uint32, number, size uint32) {
	if size == 1 {
		c <- number
		return
	}
	rc := make(chan uint32)
	var sum uint32
	for i := uint32(0); i < 10; i++ {
		go skynet(rc, number+i*(size/10), size/10)
	}
	for i := 0; i < 10; i++ {
		sum += <-rc
	}
	c <- sum
}

func trees() {
	c := make(chan uint32)
	go skynet(c, 0, leaves)
	if <-c != uint32(uint64(leaves)*(leaves-1)/2&0xffffffff) {
		panic("skynet")
	}
}

func measure(name string, f func(), per float64) {
	best := 0.0
	for k := 0; k < chunks; k++ {
		start := time.Now()
		f()
		t := float64(time.Since(start).Nanoseconds())
		if best == 0 || t < best {
			best = t
		}
	}
	fmt.Printf("%s %.2f\n", name, best/per)
}

func main() {
	runtime.GOMAXPROCS(2)
	measure("trip", trip, trips)
	measure("many", lots, many)
	measure("pingpong", pingpong, 2*messages)
	measure("stream", stream, nStream)
	measure("skynet2", trees, 1e6)
	runtime.GOMAXPROCS(1)
	measure("skynet1", trees, 1e6)
}
