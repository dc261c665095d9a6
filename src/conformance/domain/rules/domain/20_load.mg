# Rules that cost something, each only for the intent that asks for it.

product(A, B) :- intent_type(_, "fx.blowup"), fx_seed(A), fx_seed(B).

# A circle that moves its own fact one second onward; only limits stop it.
Decl tick(X) temporal.
tick("x")@[now] :- intent_type(_, "fx.runaway").
tick(X)@[Next] :- tick(X)@[T], Next = fn:time:add(T, fn:duration:parse("1s")).

Decl fx_number(N)
  descr [doc("0 to 999.")]
  bound [/number].

# Looks at size^3 triples and finds nothing. intent.params.size makes it shorter.
given_size(N) :- intent_param(/intent, "size", N).
has_size :- given_size(_).
size(N) :- intent_type(_, "fx.slow"), given_size(N).
size(400) :- intent_type(_, "fx.slow"), !has_size.
counted(N) :- size(Size), fx_number(N), N < Size.
busy(A, B, C) :-
  counted(A),
  counted(B),
  counted(C),
  Sum = fn:plus(A, B),
  Total = fn:plus(Sum, C),
  Total < 0.
