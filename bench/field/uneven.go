// Jobs of very different length on one and on two processors: uneven.c, in Go.
package main

import (
	"fmt"
	"runtime"
	"time"
)

const steps, chunks = 40000000, 9

func work(n int, x uint32) uint64 {
	var sum uint64
	for i := 0; i < n; i++ {
		x = x*1664525 + 1013904223
		sum += uint64(x >> 7)
	}
	return sum
}

func length(kind string, i, jobs int) int {
	n := steps / jobs
	if kind == "mixed" {
		return n * int((uint32(i)*2654435761>>16)%21) / 10
	}
	if i%2 == 1 {
		return n / 8
	}
	return n * 15 / 8
}

func jobsOn(kind string, jobs int) uint64 {
	c := make(chan uint64, jobs)
	var sum uint64
	for i := 0; i < jobs; i++ {
		go func(i int) { c <- work(length(kind, i, jobs), uint32(i)) }(i)
	}
	for i := 0; i < jobs; i++ {
		sum += <-c
	}
	return sum
}

func timed(kind string, jobs, processors int, best *float64) uint64 {
	runtime.GOMAXPROCS(processors)
	start := time.Now()
	sum := jobsOn(kind, jobs)
	t := float64(time.Since(start).Nanoseconds()) / 1e6
	if *best == 0 || t < *best {
		*best = t
	}
	return sum
}

func main() {
	for _, k := range []struct {
		kind string
		jobs int
	}{{"few", 8}, {"many", 1000}, {"mixed", 200}} {
		var one, two float64
		for i := 0; i < chunks; i++ {
			if timed(k.kind, k.jobs, 1, &one) != timed(k.kind, k.jobs, 2, &two) {
				panic("sum")
			}
		}
		fmt.Printf("%s_one %.2f\n%s_two %.2f\n", k.kind, one, k.kind, two)
	}
}
