# M-TEMP-31 ok
# @[_] in a body is not "at any time"
Decl p(X) temporal. Decl always(X) temporal. Decl perhaps(X) temporal. Decl given(X) temporal.
p(1)@[2024-01-01].
always(1)@[_, _].
perhaps(X)@[S, E] :- p(X)@[S, E].
s(1).
a(X) :- p(X)@[_].
b(X) :- p(X)@[_, _].
c(X) :- given(X)@[_].
d(X) :- s(X), !p(X)@[_].
e(X) :- <-[7d] p(X)@[_, _].
# meant: some clause may make such a fact
f(X) :- always(X)@[_].
g(X) :- perhaps(X)@[_].
# something is known of the time
h(X) :- p(X)@[_, E], :time:lt(E, fn:time:now()).
i(X) :- p(X)@[S, _].
j(X) :- <-[_, _] p(X).
k(X) :- p(X)@[now].
