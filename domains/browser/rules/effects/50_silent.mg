# Kinds of fault that no error tells of: an exception that code swallows, a name that is not there, an event that nobody
# listens to, a listener that is added again and again, an answer of which nothing comes. Each shows by what a user sees: a
# page that waits for ever, a click without effect, a deed done twice.

# ---- exceptions that code swallows -----------------------------------------------------------------------------

# In a chain it is called by what it said.
caught_said(C, Text) :- caught(C, Name, Said)@[T, _], Text = fn:string:concat(Name, ": ", Said).
node_text(C, Text) :- caught_said(C, Text).
suspect(C, "swallowed_error", Text) :-
  caught_matters(C),
  !storage_failed(C, _),
  place_of(C, Where),
  caught_said(C, Said),
  Text = fn:string:concat(Where, " fails, and the code that catches it goes on: ", Said).
change_at(C, Where, "mend what fails here, and say so where it is caught") :-
  caught_matters(C),
  !storage_failed(C, _),
  place_of(C, Where).

# What shows of it.
causes("shown:spinner", C, "code caught it, and what it was to show did not come") :-
  spins(),
  caught_matters(C).
reason(X, C, "alone", 52, "code caught it, and went on without") :-
  shown_node(X, _),
  caught_matters(C),
  !has_any_hard().
reason(X, C, "alone", 50, "code caught it, and went on without") :-
  shown_node(X, _),
  caught_matters(C),
  has_any_hard().
causes(I, C, "what the click runs fails, and the code says nothing of it") :-
  caught_after(C, I),
  input_without_effect(I),
  caught_matters(C).
trouble(C, 42, Text) :-
  caught_matters(C),
  gives_up(C),
  !storage_failed(C, _),
  place_of(C, Where),
  Text = fn:string:concat("nothing comes of what ", Where, " was to do").

trouble(C, 41, Text) :-
  caught_on_null(C),
  !gives_up(C),
  place_of(C, Where),
  Text = fn:string:concat("what ", Where, " was to show or do does not come about").

# ---- a page that says to the end what it is doing -----------------------------------------------------------------

node_text("shown:spinner", Text) :-
  shown("waiting", Said),
  Text = fn:string:concat("it still says: ", Said).

# A limit of time of the page's own that is shorter than the answer takes.
change_at(R, Where,
          "this limit of time is shorter than the answer takes, and what is shown stays as it was") :-
  suspect(R, "timeout", _),
  is_aborted_by_code(R),
  request_cancelled(R, Who),
  Where = fn:string:replace(Who, "script:", "", 1).

# An answer came that is in order, and nothing of it was shown.
unshown(R) :-
  spins(),
  unchanged_after(R),
  method_of(R, "GET"),
  own_data(R),
  went_well(R),
  !is_long_poll(R),
  !repeated(R, _, _),
  !something_failed().
something_failed() :- went_wrong(R), own_data(R), !is_soft(R).
something_failed() :- is_cancelled(R), own_data(R), !was_superseded(R), !left_by_navigation(R).
something_failed() :- is_thrown(E), !is_harmless(E).
something_failed() :- own_data(R), body_kind(R, "html").
something_failed() :- own_data(R), body_kind(R, "invalid_json").
something_failed() :- caught_matters(_).
something_failed() :- looked_for(_, _).
something_failed() :- deaf(_, _).
something_failed() :- silent(_, _).
something_failed() :- waits(R, _), own_data(R).
last_unshown(Ms) :- unshown(R), sent_at(R, M) |> do fn:group_by(), let Ms = fn:max(M).
suspect(R, "unshown_answer", Text) :-
  last_unshown(Ms),
  unshown(R),
  sent_at(R, Ms),
  request_label(R, Label),
  status_of(R, Status),
  Text = fn:string:concat(Label, " answered ", Status,
                          ", and nothing on the page changed after it").
causes("shown:spinner", R, "its answer came, and nothing of it was shown") :-
  suspect(R, "unshown_answer", _).
trouble("shown:spinner", 58, "the page still says that it is loading") :-
  suspect(_, "unshown_answer", _).
