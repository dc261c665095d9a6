# Phase 5, moved ahead of the conflicts: what is still in the game is a root, with one class (the
# best) and one score (the highest); a root and everything it needs is a bundle, which comes or
# goes as a whole.

root(Tool, Class, Score) :- candidate(Tool, Class, Score), !unusable(Tool).
root_class(Tool, Class) :- root(Tool, C, _) |> do fn:group_by(Tool), let Class = fn:min(C).
root_score(Tool, Score) :- root(Tool, _, S) |> do fn:group_by(Tool), let Score = fn:max(S).

root_phase(Tool, "skeleton") :- root_class(Tool, Class), Class < 3.
root_phase(Tool, "flesh") :- root_class(Tool, Class), 3 <= Class.

needs(Tool, Other) :- tool_requires(Tool, Other).
needs(Tool, Other) :- tool_requires(Tool, Middle), needs(Middle, Other).
bundle(Root, Root) :- root_score(Root, _).
bundle(Root, Member) :- root_score(Root, _), needs(Root, Member).
