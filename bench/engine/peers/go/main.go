// The reference implementation of Mangle as a peer: PROGRAM.mg FOLDER OUT ANSWER RELATION..., through its library, with
// one of its in-memory stores.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"codeberg.org/TauCeti/mangle-go/analysis"
	"codeberg.org/TauCeti/mangle-go/ast"
	"codeberg.org/TauCeti/mangle-go/engine"
	"codeberg.org/TauCeti/mangle-go/factstore"
	"codeberg.org/TauCeti/mangle-go/parse"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func cpu() float64 {
	var use syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &use))
	return time.Duration(use.Utime.Nano() + use.Stime.Nano()).Seconds()
}

func peakKib() string {
	text, err := os.ReadFile("/proc/self/status")
	must(err)
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	return strings.Fields(rest)[0]
}

type stores struct {
	plain    factstore.FactStoreWithRemove
	temporal factstore.TemporalFactStore
}

func load(s stores, folder, signature string) {
	name, types, _ := strings.Cut(signature, ":")
	types, temporal := strings.CutSuffix(types, "@")
	file, err := os.Open(folder + "/" + name + ".tsv")
	must(err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		args := make([]ast.BaseTerm, len(types))
		for i, kind := range types {
			if kind == 's' {
				args[i] = ast.String(fields[i])
				continue
			}
			n, err := strconv.ParseInt(fields[i], 10, 64)
			must(err)
			args[i] = ast.Number(n)
		}
		atom := ast.NewAtom(name, args...)
		if !temporal {
			s.plain.Add(atom)
			continue
		}
		start, err := strconv.ParseInt(fields[len(types)], 10, 64)
		must(err)
		end, err := strconv.ParseInt(fields[len(types)+1], 10, 64)
		must(err)
		_, err = s.temporal.Add(atom, ast.TimeInterval(time.Unix(0, start), time.Unix(0, end)))
		must(err)
	}
	must(lines.Err())
}

func analyse(path string) (*analysis.ProgramInfo, []analysis.Nodeset, map[ast.PredicateSym]int) {
	text, err := os.Open(path)
	must(err)
	unit, err := parse.Unit(text)
	must(err)
	info, err := analysis.Analyze([]parse.SourceUnit{unit}, map[ast.PredicateSym]ast.Decl{})
	must(err)
	strata, of, err := analysis.Stratify(analysis.Program{
		EdbPredicates: info.EdbPredicates, IdbPredicates: info.IdbPredicates, Rules: info.Rules})
	must(err)
	return info, strata, of
}

func write(s stores, path, signature string) {
	name, types, _ := strings.Cut(signature, ":")
	file, err := os.Create(path)
	must(err)
	out := bufio.NewWriter(file)
	query := ast.NewQuery(ast.PredicateSym{Symbol: name, Arity: len(types)})
	must(s.plain.GetFacts(query, func(a ast.Atom) error {
		for i, arg := range a.Args {
			if i > 0 {
				out.WriteByte('\t')
			}
			constant := arg.(ast.Constant)
			if constant.Type == ast.NumberType {
				fmt.Fprint(out, constant.NumValue)
			} else {
				out.WriteString(constant.Symbol)
			}
		}
		return out.WriteByte('\n')
	}))
	must(out.Flush())
	must(file.Close())
}

func main() {
	args := os.Args[1:]
	info, strata, of := analyse(args[0])
	s := stores{factstore.NewMultiIndexedArrayInMemoryStore(), factstore.NewTemporalStore()}
	begun := cpu()
	for _, signature := range args[4:] {
		load(s, args[1], signature)
	}
	loaded := cpu()
	_, err := engine.EvalStratifiedProgramWithStats(info, strata, of, s.plain, engine.WithTemporalStore(s.temporal),
		engine.WithEvaluationTime(time.Unix(0, 1718020800000000000).UTC()))
	must(err)
	fmt.Printf("{\"load\": %.6f, \"eval\": %.6f, \"kib\": %s}\n", loaded-begun, cpu()-loaded, peakKib())
	write(s, args[2], args[3])
}