trouble("shown:spinner", 58, "the page still says that it is loading") :-
  spins(),
  caught_matters(_).
trouble("shown:spinner", 58, "the page still says that it is loading") :- spins(), looked_for(_, _).
trouble("shown:spinner", 58, "the page still says that it is loading") :-
  spins(),
  suspect(_, "unheard_stream", _).

# Whoever asked hands it on: the lines between know what becomes of it.
change_at(R, Where, "or what is made of it on the way") :-
  suspect(R, "unshown_answer", _),
  own_frame(R, Depth, _, Url, Line),
  Depth <= 2,
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).
repair("unshown_answer", "caller", "or what is made of it on the way").

# Given up by code that asks for nothing in its place, though the page says that it is under way.
abandoned(R) :- spins(), early(R), is_aborted_by_code(R), own_data(R), !asked_once_more(R).
asked_once_more(R) :-
  is_cancelled(R),
  endpoint(R, Method, Route),
  endpoint(Later, Method, Route),
  R != Later,
  sent_at(R, A),
  sent_at(Later, B),
  A <= B.
suspect(R, "abandoned", Text) :-
  abandoned(R),
  request_cancelled(R, Who),
  request_label(R, Label),
  Where = fn:string:replace(Who, "script:", "", 1),
  Text = fn:string:concat(Label, " was aborted at ", Where,
                          " before its answer came, and nothing was asked for in its place").
change_at(R, Where,
          "what is aborted here is not asked for again, and the page goes on saying that it is under way") :-
  abandoned(R),
  request_cancelled(R, Who),
  Where = fn:string:replace(Who, "script:", "", 1).

# ---- names that are not there --------------------------------------------------------------------------------------

looked_for(Q, Near) :- element_missing(Q, _)@[T, _], nearly(Q, Near), has_own_frame(Q).
suspect(Q, "missing_element", Text) :-
  looked_for(Q, Near),
  element_missing(Q, Selector)@[T, _],
  place_of(Q, Where),
  Text = fn:string:concat(Where, " looks for ", Selector, ", which is not there; there is ", Near).
# It was looked for before it was there.
too_early(Q) :- element_missing(Q, _)@[T, _], element_came(Q), has_own_frame(Q).
suspect(Q, "missing_element", Text) :-
  too_early(Q),
  element_missing(Q, Selector)@[T, _],
  place_of(Q, Where),
  Text = fn:string:concat(Where, " looks for ", Selector, " before it is there").
causes("shown:spinner", Q, "what was to be shown had no place") :- spins(), looked_for(Q, _).

# ---- clicks ---------------------------------------------------------------------------------------------------------

unheard(I, Target) :- is_button(I, Target), heard(I, "none").
# The listener was to be added to another name.
meant_for(I, Q) :-
  unheard(I, Target),
  looked_for(Q, Near),
  came_before_click(Q, I),
  Part = fn:string:concat("#", Near),
  :string:ends_with(Target, Part).
meant_for(I, Q) :-
  unheard(I, Target),
  too_early(Q),
  came_before_click(Q, I),
  element_missing(Q, Selector)@[T, _],
  :string:ends_with(Target, Selector).
came_before_click(Q, I) :-
  unheard(I, _),
  element_missing(Q, _)@[T, _],
  ms(T, A),
  node_at(I, B),
  A <= B.
has_meant(I) :- meant_for(I, _).
# Of another form than an id: where it is the only one.
lookup(Q) :- looked_for(Q, _).
lookup(Q) :- too_early(Q).
lookups(N) :- lookup(Q) |> do fn:group_by(), let N = fn:count().
meant_for(I, Q) :- unheard(I, _), lookups(1), lookup(Q), came_before_click(Q, I).
causes(I, Q, "the listener was meant for it") :- meant_for(I, Q).
# The code that would listen failed before it did, or never came.
causes(I, E, "the code that would listen to it had failed") :-
  unheard(I, _),
  !has_meant(I),
  is_thrown(E),
  !is_harmless(E),
  has_own_frame(E),
  error_at(E, A),
  node_at(I, B),
  A <= B.
