region(R,N,Sum):-sale(R,_,Amount),shop(R,Place),country(Place,"somewhere"),currency("somewhere",/eur),Amount>0.
region(R,N,Sum):-sale(R,_,Amount),shop(R,Place),country(Place,"somewhere")|>do fn:group_by(R),let N=fn:count(),let Sum=fn:sum(Amount).
region(R,N,Sum):-sale(R,_,Amount),shop(R,Place),country(Place,"somewhere"),currency("somewhere",/eur),Amount>0|>do fn:group_by(R),let N=fn:count(),let Sum=fn:sum(Amount),let Most=fn:max(Amount),let All=fn:collect(Amount).
short(R, N) :-
  sale(R, _, _)
  |> do fn:group_by(R),
     let N = fn:count().
suggest("a head that takes a whole line because of the text in it", "and another text") :- !<-[0s,7d] error(X)@[_,S], X != Y.
text(T) :- T = fn:string:concat("Observed ", Url, ": ", Errors, " console errors, ", Failed, " failed requests.").
