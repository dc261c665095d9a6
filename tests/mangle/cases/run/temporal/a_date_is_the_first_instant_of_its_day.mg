# M-TEMP-2, M-TEMP-6
Decl p(X) temporal. p(/day)@[2024-01-01, 2024-01-02]. p(/instant)@[2024-01-31].
at("first", fn:time:parse_rfc3339("2024-01-01T00:00:00Z")). at("last", fn:time:parse_rfc3339("2024-01-02T00:00:00Z")).
at("later", fn:time:parse_rfc3339("2024-01-02T00:00:00.000000001Z")). at("point", fn:time:parse_rfc3339("2024-01-31T00:00:00Z")).
at("before", fn:time:parse_rfc3339("2024-01-30T23:59:59.999999999Z")). at("here", fn:time:parse_rfc3339("2024-01-01T00:00:00+01:00")).
r(W, X) :- at(W, T), p(X)@[T].
len(X, D) :- p(X)@[S, F], D = fn:time:sub(F, S).
