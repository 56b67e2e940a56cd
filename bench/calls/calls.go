// Figure 10 in Go, whose every function can be suspended; nanoseconds for a call, the best of many chunks.
package main

import (
	"fmt"
	"time"
)

const depth = 16

//go:noinline
func leaf(x int32) int32 { return x + 1 }

//go:noinline
func f(d, x int32) int32 {
	if d > 0 {
		return f(d-1, f(d-1, x))
	}
	return leaf(x)
}

func main() {
	best := 1e30
	for k := int32(0); k < 300; k++ {
		start := time.Now()
		if f(depth, k) != k+(1<<depth) {
			panic("wrong")
		}
		if t := float64(time.Since(start).Nanoseconds()); t < best {
			best = t
		}
	}
	fmt.Printf("call %.3f\n", best/(2<<depth-1+(1<<depth)))
}
