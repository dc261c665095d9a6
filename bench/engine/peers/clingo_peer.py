"""clingo's grounder, which evaluates stratified programs. Loading is reading the rows, and the text of the facts that
is made of them; parsing it belongs to it."""
import clingo

import common


def main():
    program, folder, out, answer, relations = common.arguments()
    control = clingo.Control(["--warn=none"])
    begun = common.cpu()
    for signature in relations:
        types = signature[1]
        facts = (f"{signature[0]}({','.join(str(v) if kind == 'i' else chr(34) + v + chr(34) for v, kind in zip(row, types))})."
                 for row in common.rows(folder, signature))
        control.add("base", [], "\n".join(facts))
    loaded = common.cpu()
    control.load(program)
    control.ground([("base", [])])
    common.report(begun, loaded, common.cpu())
    found = control.symbolic_atoms.by_signature(answer[0], len(answer[1]))
    common.write(out, ([a.number if a.type == clingo.SymbolType.Number else a.string for a in atom.symbol.arguments]
                       for atom in found))


main()
