# Phase 4: conflicts are fought between whole bundles, so a dependency fights with the rank of the
# root that needs it. The winner is chosen by class, then score, then tool_rank, a total order.
#
# The greedy choice along that order cannot be written with stratified negation in general, so it is
# unrolled: contenders that nobody better opposes win, their rivals are out, the rest meet again.
# What three rounds leave over is undecided; the host finishes the same loop over rivals and
# outranks before anything is shown.

clash(A, B) :- conflicts_with(A, B), A != B.
clash(B, A) :- conflicts_with(A, B), A != B.
clash(A, B) :- incompatible(A, B), A != B.
clash(B, A) :- incompatible(A, B), A != B.

# A bundle that contradicts itself never competes.
torn(Root) :- clash(X, Y), bundle(Root, X), bundle(Root, Y).
contender(Root) :- root_score(Root, _), !torn(Root).

rivals(R, Q) :- clash(X, Y), bundle(R, X), bundle(Q, Y), R != Q, contender(R), contender(Q).
outranks(R, Q) :- rivals(R, Q), root_class(R, CR), root_class(Q, CQ), CR < CQ.
outranks(R, Q) :-
  rivals(R, Q),
  root_class(R, C),
  root_class(Q, C),
  root_score(R, SR),
  root_score(Q, SQ),
  SQ < SR.
outranks(R, Q) :-
  rivals(R, Q),
  root_class(R, C),
  root_class(Q, C),
  root_score(R, S),
  root_score(Q, S),
  tool_rank(R, NR),
  tool_rank(Q, NQ),
  NR < NQ.

beaten_1(R) :- outranks(_, R).
win_1(R) :- contender(R), !beaten_1(R).
out_1(R) :- win_1(W), rivals(W, R).

live_2(R) :- contender(R), !win_1(R), !out_1(R).
beaten_2(R) :- live_2(R), outranks(W, R), live_2(W).
win_2(R) :- live_2(R), !beaten_2(R).
out_2(R) :- win_2(W), rivals(W, R).

live_3(R) :- live_2(R), !win_2(R), !out_2(R).
beaten_3(R) :- live_3(R), outranks(W, R), live_3(W).
win_3(R) :- live_3(R), !beaten_3(R).
out_3(R) :- win_3(W), rivals(W, R).

undecided(R) :- live_3(R), !win_3(R), !out_3(R).
kept(R) :- win_1(R).
kept(R) :- win_2(R).
kept(R) :- win_3(R).
