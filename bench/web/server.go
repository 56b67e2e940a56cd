// server.go: the same by Go's net/http. server.go DIRECTORY
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	file, err := os.ReadFile(filepath.Join(os.Args[1], "100k.bin"))
	if err != nil {
		panic(err)
	}
	answer := func(path, kind string, body []byte) {
		http.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			w.Write(body)
		})
	}
	answer("/hello", "text/plain; charset=utf-8", []byte("Hello, world\n"))
	answer("/100k.bin", "application/octet-stream", file)
	panic(http.Serve(listener, nil))
}
