// The reference implementation as a judge: one JSON object a line on stdin, {"id", "units",
// "now_ns", "repairs", "timeout_ms"}, one a line on stdout, {"id"} with "facts" (file text, each with its final
// dot) or with "error" (what went wrong, led by the stage: parse, analysis, stratify, eval, panic,
// timeout). A program that takes too long or too much memory ends the process after its answer:
// whoever drives it starts another.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

type request struct {
	ID      json.RawMessage `json:"id"`
	Units   []string        `json:"units"`
	NowNs   int64           `json:"now_ns"`
	Repairs []string        `json:"repairs"`
	Timeout int64           `json:"timeout_ms"`
}

type answer struct {
	ID    json.RawMessage `json:"id"`
	Facts []string        `json:"facts,omitempty"`
	Error string          `json:"error,omitempty"`
}

func guarded(req request) (ans answer) {
	ans.ID = req.ID
	defer func() {
		if p := recover(); p != nil {
			ans.Facts = nil
			ans.Error = fmt.Sprintf("panic: %v", p)
		}
	}()
	facts, err := evaluate(req)
	if err != nil {
		ans.Error = err.Error()
		return ans
	}
	ans.Facts = facts
	return ans
}

// What became of the program, or that it was given up after the timeout or above the heap limit.
func watched(req request, timeout time.Duration, heap uint64) (answer, bool) {
	done := make(chan answer, 1)
	go func() { done <- guarded(req) }()
	expired := time.After(timeout)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case ans := <-done:
			return ans, true
		case <-expired:
			return answer{ID: req.ID, Error: "timeout: " + timeout.String()}, false
		case <-tick.C:
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if m.HeapAlloc > heap {
				return answer{ID: req.ID, Error: "timeout: memory"}, false
			}
		}
	}
}

func main() {
	timeout := flag.Duration("timeout", 10*time.Second, "for one program")
	heap := flag.Uint64("heap", 512<<20, "bytes for one program")
	flag.BoolVar(&mergedStore, "merged", false, "one store over plain and temporal facts, as its interpreter has")
	flag.Parse()
	debug.SetMaxStack(64 << 20)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var req request
		if err := json.Unmarshal(line, &req); err != nil {
			fmt.Fprintln(os.Stderr, "reference: not a request:", err)
			os.Exit(2)
		}
		limit := *timeout
		if req.Timeout > 0 {
			limit = time.Duration(req.Timeout) * time.Millisecond
		}
		ans, ended := watched(req, limit, *heap)
		if err := out.Encode(ans); err != nil || !ended {
			return
		}
	}
}