causes(I, R, "the script that would listen to it never came") :-
  unheard(I, _),
  !has_meant(I),
  own_absent(R).
change_at(I, Where, "the listener that is added here does nothing for this click") :-
  dead_button(I, _),
  !is_unheard(I),
  place_of(I, Where).
change_at(I, Where,
          "add the listener again after the element is drawn anew, or to what stays around it") :-
  dead_button(I, _),
  heard(I, "lost"),
  place_of(I, Where).

# ---- events ---------------------------------------------------------------------------------------------------------

# Nobody listens, and somebody listens to what is called nearly so.
lost_event(Q, Type, Near) :- event_unheard(Q, Type)@[T, _], nearly(Q, Near), has_own_frame(Q).
suspect(Q, "unheard_event", Text) :-
  lost_event(Q, Type, Near),
  place_of(Q, Where),
  Text = fn:string:concat(Where, " dispatches ", Type,
                          ", to which nobody listens; there are listeners for ", Near).
trouble(Q, 44, Text) :-
  lost_event(Q, Type, _),
  Text = fn:string:concat("nobody hears the event ", Type).
causes(I, Q, "it dispatches an event that nobody listens to") :-
  lost_event(Q, _, _),
  input_without_effect(I),
  event_unheard(Q, _)@[T, _],
  ms(T, B),
  node_at(I, A),
  A <= B,
  B <= fn:plus(A, 1000).
causes("shown:spinner", Q, "what waits for the event listens to another name") :-
  spins(),
  lost_event(Q, _, _).

# A stream whose events the page does not listen to. Signs of life need no listener.
sign_of_life("ping").
sign_of_life("heartbeat").
sign_of_life("keepalive").
sign_of_life("keep-alive").
sign_of_life("hello").
sign_of_life("open").
sign_of_life("ready").
sign_of_life("connected").
sign_of_life("init").
hears_stream(R) :- stream_heard(R, Name), !sign_of_life(Name).
deaf(R, Name) :- stream_unheard(R, Name), !sign_of_life(Name), !hears_stream(R).
deaf(R, Name) :- stream_unheard(R, Name), !sign_of_life(Name), nearly(R, _).
suspect(R, "unheard_stream", Text) :-
  deaf(R, Name),
  request_label(R, Label),
  Text = fn:string:concat(Label, " sends events called ", Name,
                          ", and the page listens to none of that name").
trouble(R, 52, Text) :-
  deaf(R, Name),
  request_label(R, Label),
  Text = fn:string:concat("the events ", Name, " of ", Label, " are not heard").
causes("shown:spinner", R, "its events are not heard") :- spins(), deaf(R, _).

# ---- listeners that pile up ------------------------------------------------------------------------------------------

deed_event("click").
deed_event("submit").
deed_event("keydown").
deed_event("keyup").
deed_event("keypress").
deed_event("change").
deed_event("input").
deed_event("mousedown").
deed_event("mouseup").
deed_event("pointerdown").
deed_event("pointerup").
piled(Q, Type, Target) :- listener_again(Q, Type, Target, _)@[T, _], has_own_frame(Q).
piled_most(Type, Target, N) :- piled(Q, Type, Target), listener_again(Q, Type, Target, M)@[T, _]
  |> do fn:group_by(Type, Target), let N = fn:max(M).
# One deed of the user was done twice, and such a listener was there by then.
done_by_each(B, Q) :-
  ordered_twice(A, B),
  asked_after_input(A, I),
  asked_after_input(B, I),
  piled(Q, Type, _),
  deed_event(Type),
  listener_again(Q, Type, _, _)@[T, _],
  ms(T, At),
  sent_at(A, Sent),
  At <= Sent.
at_element(Target, Target) :- piled(_, _, Target), Target != "".
at_element("", "the window or document") :- piled(_, _, "").
# The line may be a library's: who calls it stands in another file, and who calls that runs it again.
added_by(Q, Depth, Url) :-
  done_by_each(_, Q),
  first_own_depth(Q, Depth),
  own_frame(Q, Depth, _, Url, _).
