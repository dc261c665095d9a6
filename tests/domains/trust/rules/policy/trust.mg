Decl approved(What)
  descr [doc("It may go."), privileged()]
  bound [/string].
approved(What) :- looked_at(What).
looked_at(What) :- reviewed(What).

Decl callable(Who)
  descr [privileged()]
  bound [/string].
callable(Who) :- on_duty(Who)@[now].
