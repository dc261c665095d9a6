// One program: parsed, analysed without the bounds check, evaluated with a temporal store.
//
// A *repair* takes one known defect of the reference away, from outside, so that whoever compares can
// see whether that defect is what made its result differ:
//
//	order     rows reach reducers in the order of values
//	strata    temporal premises take part in stratification
//	joins     a plain component is evaluated again until nothing is new
//	heads     a temporal component likewise; what lost its interval on the way goes away
//	coalesce  intervals are merged before the first component and after each
//	stored    the plain store of the interpreter tells facts apart by value, too
//	identity  the temporal store tells facts apart by value
package main

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"codeberg.org/TauCeti/mangle-go/analysis"
	"codeberg.org/TauCeti/mangle-go/ast"
	"codeberg.org/TauCeti/mangle-go/engine"
	"codeberg.org/TauCeti/mangle-go/factstore"
	"codeberg.org/TauCeti/mangle-go/parse"
)

const createdFactLimit = 100000

// What users of the Go implementation have: its interpreter reads plain and temporal facts through one
// store.
var mergedStore bool

type run struct {
	info     *analysis.ProgramInfo
	repairs  map[string]bool
	plain    factstore.FactStoreWithRemove
	store    factstore.FactStore // what rules read and fill
	temporal factstore.TemporalFactStore
	now      time.Time
}

func evaluate(req request) ([]string, error) {
	var units []parse.SourceUnit
	for _, text := range req.Units {
		unit, err := parse.Unit(strings.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("parse: %w", err)
		}
		units = append(units, unit)
	}
	info, err := analysis.Analyze(units, map[ast.PredicateSym]ast.Decl{})
	if err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	r := run{info: info, repairs: map[string]bool{}, now: time.Unix(0, req.NowNs).UTC()}
	for _, name := range req.Repairs {
		r.repairs[name] = true
	}
	r.plain = factstore.NewMultiIndexedArrayInMemoryStore()
	if mergedStore && !r.repairs["stored"] {
		r.plain = factstore.NewSimpleInMemoryStore()
	}
	if r.repairs["order"] {
		r.plain = newOrderedStore(r.plain, info.Rules)
	}
	r.temporal = factstore.NewTemporalStore()
	if r.repairs["identity"] || r.repairs["coalesce"] {
		r.temporal = newMergingStore(r.repairs["identity"])
	}
	r.store = r.plain
	if mergedStore {
		adapter := factstore.NewTemporalFactStoreAdapter(r.temporal)
		r.store = factstore.NewMergedStore([]factstore.ReadOnlyFactStore{adapter}, r.plain)
	}
	strata, predToStratum, err := analysis.Stratify(analysis.Program{
		EdbPredicates: info.EdbPredicates, IdbPredicates: info.IdbPredicates, Rules: info.Rules})
	if err != nil {
		return nil, fmt.Errorf("stratify: %w", err)
	}
	if r.stepwise() {
		if r.repairs["strata"] {
			strata = components(info)
		}
		err = r.evaluateStepwise(strata)
	} else {
		err = r.evaluateStrata(info, strata, predToStratum)
	}
	if err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	return r.facts(), nil
}

func (r *run) stepwise() bool {
	return r.repairs["strata"] || r.repairs["joins"] || r.repairs["heads"] || r.repairs["coalesce"]
}

func (r *run) evaluateStrata(info *analysis.ProgramInfo, strata []analysis.Nodeset,
	predToStratum map[ast.PredicateSym]int) error {
	_, err := engine.EvalStratifiedProgramWithStats(info, strata, predToStratum, r.store,
		engine.WithTemporalStore(r.temporal), engine.WithEvaluationTime(r.now),
		engine.WithCreatedFactLimit(createdFactLimit))
	return err
}

// Component after component, so that something can be done between two of them.
func (r *run) evaluateStepwise(strata []analysis.Nodeset) error {
	given, rules := *r.info, *r.info
	rules.InitialFacts, rules.InitialFactTimes = nil, nil
	given.Rules = nil
	if err := r.evaluateStrata(&given, nil, map[ast.PredicateSym]int{}); err != nil {
		return err
	}
	r.coalesce()
	for _, component := range strata {
		only := map[ast.PredicateSym]int{}
		temporal := false
		for pred := range component {
			only[pred] = 0
			temporal = temporal || r.isTemporal(pred)
		}
		again := r.repairs["joins"] && !temporal || r.repairs["heads"] && temporal
		for before := -1; before != r.size(); {
			before = r.size()
			if err := r.evaluateStrata(&rules, []analysis.Nodeset{component}, only); err != nil {
				return err
			}
			if r.repairs["heads"] && temporal {
				r.dropPlain(component)
			}
			if !again {
				break
			}
		}
		r.coalesce()
	}
	return nil
}

func (r *run) size() int {
	return r.plain.EstimateFactCount() + r.temporal.EstimateFactCount()
}

func (r *run) isTemporal(pred ast.PredicateSym) bool {
	decl, ok := r.info.Decls[pred]
	return ok && decl.IsTemporal()
}

func (r *run) dropPlain(component analysis.Nodeset) {
	for pred := range component {
		if !r.isTemporal(pred) {
			continue
		}
		var lost []ast.Atom
		r.plain.GetFacts(ast.NewQuery(pred), func(a ast.Atom) error {
			lost = append(lost, a)
			return nil
		})
		for _, a := range lost {
			r.plain.Remove(a)
		}
	}
}

func (r *run) coalesce() {
	if s, ok := r.temporal.(*mergingStore); ok && r.repairs["coalesce"] {
		s.coalesceAll()
	}
}

// The facts of every predicate that has a rule with a body and is not deferred.
func (r *run) facts() []string {
	lines := []string{}
	for pred := range r.info.IdbPredicates {
		if decl, ok := r.info.Decls[pred]; ok && decl.DeferredPredicate() {
			continue
		}
		r.plain.GetFacts(ast.NewQuery(pred), func(a ast.Atom) error {
			lines = append(lines, atomText(a)+".")
			return nil
		})
		r.temporal.GetAllFacts(ast.NewQuery(pred), func(f factstore.TemporalFact) error {
			lines = append(lines, atomText(f.Atom)+intervalText(f.Interval)+".")
			return nil
		})
	}
	sort.Strings(lines)
	return lines
}
