# M-DECL-10 ok
Decl a(X) descr [dco("what it is")].
Decl b(X) descr [extenal(), mode('+')].
Decl c(X) descr [privat()].
# others are somebody's own, and ignored
Decl d(X) descr [public(), owner("ann")].
