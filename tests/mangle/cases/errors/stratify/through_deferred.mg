# M-EXT-25 STRATIFY
Decl far(X) descr [mode('+'), deferred()].
far(X) :- !near(X).
near(X) :- place(X), far(X).
place(1).
