# M-PKG-1, M-PKG-2, M-PKG-3, M-PKG-4, M-PKG-9, M-PKG-10, M-DECL-22
Package shop [owner("ann"), name("other")]!
item(/a/1). item(/a/2).
%%
Package shop!
# item and dear are ours, in this unit or another; :match_prefix and global are not renamed
cheap(X) :- item(X), !dear(X), global(X), X != /c, :match_prefix(X, /a).
dear(/a/2).
# with another number of arguments it is another symbol, which is not ours
two(X) :- item(X), item(X, _).
%%
item(/z, 1). item(/a/1, 2).
global(/a/1). global(/a/2).
%%
Package client!
Use shop!
want(X) :- shop.cheap(X).
# the own package counts as used
self(X) :- client.want(X).
