# M-EVAL-5, M-PRED-11, M-FUN-40: who can help where, by time and skill
helper({/name : "Ada", /days : ["sat", "sun"], /skills : [/saw, /paint]}).
helper({/name : "Bo", /days : ["sat"], /skills : [/paint]}).
helper({/name : "Cy", /days : [], /skills : [/saw]}).
task(/fence, "sat", /saw). task(/door, "sun", /paint). task(/roof, "sat", /slate).
can(N, T) :- helper(P), :match_field(P, /name, N), :match_field(P, /days, D), :match_field(P, /skills, S),
  task(T, Day, Skill), :list:member(Day, D), :filter(fn:list:contains(S, Skill)).
idle(N) :- helper(P), :match_field(P, /name, N), !can(N, _).
nobody(T) :- task(T, _, _), !can(_, T).
team(T, L) :- can(N, T) |> do fn:group_by(T), let L = fn:collect(N).
