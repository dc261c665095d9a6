# Kinds of fault of answers that code waits for all together: one that fails takes those of the others along, be it ever
# so dispensable itself. (What is wrong with the one that fails is said by its own kind.)

# Sent in one go, and waited for at the same line.
asked_beside(Bad, Good) :-
  asked_together(Bad, Url, Line),
  asked_together(Good, Url, Line),
  Bad != Good,
  went_wrong(Bad),
  !is_cancelled(Bad),
  went_well(Good),
  sent_at(Bad, A),
  sent_at(Good, B),
  A <= fn:plus(B, 300),
  B <= fn:plus(A, 300).
# Asked for once more, or one of the others was of use.
asked_later(Bad, Good) :-
  asked_beside(Bad, Good),
  url_of(Good, Url),
  url_of(Other, Url),
  Other != Good,
  sent_at(Good, A),
  sent_at(Other, B),
  A < B.
is_of_use(Bad) :- asked_beside(Bad, Good), values_shown(Good, Shown, _), 0 < Shown.
is_of_use(Bad) :- asked_beside(Bad, Good), asked_later(Bad, Good).
is_of_use(Bad) :- asked_beside(Bad, _), made_good_at(Bad, _).
lost_answer(Bad, Good) :- asked_beside(Bad, Good), values_shown(Good, 0, _), !is_of_use(Bad).
takes_along(Bad) :- lost_answer(Bad, _), !goes_on_without(Bad), !is_tracker(Bad).
lost_answers(Bad, N) :- lost_answer(Bad, Good), takes_along(Bad)
  |> do fn:group_by(Bad), let N = fn:count().
trouble(Bad, 56, Text) :-
  lost_answers(Bad, N),
  request_label(Bad, Label),
  Text = fn:string:concat("nothing is shown of ", N, " answers that were asked for together with ",
                          Label, " and came").
change_at(Bad, Where,
          "wait for each by itself (Promise.allSettled, or a catch of its own): where one fails, Promise.all gives none") :-
  takes_along(Bad),
  asked_together(Bad, Url, Line),
  code_place(Url, Line, Where).
suits_any_kind("wait for each by itself (Promise.allSettled, or a catch of its own): where one fails, Promise.all gives none").
