Decl new(V, O).
Decl assign(V, W).
Decl load(V, W).
Decl store(V, W).

points(V, O) :- new(V, O).
points(V, O) :- assign(V, W), points(W, O).
points(V, O) :- load(V, W), points(W, P), holds(P, O).
holds(P, O) :- store(V, W), points(V, P), points(W, O).