calls_adder(Q, Depth) :-
  added_by(Q, First, Url),
  own_frame(Q, D, _, Other, _),
  First < D,
  Other != Url
  |> do fn:group_by(Q), let Depth = fn:min(D).
has_adder_called(Q) :- calls_adder(Q, _).
adds_for(Q, Depth) :- calls_adder(Q, Depth).
adds_for(Q, Depth) :- added_by(Q, Depth, _), !has_adder_called(Q).
runs_again(Q, Depth) :- adds_for(Q, First), own_frame(Q, D, _, _, _), First < D
  |> do fn:group_by(Q), let Depth = fn:min(D).
called_by(Q, Said) :-
  calls_adder(Q, Depth),
  own_frame(Q, Depth, _, Url, Line),
  short_url(Url, Short),
  Said = fn:string:concat(", called by ", Short, ":", Line, ",").
called_by(Q, "") :- added_by(Q, _, _), !has_adder_called(Q).
change_at(Q, Where, "what runs here listens once more") :-
  calls_adder(Q, Depth),
  own_frame(Q, Depth, _, Url, Line),
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).
change_at(Q, Where, "what runs here listens once more") :-
  runs_again(Q, Depth),
  own_frame(Q, Depth, _, Url, Line),
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).
suspect(Q, "repeated_listener", Text) :-
  done_by_each(_, Q),
  piled(Q, Type, Target),
  piled_most(Type, Target, N),
  at_element(Target, At),
  place_of(Q, Where),
  called_by(Q, By),
  Text = fn:string:concat(Where, By, " adds a listener for ", Type, " to ", At,
                          " again each time it runs: there are ", N, " or more").
causes(B, Q, "each of the listeners does it once more") :- done_by_each(B, Q).
causes("growth:listeners", Q, "it is added once more each time") :-
  growing("listeners", _, _),
  piled(Q, _, _),
  grows_there(Q).
causes("growth:nodes", Q, "what each of the listeners refers to is kept") :-
  growing("nodes", _, _),
  growing("listeners", _, _),
  piled(Q, _, _),
  grows_there(Q).
grows_there(Q) :- listener_again(Q, _, _, N)@[T, _], 5 <= N, has_own_frame(Q).
suspect(Q, "repeated_listener", Text) :-
  growing("listeners", _, _),
  grows_there(Q),
  piled(Q, Type, Target),
  at_element(Target, At),
  place_of(Q, Where),
  Text = fn:string:concat(Where, " adds a listener for ", Type, " to ", At,
                          " once more each time it runs, and none is ever taken away").

# ---- what nobody waits for ------------------------------------------------------------------------------

# Sent before anybody did anything, in the background, and nobody waits for it.
cleared(R, "nobody waits for it, and nothing came of it") :-
  is_change(R),
  went_wrong(R),
  !is_question(R),
  !is_past_input(R),
  !is_felt(R),
  !raced(R),
  !page_complains().
Decl is_past_input(R)
  descr [doc("The user had done something by then.")]
  bound [/string].
is_past_input(R) :-
  is_change(R),
  sent_at(R, B),
  input(_, Type, _, _)@[T, _],
  is_deed(Type),
  ms(T, A),
  A <= B.

# ---- elements that nobody defines --------------------------------------------------------------------------------------

undefined_node(Name, Node) :-
  element_undefined(Name, _, _),
  Node = fn:string:concat("element:", Name).
node_text(Node, Text) :-
  undefined_node(Name, Node),
  Text = fn:string:concat("nothing stands where <", Name, "> is").
# A name that only styles know is none: code defines others, or failed before it could.
undefined_matters(Name) :- element_undefined(Name, _, _), defines_elements().
undefined_matters(Name) :- element_undefined(Name, _, _), is_thrown(E), has_own_frame(E).
undefined_matters(Name) :- element_undefined(Name, _, _), own_absent(_).
trouble(Node, 50, Text) :-
  undefined_matters(Name),
  undefined_node(Name, Node),
  Text = fn:string:concat("nothing stands where <", Name, "> is: no code defines it").
