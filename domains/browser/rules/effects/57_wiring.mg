# Code that listens to what is not there. Names nearly alike and elements that come later are 50_silent.mg's; here: a click
# that nobody hears, where the page's code looked but once for something in vain.

searched_in_vain(Q) :-
  element_missing(Q, _)@[T, _],
  has_own_frame(Q),
  !looked_for(Q, _),
  !too_early(Q).
vain_count(N) :- searched_in_vain(Q) |> do fn:group_by(), let N = fn:count().
only_vain(I, Q) :-
  unheard(I, _),
  !has_meant(I),
  vain_count(1),
  searched_in_vain(Q),
  node_at(Q, A),
  node_at(I, B),
  A <= B.
suspect(Q, "missing_element", Text) :-
  only_vain(_, Q),
  element_missing(Q, Selector)@[T, _],
  place_of(Q, Where),
  Text = fn:string:concat(Where, " looks for ", Selector, ", which is not there").
causes(I, Q, "the only thing that code looked for in vain, and nobody hears the click") :-
  only_vain(I, Q).
