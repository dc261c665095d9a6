// The stores that repairs need.
package main

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"codeberg.org/TauCeti/mangle-go/ast"
	"codeberg.org/TauCeti/mangle-go/factstore"
)

// ---- a plain store that returns facts in order ------------------------------------------------

type orderedStore struct {
	factstore.FactStoreWithRemove
	rules []ast.Clause
}

func newOrderedStore(store factstore.FactStoreWithRemove, rules []ast.Clause) *orderedStore {
	return &orderedStore{store, rules}
}

func (s *orderedStore) GetFacts(query ast.Atom, fn func(ast.Atom) error) error {
	var facts []ast.Atom
	s.FactStoreWithRemove.GetFacts(query, func(a ast.Atom) error {
		facts = append(facts, a)
		return nil
	})
	columns := s.columns(query)
	sort.SliceStable(facts, func(i, j int) bool {
		for _, c := range columns {
			a, _ := facts[i].Args[c].(ast.Constant)
			b, _ := facts[j].Args[c].(ast.Constant)
			if order := compare(a, b); order != 0 {
				return order < 0
			}
		}
		return false
	})
	for _, a := range facts {
		if err := fn(a); err != nil {
			return err
		}
	}
	return nil
}

// The columns of a helper relation in the order in which the body that fills it names them.
func (s *orderedStore) columns(query ast.Atom) []int {
	columns := make([]int, len(query.Args))
	for i := range columns {
		columns[i] = i
	}
	if !strings.HasSuffix(query.Predicate.Symbol, ast.InternalPredicateSuffix) {
		return columns
	}
	for _, rule := range s.rules {
		if !strings.HasPrefix(query.Predicate.Symbol, rule.Head.Predicate.Symbol) {
			continue
		}
		places := map[string]int{}
		for _, premise := range rule.Premises {
			named(premise, places)
		}
		matching := true
		for _, arg := range query.Args {
			_, ok := places[arg.String()]
			matching = matching && ok
		}
		if matching {
			sort.Slice(columns, func(i, j int) bool {
				return places[query.Args[columns[i]].String()] < places[query.Args[columns[j]].String()]
			})
			return columns
		}
	}
	return columns
}

func named(term ast.Term, places map[string]int) {
	visit := func(args []ast.BaseTerm) {
		for _, arg := range args {
			named(arg, places)
		}
	}
	switch t := term.(type) {
	case ast.Variable:
		if _, seen := places[t.Symbol]; !seen && t.Symbol != "_" {
			places[t.Symbol] = len(places)
		}
	case ast.Atom:
		visit(t.Args)
	case ast.ApplyFn:
		visit(t.Args)
	case ast.NegAtom:
		visit(t.Atom.Args)
	case ast.Eq:
		visit([]ast.BaseTerm{t.Left, t.Right})
	case ast.Ineq:
		visit([]ast.BaseTerm{t.Left, t.Right})
	}
}

// ---- the order of values ------------------------------------------------------------------------

func sign(less, more bool) int {
	if less {
		return -1
	}
	if more {
		return 1
	}
	return 0
}

// A key that orders floats as their bits mean it.
func floatKey(bits int64) uint64 {
	if bits < 0 {
		return ^uint64(bits)
	}
	return uint64(bits) | 1<<63
}

func elements(c ast.Constant) []ast.Constant {
	var list []ast.Constant
	nothing := func() error { return nil }
	entry := func(k, v ast.Constant) error {
		list = append(list, ast.Pair(&k, &v))
		return nil
	}
	switch c.Type {
	case ast.PairShape:
		first, second, _ := c.PairValue()
		return []ast.Constant{first, second}
	case ast.ListShape:
		c.ListValues(func(e ast.Constant) error {
			list = append(list, e)
			return nil
		}, nothing)
		return list
	case ast.MapShape:
		c.MapValues(entry, nothing)
	case ast.StructShape:
		c.StructValues(entry, nothing)
	}
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
	return list
}

func compare(a, b ast.Constant) int {
	if a.Type != b.Type {
		return sign(a.Type < b.Type, true)
	}
	switch a.Type {
	case ast.NameType, ast.StringType, ast.BytesType:
		return strings.Compare(a.Symbol, b.Symbol)
	case ast.Float64Type:
		return sign(floatKey(a.NumValue) < floatKey(b.NumValue), floatKey(a.NumValue) > floatKey(b.NumValue))
	case ast.NumberType, ast.TimeType, ast.DurationType:
		return sign(a.NumValue < b.NumValue, a.NumValue > b.NumValue)
	}
	left, right := elements(a), elements(b)
	for i := 0; i < len(left) && i < len(right); i++ {
		if order := compare(left[i], right[i]); order != 0 {
			return order
		}
	}
	return sign(len(left) < len(right), len(left) > len(right))
}

