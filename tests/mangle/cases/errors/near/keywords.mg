# M-SYN-12, M-ANA-80 SYNTAX
decl p(X).
declare q(X).
Decl r(X) temporl.
Decl s(X) Temporal.
Decl t(X) desc [doc("x")].
Decl u(X) bounds [/string].
Decl v(X) inclusions [t(X)].
package a!
use b!
import c.
