# M-FUN-10, M-FUN-12, M-FUN-15, M-FUN-16, M-FUN-25, M-FUN-35, M-FUN-42, M-FUN-44
r(fn:plus(), fn:mult(), fn:string:concat(), fn:list(), fn:map(), fn:struct()) :- n(_).
f(fn:float:plus(), fn:float:mult()) :- n(_).
n(1).
