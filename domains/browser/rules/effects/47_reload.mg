# A kind of fault of forms: code was to send it, and the browser did so itself, so that the page is loaded anew with the
# fields in its address and nothing is saved.

Decl sent_by_browser(I, Form, N)
  descr [doc("The browser sent the form of this page to the page itself, which was loaded anew.")]
  bound [/string, /string, /string].
sent_by_browser(I, Form, N) :-
  submitted(I, Form, _, Action, "false"),
  node_at(I, A),
  navigation(N, Url, "form")@[T, _],
  ms(T, B),
  A <= fn:plus(B, 20),
  B <= fn:plus(A, 2000),
  is_address_with_fields(Url, Action).
Decl is_address_with_fields(Url, Action)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
is_address_with_fields(Url, Action) :- Url = Action.
is_address_with_fields(Url, Action) :-
  Start = fn:string:concat(Action, "?"),
  :string:starts_with(Url, Start).

# ---- code was to send it -----------------------------------------------------------------------------------

# It had begun to: a request of its own went out between, and the page was left before it was answered.
Decl begun_by(I, R)
  descr [doc("Code that heard the submit asked for something, and was cut off.")]
  bound [/string, /string].
begun_by(I, R) :-
  sent_by_browser(I, _, N),
  asked_after_input(R, I),
  own_data(R),
  earlier_document(R),
  asked_by(R, "script"),
  !is_tracker(R),
  !went_well(R),
  sent_at(R, A),
  navigation(N, _, _)@[T, _],
  ms(T, B),
  A <= fn:plus(B, 20).
# Or the button's click was heard, and what was asked for has what stands in the form.
begun_by(I, R) :-
  sent_by_browser(I, _, N),
  click_before(I, Click),
  asked_after_input(R, Click),
  own_data(R),
  is_plain_get(R),
  earlier_document(R),
  asked_by(R, "script"),
  !went_well(R),
  sent_value(R, _, V),
  V != "",
  in_navigation(N, Came),
  request_query(Came, _, V).
# Or by the code that heard the button's click, and not by a timer of its own.
begun_by(I, R) :-
  sent_by_browser(I, _, _),
  click_before(I, Click),
  asked_after_input(R, Click),
  own_data(R),
  earlier_document(R),
  asked_by(R, "script"),
  !went_well(R),
  !is_by_timer(R),
  own_frame(Click, _, _, Url, _),
  own_frame(R, _, _, Url, _).
is_by_timer(R) :- is_data(R), stack(R, _, Function, _, _), :string:contains(Function, "setTimeout").
is_by_timer(R) :-
  is_data(R),
  stack(R, _, Function, _, _),
  :string:contains(Function, "setInterval").
click_before(I, Click) :-
  sent_by_browser(I, _, _),
  input(Click, "click", _, _)@[T, _],
  ms(T, A),
  node_at(I, B),
  A <= B,
  B <= fn:plus(A, 300).
is_begun(I) :- begun_by(I, _).
# Or it failed before it came to that.
Decl failed_in(I, E) bound [/string, /string].
failed_in(I, E) :-
  sent_by_browser(I, _, _),
  is_thrown(E),
  has_own_frame(E),
  node_at(I, A),
  error_at(E, B),
  A <= fn:plus(B, 20),
  B <= fn:plus(A, 500).
is_failed(I) :- failed_in(I, _).

# Nothing tells of such code, and the page that came is the one that was there: whoever serves it does not look at the
# fields, no question of the page's code has them, and nobody sees them.
Decl came_again(I, R)
  descr [doc("The document that was sent for the form.")]
  bound [/string, /string].
came_again(I, R) :-
  sent_by_browser(I, _, N),
  in_navigation(N, R),
  request_query(R, _, _),
  same_address(R, Method, Origin, Path),
  same_address(Before, Method, Origin, Path),
  Before != R,
  earlier_document(Before),
  kind_of(Before, "document"),
  request_size(R, _, Size),
  request_size(Before, _, Size),
  64 < Size.
takes_fields(I) :- came_again(I, R), request_query(R, _, V), V != "", is_used(R, V).
Decl is_used(R, V) bound [/string, /string].
is_used(R, V) :- came_again(_, R), request_query(R, _, V), request_query(Q, _, V), is_data(Q).
is_used(R, V) :-
  came_again(_, R),
  request_query(R, _, V),
  sent_value(R, _, V),
  sent_value(Q, _, V),
  is_data(Q).
is_used(R, V) :-
  came_again(_, R),
  request_query(R, _, V),
  sent_value(R, _, Said),
  shown("text", Text),
  :string:contains(Text, Said),
  is_long_enough(V).
Decl is_long_enough(V)
  descr [mode('+'), deferred()]
  bound [/string].
is_long_enough(V) :- V != "", V != "1", V != "0", V != "on", V != "true", V != "false".
is_by_code() :- own_data(R), asked_by(R, "script"), !is_tracker(R).
for_nothing(I) :- came_again(I, _), is_by_code(), !takes_fields(I).

# ---- the fault ------------------------------------------------------------------------------------------------

late_line(I, Where) :-
  is_begun(I),
  prevents_late(Url, Line),
  begun_by(I, R),
  own_frame(R, _, _, Url, _),
  code_place(Url, Line, Where).
has_late_line(I) :- late_line(I, _).
begun_place(I, Where) :- begun_by(I, R), place_of(R, Where), !has_late_line(I).
fails_form(I, Form) :- sent_by_browser(I, Form, _), is_begun(I).
fails_form(I, Form) :- sent_by_browser(I, Form, _), is_failed(I).
fails_form(I, Form) :- sent_by_browser(I, Form, _), for_nothing(I).
trouble(I, 60, Text) :-
  fails_form(I, Form),
  Text = fn:string:concat("sending ", Form, " loaded the page anew, and saved nothing").
suspect(I, "native_submit", Text) :-
  fails_form(I, Form),
  late_line(I, Where),
  Text = fn:string:concat("the browser sends ", Form, " itself and loads the page anew: ", Where,
                          " calls preventDefault only after an await").
suspect(I, "native_submit", Text) :-
  fails_form(I, Form),
  begun_place(I, Where),
  Text = fn:string:concat("the browser sends ", Form,
                          " itself and loads the page anew while its code waits at ", Where,
                          ": preventDefault has to come first, or the button is of type button").
suspect(I, "native_submit", Text) :-
  fails_form(I, Form),
  !is_begun(I),
  is_failed(I),
  Text = fn:string:concat("the browser sends ", Form,
                          " itself and loads the page anew: its code failed before preventDefault").
suspect(I, "native_submit", Text) :-
  fails_form(I, Form),
  !is_begun(I),
  !is_failed(I),
  Text = fn:string:concat("the browser sends ", Form,
                          " itself and loads the page anew: no code took it over").
causes(I, E, "it failed before it kept the browser from sending the form") :-
  failed_in(I, E),
  !is_begun(I).

change_at(I, Where, "call preventDefault before the first await") :- late_line(I, Where).
change_at(I, Where, "call preventDefault before the first await") :- begun_place(I, Where).
change_at(I, Form,
          "the code that is to take over this form: it is not there, or its listener hears something else") :-
  fails_form(I, Form),
  !is_begun(I),
  !is_failed(I).
check("native_submit", "the same steps send a request of code, and the page stays").
