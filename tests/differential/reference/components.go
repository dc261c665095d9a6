// Components of the rules with temporal premises counted, in an order that reads what is complete.
package main

import (
	"sort"

	"codeberg.org/TauCeti/mangle-go/analysis"
	"codeberg.org/TauCeti/mangle-go/ast"
)

func readBy(rule ast.Clause) []ast.PredicateSym {
	var preds []ast.PredicateSym
	for _, premise := range rule.Premises {
		switch p := premise.(type) {
		case ast.Atom:
			preds = append(preds, p.Predicate)
		case ast.NegAtom:
			preds = append(preds, p.Atom.Predicate)
		case ast.TemporalLiteral:
			if a, ok := p.Literal.(ast.Atom); ok {
				preds = append(preds, a.Predicate)
			}
		}
	}
	return preds
}

func components(info *analysis.ProgramInfo) []analysis.Nodeset {
	reads := map[ast.PredicateSym]map[ast.PredicateSym]bool{}
	var heads []ast.PredicateSym
	for _, rule := range info.Rules {
		head := rule.Head.Predicate
		if reads[head] == nil {
			reads[head] = map[ast.PredicateSym]bool{}
			heads = append(heads, head)
		}
		for _, pred := range readBy(rule) {
			if _, ok := info.IdbPredicates[pred]; ok {
				reads[head][pred] = true
			}
		}
	}
	reach := map[ast.PredicateSym]map[ast.PredicateSym]bool{}
	for _, head := range heads {
		seen := map[ast.PredicateSym]bool{head: true}
		todo := []ast.PredicateSym{head}
		for len(todo) > 0 {
			pred := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for next := range reads[pred] {
				if !seen[next] {
					seen[next] = true
					todo = append(todo, next)
				}
			}
		}
		reach[head] = seen
	}
	// What reaches more comes later; what is mutually reachable comes together.
	sort.SliceStable(heads, func(i, j int) bool { return len(reach[heads[i]]) < len(reach[heads[j]]) })
	var out []analysis.Nodeset
	placed := map[ast.PredicateSym]bool{}
	for _, head := range heads {
		if placed[head] {
			continue
		}
		set := analysis.Nodeset{}
		for _, other := range heads {
			if other == head || reach[head][other] && reach[other][head] {
				set[other] = struct{}{}
				placed[other] = true
			}
		}
		out = append(out, set)
	}
	return out
}