// ---- a temporal store that can know facts by value and merge their intervals ----------------------

type timedFact struct {
	atom      ast.Atom
	intervals []ast.Interval
}

type mergingStore struct {
	facts   map[ast.PredicateSym]map[string]*timedFact
	count   int
	byValue bool // not by hash
}

func newMergingStore(byValue bool) *mergingStore {
	return &mergingStore{facts: map[ast.PredicateSym]map[string]*timedFact{}, byValue: byValue}
}

func (s *mergingStore) Add(atom ast.Atom, interval ast.Interval) (bool, error) {
	if factstore.GetStartTime(interval) > factstore.GetEndTime(interval) {
		// The reference's own store says what it thinks of that.
		return factstore.NewTemporalStore().Add(atom, interval)
	}
	facts, ok := s.facts[atom.Predicate]
	if !ok {
		facts = map[string]*timedFact{}
		s.facts[atom.Predicate] = facts
	}
	key := fmt.Sprint(atom.Hash())
	if s.byValue {
		key = atomText(atom)
	}
	fact, ok := facts[key]
	if !ok {
		fact = &timedFact{atom: atom}
		facts[key] = fact
	}
	fact.atom = atom // of those with one hash the last, as the library's store has it
	for _, known := range fact.intervals {
		if known.Equals(interval) {
			return false, nil
		}
	}
	fact.intervals = append(fact.intervals, interval)
	s.count++
	return true, nil
}

func (s *mergingStore) AddEternal(atom ast.Atom) (bool, error) {
	return s.Add(atom, ast.EternalInterval())
}

func (s *mergingStore) GetAllFacts(query ast.Atom, fn func(factstore.TemporalFact) error) error {
	for _, fact := range s.facts[query.Predicate] {
		if !factstore.Matches(query.Args, fact.atom.Args) {
			continue
		}
		for _, interval := range fact.intervals {
			if err := fn(factstore.TemporalFact{Atom: fact.atom, Interval: interval}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *mergingStore) GetFactsDuring(query ast.Atom, within ast.Interval,
	fn func(factstore.TemporalFact) error) error {
	low, high := factstore.GetStartTime(within), factstore.GetEndTime(within)
	return s.GetAllFacts(query, func(f factstore.TemporalFact) error {
		if factstore.GetStartTime(f.Interval) <= high && low <= factstore.GetEndTime(f.Interval) {
			return fn(f)
		}
		return nil
	})
}

func (s *mergingStore) GetFactsAt(query ast.Atom, t time.Time, fn func(factstore.TemporalFact) error) error {
	return s.GetFactsDuring(query, ast.NewPointInterval(t), fn)
}

func (s *mergingStore) ContainsAt(atom ast.Atom, t time.Time) bool {
	found := false
	s.GetFactsAt(atom, t, func(factstore.TemporalFact) error {
		found = true
		return nil
	})
	return found
}

func (s *mergingStore) ListPredicates() []ast.PredicateSym {
	var preds []ast.PredicateSym
	for pred := range s.facts {
		preds = append(preds, pred)
	}
	return preds
}

func (s *mergingStore) EstimateFactCount() int { return s.count }

func (s *mergingStore) Merge(other factstore.ReadOnlyTemporalFactStore) error {
	for _, pred := range other.ListPredicates() {
		err := other.GetAllFacts(ast.NewQuery(pred), func(f factstore.TemporalFact) error {
			_, err := s.Add(f.Atom, f.Interval)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *mergingStore) Coalesce(pred ast.PredicateSym) error {
	for _, fact := range s.facts[pred] {
		s.count -= len(fact.intervals)
		fact.intervals = merged(fact.intervals)
		s.count += len(fact.intervals)
	}
	return nil
}

func (s *mergingStore) coalesceAll() {
	for pred := range s.facts {
		s.Coalesce(pred)
	}
}

// Overlapping, touching and adjacent intervals made one; infinite ends take part.
func merged(intervals []ast.Interval) []ast.Interval {
	sort.SliceStable(intervals, func(i, j int) bool {
		return factstore.GetStartTime(intervals[i]) < factstore.GetStartTime(intervals[j])
	})
	var out []ast.Interval
	for _, next := range intervals {
		if len(out) > 0 {
			last := &out[len(out)-1]
			end, start := factstore.GetEndTime(*last), factstore.GetStartTime(next)
			if start <= end || start-1 == end {
				if factstore.GetEndTime(next) > end {
					last.End = next.End
				}
				continue
			}
		}
		out = append(out, next)
	}
	return out
}
