

Package   shop !
Use   bar [ doc( "x" ) ] !


p( X,Y ):-q ( X ) , r(Y).   s(1).s(2).

 foo:-bar.
foo  ⟸  bar , .



t ( "last" ) .
