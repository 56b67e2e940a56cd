// Skynet in Go, on one thread; milliseconds.
package main

import (
	"fmt"
	"runtime"
	"time"
)

const leaves = 1000000

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

func main() {
	runtime.GOMAXPROCS(1)
	best := 1e30
	for k := 0; k < 2; k++ {
		c := make(chan uint32)
		start := time.Now()
		go skynet(c, 0, leaves)
		if <-c != uint32(leaves*(leaves-1)/2&0xffffffff) {
			panic("wrong")
		}
		if t := float64(time.Since(start).Nanoseconds()) / 1e6; t < best {
			best = t
		}
	}
	fmt.Printf("skynet %.1f\n", best)
}
