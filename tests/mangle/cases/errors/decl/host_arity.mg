# M-DECL-2 DECL_ARITY_CONFLICT
Decl reading(X).
Decl sensor(X).
sensor(1).
%% host reading/2 sensor/1
