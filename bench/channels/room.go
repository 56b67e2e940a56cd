// 10^5 pairs of goroutines that wait for one another, with a channel each: bytes a pair, as in room.c.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

const n = 100000

func resident() (bytes int) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		panic(err)
	}
	var size, pages int
	fmt.Sscan(string(text), &size, &pages)
	return pages * os.Getpagesize()
}

func main() {
	runtime.GOMAXPROCS(1)
	var begun, ended sync.WaitGroup
	received := 0
	begin := make(chan int)
	before := resident()
	begun.Add(2 * n)
	ended.Add(n)
	for i := 0; i < n; i++ {
		c := make(chan int)
		go func() { begun.Done(); c <- <-c + 1 }()
		go func() { begun.Done(); <-begin; c <- 1; received += <-c; ended.Done() }()
	}
	begun.Wait()
	fmt.Printf("bytes %.1f\n", float64(resident()-before)/n)
	close(begin)
	ended.Wait()
	if received != 2*n {
		panic("lost")
	}
}