misnamed_element(Name, Q, Near) :- element_undefined(Name, Near, Q), Q != "".
suspect(Q, "undefined_element", Text) :-
  misnamed_element(Name, Q, Near),
  place_of(Q, Where),
  Text = fn:string:concat(Where, " defines the element ", Near, ", and the page has <", Name, ">").
causes(Node, Q, "it defines another name") :-
  misnamed_element(Name, Q, _),
  undefined_node(Name, Node).
is_misnamed(Name) :- misnamed_element(Name, _, _).
suspect(Node, "undefined_element", Text) :-
  undefined_matters(Name),
  !is_misnamed(Name),
  undefined_node(Name, Node),
  Text = fn:string:concat("no code defines the element <", Name, ">").
change_at(Node, Where, "define it, or load the script that does") :-
  undefined_matters(Name),
  !is_misnamed(Name),
  undefined_node(Name, Node),
  Where = fn:string:concat("<", Name, ">").
causes(Node, E, "the code that would define it failed") :-
  undefined_matters(Name),
  !is_misnamed(Name),
  undefined_node(Name, Node),
  is_thrown(E),
  !is_harmless(E),
  has_own_frame(E).
causes(Node, R, "the script that would define it never came") :-
  undefined_matters(Name),
  !is_misnamed(Name),
  undefined_node(Name, Node),
  own_absent(R).

# ---- a library that is loaded twice -------------------------------------------------------------------------------------

has_frames() :- kind_of(_, "frame").
copy_node(S, R) :- loaded_again(S, _, _), script_request(S, R).
copy_node(S, S) :- loaded_again(S, _, _), !has_copy_node_request(S).
has_copy_node_request(S) :- script_request(S, _).
suspect(N, "loaded_twice", Text) :-
  loaded_again(S, Url, First),
  !has_frames(),
  copy_node(S, N),
  short_script(Url, Short),
  short_script(First, Other),
  Text = fn:string:concat(Short, " is loaded although ", Other,
                          " is there: the second copy starts anew, and what was registered with the first is gone").
short_script(Url, Short) :-
  script(_, Url, _)@[T, _],
  page_origin(Origin),
  :string:starts_with(Url, Origin),
  Short = fn:string:replace(Url, Origin, "", 1).
is_own_address(Url) :-
  script(_, Url, _)@[T, _],
  page_origin(Origin),
  :string:starts_with(Url, Origin).
short_script(Url, Url) :- script(_, Url, _)@[T, _], !is_own_address(Url).
copy_ran_at(N, Ms) :- loaded_again(S, _, _), copy_node(S, N), script(S, _, _)@[_, T], ms(T, Ms).
feels_copy(E, N) :-
  copy_ran_at(N, A),
  !has_frames(),
  is_thrown(E),
  has_own_frame(E),
  node_at(E, B),
  A <= B.
feels_copy(E, N) :-
  copy_ran_at(N, A),
  !has_frames(),
  error_source(E, "console"),
  !is_report(E),
  has_own_frame(E),
  node_at(E, B),
  A <= B.
feels_copy(C, N) :- copy_ran_at(N, A), !has_frames(), caught_matters(C), node_at(C, B), A <= B.
feels_copy(I, N) :- copy_ran_at(N, A), !has_frames(), dead_button(I, _), node_at(I, B), A <= B.
reason(E, N, "twice", 55,
       "a second copy of the library had replaced the first, and what was registered with it") :-
  feels_copy(E, N).
reason(X, N, "alone", 52, "a second copy of the library had replaced the first") :-
  shown_node(X, _),
  suspect(N, "loaded_twice", _),
  !has_any_hard().

# ---- timers that pile up ---------------------------------------------------------------------------------------------

timer_place(Q, Url, Where) :-
  timer_again(Q, _)@[T, _],
  first_own_depth(Q, Depth),
  own_frame(Q, Depth, _, Url, _),
  place_of(Q, Where).
timers_at(Url, N) :- timer_place(Q, Url, _), timer_again(Q, M)@[T, _]
  |> do fn:group_by(Url), let N = fn:max(M).
