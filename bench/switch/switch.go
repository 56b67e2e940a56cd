// Two goroutines that yield to each other: nanoseconds for one switch.
package main

import (
	"fmt"
	"runtime"
	"time"
)

const n = 100000

func bouncer(done chan int) {
	for i := 0; i < n; i++ {
		runtime.Gosched()
	}
	done <- n
}

func main() {
	runtime.GOMAXPROCS(1)
	best := 1e30
	for k := 0; k < 20; k++ {
		done := make(chan int, 2)
		start := time.Now()
		go bouncer(done)
		go bouncer(done)
		if <-done+<-done != 2*n {
			panic("wrong")
		}
		if t := float64(time.Since(start).Nanoseconds()) / 2 / n; t < best {
			best = t
		}
	}
	fmt.Printf("switch %.2f\n", best)
}
