// There and back between two threads in Go: half of a round trip, as in cross.c.
package main

import (
	"fmt"
	"runtime"
	"time"
)

const n = 5000

func main() {
	runtime.GOMAXPROCS(2)
	best := 1e30
	for k := 0; k < 10; k++ {
		a, b := make(chan int), make(chan int)
		go func() {
			runtime.LockOSThread()
			for i := 0; i < n; i++ {
				b <- <-a
			}
		}()
		runtime.LockOSThread()
		start, sum := time.Now(), 0
		for i := 0; i < n; i++ {
			a <- 1
			sum += <-b
		}
		if sum != n {
			panic("lost")
		}
		if t := float64(time.Since(start).Nanoseconds()) / (2 * n); t < best {
			best = t
		}
		runtime.UnlockOSThread()
	}
	fmt.Printf("chan %.2f\n", best)
}
