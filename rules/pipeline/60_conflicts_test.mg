# Conflicts between bundles: mangle test rules
#: load 50_bundles.mg 60_conflicts.mg
Decl candidate(Tool, Class, Score).
Decl unusable(Tool).
Decl tool_requires(Tool, Other).
Decl conflicts_with(Tool, Other).
Decl incompatible(Tool, Other).
Decl tool_rank(Tool, Rank).

#: test without a conflict everything is kept
candidate("a", 1, 100).
candidate("b", 3, 10).
#: expect
kept("a").
kept("b").
#: expect none undecided/1

#: test the better class wins, whatever the score
candidate("a", 1, 10).
candidate("b", 2, 90).
conflicts_with("b", "a").
#: expect
kept("a").
out_1("b").

#: test then the higher score wins
candidate("a", 3, 40).
candidate("b", 3, 41).
incompatible("a", "b").
#: expect
kept("b").

#: test then the rank decides
candidate("a", 3, 40).
candidate("b", 3, 40).
conflicts_with("a", "b").
tool_rank("a", 2).
tool_rank("b", 1).
#: expect
kept("b").

#: test a dependency fights with the rank of the root that needs it
candidate("root", 1, 100).
candidate("b", 2, 90).
tool_requires("root", "part").
conflicts_with("part", "b").
#: expect
kept("root").

#: test a bundle that contradicts itself never competes
candidate("a", 1, 100).
candidate("b", 3, 5).
tool_requires("a", "x").
tool_requires("x", "y").
conflicts_with("x", "y").
conflicts_with("a", "b").
#: expect
kept("b").
torn("a").

#: test who loses against a loser is back in the next round
candidate("a", 3, 90).
candidate("b", 3, 80).
candidate("c", 3, 70).
candidate("d", 3, 60).
candidate("e", 3, 50).
conflicts_with("a", "b").
conflicts_with("b", "c").
conflicts_with("c", "d").
conflicts_with("d", "e").
#: expect
win_1("a").
win_2("c").
win_3("e").
kept("a").
kept("c").
kept("e").

#: test after three rounds the rest is left to the host
candidate("a", 3, 90).
candidate("b", 3, 80).
candidate("c", 3, 70).
candidate("d", 3, 60).
candidate("e", 3, 50).
candidate("f", 3, 40).
candidate("g", 3, 30).
conflicts_with("a", "b").
conflicts_with("b", "c").
conflicts_with("c", "d").
conflicts_with("d", "e").
conflicts_with("e", "f").
conflicts_with("f", "g").
#: expect
kept("a").
kept("c").
kept("e").
undecided("g").

#: test what is unusable is no root
candidate("a", 1, 100).
candidate("b", 3, 5).
unusable("a").
conflicts_with("a", "b").
#: expect
kept("b").
root("b", 3, 5).
#: expect none torn/1

#: test the class of a root is its best, its score its highest
candidate("a", 2, 90).
candidate("a", 3, 100).
candidate("b", 3, 100).
#: expect
root_class("a", 2).
root_class("b", 3).
root_score("a", 100).
root_score("b", 100).
root_phase("a", "skeleton").
root_phase("b", "flesh").
