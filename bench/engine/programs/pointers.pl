:- table points/2, holds/2.
points(V, O) :- new(V, O).
points(V, O) :- assign(V, W), points(W, O).
points(V, O) :- load(V, W), points(W, P), holds(P, O).
holds(P, O) :- store(V, W), points(V, P), points(W, O).
