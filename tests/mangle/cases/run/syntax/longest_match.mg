# M-LEX-4, M-LEX-6
# whole words are reserved, not beginnings; and two signs are one where they can be
nowish(1). letter(2). dominates(3). bounded(4). optional(5). temporally(6). inclusions(7). descry(8). useful(9).
all(X) :- nowish(X).
all(X) :- letter(X), X<=2.
all(X) :- dominates(X), X>=3.
all(X) :- bounded(X), X!=5.
all(Usefoo) :- optional(Usefoo).
all(Declared) :- temporally(Declared).
all(Packages) :- inclusions(Packages).
all(X):-descry(X).
all(X) :- useful(X).
