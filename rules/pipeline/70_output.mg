# Phase 6: what comes out. What a root lends to a member of its bundle is its own score, at most 80;
# a tool's score is the most that a kept root lends it.

lends(Root, Root, Score) :- contender(Root), root_score(Root, Score).
lends(Root, Other, 80) :- contender(Root), needs(Root, Other), root_score(Root, S), 80 <= S.
lends(Root, Other, S) :- contender(Root), needs(Root, Other), root_score(Root, S), S < 80.

merit(Tool, Score) :- kept(Root), lends(Root, Tool, Score).
final_score(Tool, Score) :- merit(Tool, S) |> do fn:group_by(Tool), let Score = fn:max(S).
final_phase(Tool, Phase) :- kept(Tool), root_phase(Tool, Phase).
final_phase(Tool, "dependency") :- merit(Tool, _), !kept(Tool).
final_selected(Tool, Score, Phase) :- final_score(Tool, Score), final_phase(Tool, Phase).

# Why a relevant tool is missing, for proof hints. What is barred is never named.
excluded(Tool, "dependency", "something it needs is not available") :-
  candidate(Tool, _, _),
  unusable(Tool),
  !barred(Tool).
excluded(Root, "conflict", "what it needs contradicts itself") :- torn(Root).
excluded(Root, "conflict", "a tool that ranks higher serves the same purpose") :- out_1(Root).
excluded(Root, "conflict", "a tool that ranks higher serves the same purpose") :- out_2(Root).
excluded(Root, "conflict", "a tool that ranks higher serves the same purpose") :- out_3(Root).
