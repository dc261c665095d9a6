# A second ranking beside the one by words: a model of embeddings, which near.py asks. It orders, as the others do, and
# forbids nothing. It is told what was said, and what kinds of things are at hand, but not which: names and numbers mean
# nothing to it.
meant(Text) :- said(Text).
meant(Text) :- intent_param(/intent, "goal", Text).
meant(Kind) :- something_said(), there(Kind).
meaning(All) :- meant(Text) |> do fn:group_by(), let All = fn:collect(Text).

place_points(T, /near, Points) :-
  meaning(All),
  tool_near(All, T, Rank),
  0 < Rank,
  Place = fn:plus(60, Rank),
  Points = fn:div(1000000, Place).
alike(T) :- place_points(T, /near, _).

# Where the model does not answer, words decide alone, and the answer says so.
overview("ranking", Line) :-
  meaning(All),
  tool_near(All, Why, 0),
  Line = fn:string:concat("by words alone: ", Why).
