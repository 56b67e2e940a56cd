// accept.c with a goroutine for each connection, on one processor and on two, in turns; the clients
// are goroutines as well.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"runtime"
	"sync"
	"time"
)

const clients, steps, rounds = 64, 300000, 15

func job(n uint64) uint64 {
	sum, x := uint64(0), uint32(n)
	for i := uint64(0); i < n; i++ {
		x = x*1664525 + 1013904223
		sum += uint64(x >> 7)
	}
	return sum
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func serve(c net.Conn) {
	var b [8]byte
	_, err := io.ReadFull(c, b[:])
	check(err)
	binary.LittleEndian.PutUint64(b[:], job(binary.LittleEndian.Uint64(b[:])))
	_, err = c.Write(b[:])
	check(err)
	c.Close()
}

func ask(address string) {
	var cs [clients]net.Conn
	var b [8]byte
	var err error
	for i := range cs {
		cs[i], err = net.Dial("tcp", address)
		check(err)
	}
	for i, c := range cs {
		binary.LittleEndian.PutUint64(b[:], steps+uint64(i%7)*(steps/7))
		_, err = c.Write(b[:])
		check(err)
	}
	for _, c := range cs {
		_, err = io.ReadFull(c, b[:])
		check(err)
		c.Close()
	}
}

func round(l net.Listener, processors int) float64 {
	var all sync.WaitGroup
	runtime.GOMAXPROCS(processors)
	start := time.Now()
	all.Add(1)
	go func() {
		ask(l.Addr().String())
		all.Done()
	}()
	for i := 0; i < clients; i++ {
		c, err := l.Accept()
		check(err)
		all.Add(1)
		go func() {
			serve(c)
			all.Done()
		}()
	}
	all.Wait()
	return float64(time.Since(start).Nanoseconds()) / 1e6
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	one, two := 1e30, 1e30
	for k := 0; k < rounds; k++ {
		if t := round(l, 1); t < one {
			one = t
		}
		if t := round(l, 2); t < two {
			two = t
		}
	}
	fmt.Printf("one %.2f\ntwo %.2f\n", one, two)
}