most_timers(Q, Url, N) :- timers_at(Url, N), timer_place(Q, Url, _), timer_again(Q, N)@[T, _].
# What they ask for is more than the server takes, or more than anybody needs.
asks_too_often(R) :- status_of(R, 429).
asks_too_often(R) :- often(R, _, _).
asked_by_timers(R, Q) :-
  most_timers(Q, Url, _),
  asks_too_often(R),
  own_data(R),
  own_frame(R, _, _, Url, _).
suspect(Q, "repeated_timer", Text) :-
  asked_by_timers(_, Q),
  most_timers(Q, _, N),
  place_of(Q, Where),
  Text = fn:string:concat(Where,
                          " starts a timer again each time it runs, and the old ones go on: there are ",
                          N, " or more, which ask more and more often").
causes(R, Q, "each of the timers asks for it") :- asked_by_timers(R, Q).
grows_timers(Q) :- growing("timers", _, _), most_timers(Q, _, _).
suspect(Q, "repeated_timer", Text) :-
  grows_timers(Q),
  most_timers(Q, _, N),
  place_of(Q, Where),
  Text = fn:string:concat(Where,
                          " starts a timer again each time it runs, and the old ones go on: there are ",
                          N, " or more").
causes("growth:timers", Q, "each time it runs there is one more") :- grows_timers(Q).
# Where else it was called from.
change_at(Q, Where, "what runs here starts it once more") :-
  suspect(Q, "repeated_timer", _),
  first_own_depth(Q, Depth),
  Next = fn:plus(Depth, 1),
  own_frame(Q, Next, _, Url, Line),
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).

# ---- numbers as people write them --------------------------------------------------------------------------------------

first_written(R, Path) :- written_number(R, P, _), own_data(R), went_well(R)
  |> do fn:group_by(R), let Path = fn:pick_any(P).
first_value(R, Path, Value) :- first_written(R, Path), written_number(R, Path, V)
  |> do fn:group_by(R, Path), let Value = fn:pick_any(V).
suspect(R, "unreadable_number", Text) :-
  shows_no_number(),
  first_value(R, Path, Value),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered `", Value, "` at ", Path,
                          ", which code does not read as a number").
# A reader sees it, whatever else fails.
trouble("shown:broken", 77, "the page shows NaN, where a number was meant") :-
  suspect(_, "unreadable_number", _).
causes("shown:broken", R,
       "what is shown comes of its answer, in which a number is written as text") :-
  suspect(R, "unreadable_number", _).

repair("timeout", "abort",
       "this limit of time is shorter than the answer takes, and what is shown stays as it was").
repair("abandoned", "abort",
       "what is aborted here is not asked for again, and the page goes on saying that it is under way").
repair("repeated_timer", "caller", "what runs here starts it once more").
repair("undefined_element", "none", "define it, or load the script that does").
repair("undefined_element", "code", "the name that is defined, here or in the page").

repair("loaded_twice", "endpoint", "load it once").
check("undefined_element", "something stands where it is").
check("loaded_twice", "is asked for once").
repair("abandoned", "code",
       "ask again after it is aborted, or say that it is not under way any more").
repair("repeated_timer", "code", "start it once, or end the old one before").
repair("unreadable_number", "endpoint", "answer a number").
repair("unreadable_number", "code", "read it as it is written").
check("abandoned", "is answered, or nothing says that it is under way").
check("repeated_timer", "the number of timers stays level while nothing is done").
check("unreadable_number", "answers a number there").

repair("missing_element", "code", "the name that is looked for, or when it is looked for").
repair("unheard_event", "code", "the name of the event, here or where it is listened to").
repair("unheard_stream", "code", "listen to the events by their name").
repair("unheard_stream", "endpoint", "send events of the name that the page listens to").
repair("unshown_answer", "code",
       "what becomes of the answer: what it is compared with, where it is to be shown").
repair("repeated_listener", "code", "add the listener once, or take the old one away before").

check("swallowed_error", "the same steps throw nothing there").
check("missing_element", "the same steps find it").
check("unheard_event", "the same steps show what the event is for").
check("unheard_stream", "its events are shown").
check("unshown_answer", "its answer is shown").
check("repeated_listener", "the same deed is done once").
