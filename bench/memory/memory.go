// 10^6 goroutines that wait for a channel to be closed: bytes for each.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

const n = 1000000

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
	gate := make(chan int)
	before := resident()
	begun.Add(n)
	ended.Add(n)
	for i := 0; i < n; i++ {
		go func() { begun.Done(); <-gate; ended.Done() }()
	}
	begun.Wait()
	fmt.Printf("idle %.1f\n", float64(resident()-before)/n)
	close(gate)
	ended.Wait()
}
