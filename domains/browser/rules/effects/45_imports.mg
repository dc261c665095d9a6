# Kinds of fault of modules.

# Two modules need each other: the one that is run first finds the other's names not yet made.
before_made(E) :- error_text(E, Text), :string:contains(Text, "before initialization").
starts_circle(Url) :- before_made(E), stack(E, 0, _, Url, _).
circle_of(E, Url, Other) :-
  before_made(E),
  stack(E, 0, _, Url, _),
  imports(Url, Other),
  in_circle(Url, Other).
in_circle(Url, Other) :- comes_back(Other, Url).
comes_back(Other, Url) :- starts_circle(Url), imports(Url, Other), imports(Other, Url).
comes_back(Other, Url) :-
  starts_circle(Url),
  imports(Url, Other),
  imports(Other, Next),
  imports(Next, Url).
circle_text(E, Text) :-
  circle_of(E, Url, Other),
  bare_url(Url, A),
  bare_url(Other, B),
  place_of(E, Where),
  error_about_name(E, Name),
  T = fn:string:concat(A, " and ", B, " import each other: ", Where, " uses ", Name,
                       " before the other has made it")
  |> do fn:group_by(E), let Text = fn:pick_any(T).
bare_url(Url, Short) :-
  imports(Url, _),
  page_origin(Origin),
  :string:starts_with(Url, Origin),
  Short = fn:string:replace(Url, Origin, "", 1).
is_in_circle(E) :- circle_of(E, _, _).
suspect(E, "circular_import", Text) :- circle_text(E, Text).

repair("circular_import", "code",
       "use the other module's names later, or end the circle of imports").
check("circular_import", "the module is run without that error").
