// Values as file text, in the form that `mangle run` prints.
package main

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"codeberg.org/TauCeti/mangle-go/ast"
)

func quoted(s string, bytes bool) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if bytes {
			r, n = rune(s[i]), 1
		}
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '"' || r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f || (bytes && r >= 0x80):
			fmt.Fprintf(&b, `\x%02x`, r)
		case r >= 0x80:
			fmt.Fprintf(&b, `\u{%06x}`, r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	b.WriteByte('"')
	return b.String()
}

// What stands for a value without file text.
const noText = "fn:no:text()"

func floatText(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return noText
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

func timeText(ns int64) string {
	return time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
}

type entry struct {
	hash       uint64
	key, value string
}

// Entries by descending hash of the key, then by its text; one key may come twice.
func entriesText(entries []entry, open, shut, none string) string {
	if len(entries) == 0 {
		return none
	}
	sort.Slice(entries, func(i, j int) bool {
		a, b := entries[i], entries[j]
		if a.hash != b.hash {
			return a.hash > b.hash
		}
		return a.key+" "+a.value < b.key+" "+b.value
	})
	parts := make([]string, len(entries))
	for i, e := range entries {
		parts[i] = e.key + " : " + e.value
	}
	return open + strings.Join(parts, ", ") + shut
}

func valueText(c ast.Constant) string {
	nothing := func() error { return nil }
	var entries []entry
	collect := func(k, v ast.Constant) error {
		entries = append(entries, entry{k.Hash(), valueText(k), valueText(v)})
		return nil
	}
	switch c.Type {
	case ast.StringType:
		return quoted(c.Symbol, false)
	case ast.BytesType:
		return "b" + quoted(c.Symbol, true)
	case ast.NumberType:
		return strconv.FormatInt(c.NumValue, 10)
	case ast.Float64Type:
		return floatText(math.Float64frombits(uint64(c.NumValue)))
	case ast.TimeType:
		return `fn:time:parse_rfc3339("` + timeText(c.NumValue) + `")`
	case ast.DurationType:
		return `fn:duration:parse("` + time.Duration(c.NumValue).String() + `")`
	case ast.PairShape:
		first, second, _ := c.PairValue()
		return "fn:pair(" + valueText(first) + ", " + valueText(second) + ")"
	case ast.ListShape:
		var parts []string
		c.ListValues(func(e ast.Constant) error {
			parts = append(parts, valueText(e))
			return nil
		}, nothing)
		return "[" + strings.Join(parts, ", ") + "]"
	case ast.MapShape:
		c.MapValues(collect, nothing)
		return entriesText(entries, "[", "]", "fn:map()")
	case ast.StructShape:
		c.StructValues(collect, nothing)
		return entriesText(entries, "{", "}", "{}")
	}
	return c.Symbol
}

func atomText(a ast.Atom) string {
	parts := make([]string, len(a.Args))
	for i, arg := range a.Args {
		if c, ok := arg.(ast.Constant); ok {
			parts[i] = valueText(c)
		} else {
			parts[i] = arg.String()
		}
	}
	return a.Predicate.Symbol + "(" + strings.Join(parts, ",") + ")"
}

func boundText(b ast.TemporalBound) string {
	switch b.Type {
	case ast.TimestampBound:
		return timeText(b.Timestamp)
	case ast.NegativeInfinityBound, ast.PositiveInfinityBound:
		return "_"
	}
	return b.String()
}

func intervalText(i ast.Interval) string {
	if i.Start.Type == ast.TimestampBound && i.Start.Equals(i.End) {
		return "@[" + boundText(i.Start) + "]"
	}
	return "@[" + boundText(i.Start) + ", " + boundText(i.End) + "]"
}
