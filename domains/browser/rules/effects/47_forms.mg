# Kinds of fault of what a page keeps (storage) and of what users do (forms, buttons).

# ---- storage ---------------------------------------------------------------------------------------------

storage_word("localStorage", "local").
storage_word("sessionStorage", "session").
storage_word("indexedDB", "indexeddb").
storage_word("IndexedDB", "indexeddb").
storage_word("IDBDatabase", "indexeddb").
storage_word("CacheStorage", "cache").
quota_error(E, Area) :- storage_failed(E, Area), !refused_storage(E), !spared_write(E).
quota_error(E, "local") :-
  error_text(E, Text),
  :string:contains(Text, "exceeded the quota"),
  !says_area(E),
  !spared_write(E).
says_area(E) :- storage_failed(E, _).
quota_error(E, "local") :- error_name(E, "QuotaExceededError"), !says_area(E), !spared_write(E).
storage_node(Area, Node) :- quota_error(_, Area), Node = fn:string:concat("storage:", Area).
storage_node(Area, Node) :- refused_area(_, Area), Node = fn:string:concat("storage:", Area).
storage_node(Area, Node) :- corrupt(_, Area), Node = fn:string:concat("storage:", Area).
quota_place(Area, Where) :- quota_error(E, Area), place_of(E, Where).
quota_first(Area, Where) :- quota_place(Area, W)
  |> do fn:group_by(Area), let Where = fn:pick_any(W).
has_quota_place(Area) :- quota_first(Area, _).
suspect(Node, "quota", Text) :-
  quota_first(Area, Where),
  storage_node(Area, Node),
  Text = fn:string:concat("the ", Area, " storage is full: ", Where, " could not write").
suspect(Node, "quota", Text) :-
  quota_error(_, Area),
  !has_quota_place(Area),
  storage_node(Area, Node),
  Text = fn:string:concat("the ", Area, " storage is full").
causes(E, Node, "there was no room to write") :- quota_error(E, Area), storage_node(Area, Node).
change_at(Node, Where, "write less there, and expect that writing fails") :-
  quota_place(Area, Where),
  storage_node(Area, Node).
trouble(E, 55, Text) :-
  quota_error(E, Area),
  Text = fn:string:concat("what the page meant to keep in ", Area, " storage is lost").

# Storage that may not be used at all.
refused_storage(E) :- refused_area(E, _).
refused_area(E, Area) :-
  error_name(E, "SecurityError"),
  error_text(E, Text),
  storage_word(Word, Area),
  :string:contains(Text, Word).
suspect(Node, "storage_refused", Text) :-
  refused_area(_, Area),
  storage_node(Area, Node),
  Text = fn:string:concat("the page may not use its ", Area, " storage").
causes(E, Node, "the browser refuses this storage") :-
  refused_area(E, Area),
  storage_node(Area, Node).

# What was kept and cannot be read any more: nothing was awaited, and the code at that place reads storage.
reads_storage(E, Area) :-
  error_expression(E, Expression, _),
  storage_word(Word, Area),
  :string:contains(Expression, Word).
reads_storage(E, "local") :-
  error_expression(E, Expression, _),
  :string:contains(Expression, "getItem(").
corrupt(E, Area) :- json_error(E), !awaits_something(E), reads_storage(E, Area).
# Text that no answer, no message and no request of the moment before brought was kept somewhere.
corrupt(E, "local") :-
  json_error(E),
  error_source(E, "exception"),
  has_own_frame(E),
  !awaits_something(E),
  !reads_other(E),
  !data_just_before(E).
# What becomes of an object that is stored as it is.
corrupt(E, "local") :-
  json_error(E),
  error_text(E, Text),
  :string:contains(Text, "[object Object]"),
  !reads_other(E).
reads_other(E) :- reads_storage(E, Area), Area != "local".
data_just_before(E) :-
  json_error(E),
  error_at(E, T),
  is_data(R),
  known_at(R, A),
  A <= fn:plus(T, 10),
  T <= fn:plus(A, 1000).
data_just_before(E) :-
  json_error(E),
  error_at(E, T),
  received(_, _, _, A),
  A <= fn:plus(T, 10),
  T <= fn:plus(A, 1000).
suspect(Node, "corrupt_storage", Text) :-
  corrupt(E, Area),
  storage_node(Area, Node),
  place_of(E, Where),
  Text = fn:string:concat("what is kept in ", Area, " storage cannot be read at ", Where).
causes(E, Node, "it reads what is kept there") :- corrupt(E, Area), storage_node(Area, Node).
change_at(Node, Where, "expect that it cannot be read, and start anew then") :-
  corrupt(E, Area),
  storage_node(Area, Node),
  place_of(E, Where).

# ---- forms -----------------------------------------------------------------------------------------------

# The browser or the page refused a field, nobody saw why, and nothing was sent.
sent_something(I) :- asked_after_input(R, I), !told_to_others(R).
# Scripts of others that listen to all a user does, and tell their own servers of it.
told_to_others(R) :- asked_after_input(R, _), is_tracker(R).
told_to_others(R) :-
  asked_after_input(R, _),
  request_path(R, Origin, _),
  !page_origin(Origin),
  stack(R, _, _, _, _),
  !has_own_frame(R).
# Somebody tried to send it: a form that is looked over while it is filled in refuses nothing yet.
tries("click").
tries("submit").
tries("key").
attempt(I, Try) :-
  invalid(I, _, _, _),
  node_at(I, T),
  input(Try, Type, _, _)@[At, _],
  tries(Type),
  ms(At, A),
  A <= T,
  T <= fn:plus(A, 300).
is_attempted(I) :- attempt(I, _).
was_sent(I) :- attempt(I, Try), sent_something(Try).
# The browser goes to a field whose message it shows.
is_led_to(I) :-
  invalid(I, Field, _, _),
  node_at(I, T),
  focused(Field)@[At, _],
  ms(At, A),
  T <= fn:plus(A, 20),
  A <= fn:plus(T, 300).
unseen(I, Field, Message) :-
  invalid(I, Field, Message, "false"),
  is_attempted(I),
  !was_sent(I),
  !sent_something(I),
  !is_led_to(I).
# A field that could be seen, and yet the browser did not go to any field of this attempt, code was not asked, and no text
# of the page says that something is wrong.
same_attempt(I, Other) :- attempt(I, Try), attempt(Other, Try).
some_led_to(I) :- same_attempt(I, Other), is_led_to(Other).
code_was_asked(I) :-
  attempt(I, Try),
  node_at(Try, A),
  submitted(S, _, _, _, _),
  node_at(S, B),
  A <= B,
  B <= fn:plus(A, 300).
page_says_wrong() :- shown("alert", _).
page_says_wrong() :- shown("error", _).
unnoticed(I, Field, Message) :-
  invalid(I, Field, Message, "true"),
  is_attempted(I),
  !was_sent(I),
  !sent_something(I),
  !some_led_to(I),
  !code_was_asked(I),
  !page_says_wrong(),
  !says_message(Message),
  focus_is_known().
says_message(Message) :- invalid(_, _, Message, _), shown(_, Text), :string:contains(Text, Message).
focus_is_known() :- focused(_)@[T, _].
suspect(I, "validation_swallowed", Text) :-
  unseen(I, Field, Message),
  Text = fn:string:concat("the form refuses ", Field, " without showing why: ", Message).
trouble(I, 60, Text) :-
  unseen(I, Field, _),
  Text = fn:string:concat("the form cannot be sent: ", Field, " is refused and nobody sees it").
suspect(I, "validation_swallowed", Text) :-
  unnoticed(I, Field, Message),
  Text = fn:string:concat("the form refuses ", Field, " without showing why: ", Message).
trouble(I, 45, Text) :-
  unnoticed(I, Field, _),
  Text = fn:string:concat("the form is not sent: ", Field, " is refused, and nobody is led to it").
change_at(I, Field, "show its message, or let go of a field that nobody can fill in") :-
  unseen(I, Field, _).
change_at(I, Field, "show its message, or let go of a field that nobody can fill in") :-
  unnoticed(I, Field, _).
# Chromium says so of a field that is hidden.
causes(E, I, "the browser says so of that field") :-
  unseen(I, _, _),
  error_text(E, Text),
  :string:contains(Text, "An invalid form control"),
  node_at(I, A),
  error_at(E, B),
  A <= fn:plus(B, 500),
  B <= fn:plus(A, 500).

# A form that code took over, after which nothing was asked for, changed or said.
dead_submit(I, Form) :-
  submitted(I, Form, _, _, "true"),
  input_without_effect(I),
  !sent_something(I),
  !has_invalid(I).
has_invalid(I) :- invalid(I, _, _, _).
# Code takes it over, and leaves off where a field is not valid; which one, it says to nobody.
hidden_refusals(N) :- still_invalid(Field, _, "false") |> do fn:group_by(), let N = fn:count().
seen_refusals(N) :- still_invalid(Field, _, "true") |> do fn:group_by(), let N = fn:count().
stopped_at(I, Field, Message) :-
  dead_submit(I, _),
  hidden_refusals(N),
  N <= 3,
  still_invalid(Field, Message, "false").
stopped_at(I, Field, Message) :-
  dead_submit(I, _),
  !has_hidden_refusal(),
  seen_refusals(1),
  still_invalid(Field, Message, "true").
has_hidden_refusal() :- hidden_refusals(_).
is_stopped(I) :- stopped_at(I, _, _).
first_stop(I, Field) :- stopped_at(I, F, _) |> do fn:group_by(I), let Field = fn:pick_any(F).
suspect(I, "validation_swallowed", Text) :-
  first_stop(I, Field),
  stopped_at(I, Field, Message),
  dead_submit(I, Form),
  Text = fn:string:concat("sending ", Form, " did nothing, and its field ", Field,
                          " is not valid, of which nobody is told: ", Message).
change_at(I, Field, "show its message, or let go of a field that nobody can fill in") :-
  stopped_at(I, Field, _).
# What code checks of the fields itself, by a table of their names.
refused_by_code(I, Name, Value, Pattern, Where) :-
  dead_submit(I, Form),
  !is_stopped(I),
  form_check_refuses(Form, Name, Value, Pattern, Url, Line),
  code_place(Url, Line, Where).
is_refused_by_code(I) :- refused_by_code(I, _, _, _, _).
first_refused(I, Name) :- refused_by_code(I, N, _, _, _)
  |> do fn:group_by(I), let Name = fn:pick_any(N).
lacks_checked(I, Name, Where) :-
  dead_submit(I, Form),
  !is_stopped(I),
  !is_refused_by_code(I),
  form_check_lacks(Form, Name, Url, Line),
  code_place(Url, Line, Where).
is_lacking_checked(I) :- lacks_checked(I, _, _).
first_lacking(I, Name) :- lacks_checked(I, N, _) |> do fn:group_by(I), let Name = fn:pick_any(N).
checked_by_code(I, Where) :-
  dead_submit(I, Form),
  !is_stopped(I),
  !is_refused_by_code(I),
  !is_lacking_checked(I),
  form_checked(Form, Url, Line),
  code_place(Url, Line, Where).
is_checked(I) :- checked_by_code(I, _).
is_checked(I) :- is_lacking_checked(I).
is_checked(I) :- is_refused_by_code(I).
first_check(I, Where) :- checked_by_code(I, W) |> do fn:group_by(I), let Where = fn:pick_any(W).
suspect(I, "validation_swallowed", Text) :-
  first_refused(I, Name),
  refused_by_code(I, Name, Value, Pattern, Where),
  dead_submit(I, Form),
  Text = fn:string:concat("sending ", Form, " did nothing: the check at ", Where, " refuses `",
                          Value, "` in the field ", Name, " (", Pattern, "), and nobody is told").
suspect(I, "validation_swallowed", Text) :-
  first_lacking(I, Name),
  lacks_checked(I, Name, Where),
  dead_submit(I, Form),
  Text = fn:string:concat("sending ", Form, " did nothing: the check at ", Where, " asks for ",
                          Name, ", of which the form has no field, and nobody is told").
suspect(I, "validation_swallowed", Text) :-
  first_check(I, Where),
  dead_submit(I, Form),
  Text = fn:string:concat("sending ", Form,
                          " did nothing: no request, no change, no message; its fields are checked at ",
                          Where, ", and what is refused there is told to nobody").
change_at(I, Where, "the check, or say what it refuses") :- refused_by_code(I, _, _, _, Where).
change_at(I, Where, "the check of a field that is not there, or say what it refuses") :-
  lacks_checked(I, _, Where).
change_at(I, Where, "say what it refuses") :- checked_by_code(I, Where).
# Nothing is known of what it asks; but where it may leave, if there is one listener alone.
may_leave(I, Where) :-
  dead_submit(I, _),
  !is_stopped(I),
  !is_checked(I),
  submit_listener(Url, "guarded", Line),
  code_place(Url, Line, Where).
is_left(I) :- may_leave(I, _).
suspect(I, "submit_without_effect", Text) :-
  dead_submit(I, Form),
  may_leave(I, Where),
  Text = fn:string:concat("sending ", Form,
                          " did nothing: no request, no change, no message; its listener leaves, at the condition at ",
                          Where, " or behind it, and tells nobody").
change_at(I, Where, "the condition on which it leaves, or say what it refuses") :-
  may_leave(I, Where).
# What it says is hidden.
said_unseen(I, Form, Target, How, Text) :-
  submitted(I, Form, _, _, "true"),
  !sent_something(I),
  !input_without_effect(I),
  !page_says_wrong(),
  veiled_by_listener(Target),
  veiled(Target, How, Text, _).
suspect(I, "validation_swallowed", Text) :-
  said_unseen(I, Form, Target, How, Said),
  Text = fn:string:concat("sending ", Form,
                          " sent nothing, and what is said of it cannot be seen: `", Said, "` in ",
                          Target, " (", How, ")").
trouble(I, 57, Text) :-
  said_unseen(I, Form, _, _, _),
  Text = fn:string:concat("the form is not sent: ", Form, " is refused, and nobody sees why").
change_at(I, Target, "show the message when there is one") :- said_unseen(I, _, Target, _, _).
change_at(I, Rule, "or the rule that hides it") :-
  said_unseen(I, _, Target, _, _),
  veiled_by(Target, Rule).
change_at(I, Where, "show the place of the message when it is written") :-
  said_unseen(I, _, _, _, _),
  submit_listener(Url, _, Line),
  code_place(Url, Line, Where).
suspect(I, "submit_without_effect", Text) :-
  dead_submit(I, Form),
  !is_stopped(I),
  !is_checked(I),
  !is_left(I),
  Text = fn:string:concat("sending ", Form, " did nothing: no request, no change, no message").
trouble(I, 60, Text) :-
  dead_submit(I, Form),
  Text = fn:string:concat("sending ", Form, " has no effect").

change_at(I, Form, "the code that takes over this form: it neither sends nor says anything") :-
  dead_submit(I, Form).

# A form that is filled in, and cannot be sent: its button stays disabled. What was sent before may have disabled it.
stuck_button(Label) :- shown("stuck", Label), was_filled_in(), !was_submitted(), !page_says_wrong().
was_filled_in() :- input(_, "change", _, _)@[T, _].
was_submitted() :- submitted(_, _, _, _, _).
stuck_node(Node, Label) :- stuck_button(Label), Node = fn:string:concat("stuck:", Label).
suspect(Node, "validation_swallowed", Text) :-
  stuck_node(Node, Label),
  Text = fn:string:concat("the button `", Label,
                          "` stays disabled, though all that can be seen of its form is filled in and valid: a condition of it is never met").
node_text(Node, "a button that stays disabled") :- stuck_node(Node, _).
trouble(Node, 51, Text) :-
  stuck_node(Node, Label),
  Text = fn:string:concat("the form cannot be sent: `", Label, "` is disabled").
change_at(Node, Where, "the condition on which it is enabled") :-
  stuck_node(Node, _),
  button_enabled(Url, Line),
  code_place(Url, Line, Where).
change_at(Node, Where, "the condition on which it is enabled") :-
  stuck_node(Node, Label),
  Where = fn:string:concat("button `", Label, "`").

# A button without effect. An error right after it is its effect, of another sort.
is_button(I, Target) :-
  input(I, "click", Target, _)@[T, _],
  button_mark(Mark),
  :string:starts_with(Target, Mark).
button_mark("button").
button_mark("input[type=button").
button_mark("input[type=submit").
button_mark("a#").
button_mark("a.").
button_mark("a[").
failed_after(I) :-
  node_at(I, A),
  error_at(E, B),
  !fails_for_others(E),
  A <= B,
  B <= fn:plus(A, 1000).
fails_for_others(E) :- error_about_request(E, R), told_to_others(R).
in_submit(I) :- submitted(I, _, _, _, _).
refused_around(I) :-
  node_at(I, A),
  has_invalid(Other),
  node_at(Other, B),
  A <= fn:plus(B, 100),
  B <= fn:plus(A, 1000).
submit_around(I) :-
  node_at(I, A),
  in_submit(Other),
  node_at(Other, B),
  Other != I,
  A <= B,
  B <= fn:plus(A, 1000).
dead_button(I, Target) :-
  is_button(I, Target),
  input_without_effect(I),
  !sent_something(I),
  !failed_after(I),
  !in_submit(I),
  !refused_around(I),
  !submit_around(I).
# Nobody listens, neither there nor above: whatever came after it did not come of it.
dead_button(I, Target) :-
  is_button(I, Target),
  is_unheard(I),
  !sent_something(I),
  !in_submit(I),
  !refused_around(I).
is_unheard(I) :- heard(I, "none").
is_unheard(I) :- heard(I, "lost").
suspect(I, "input_without_effect", Text) :-
  dead_button(I, Target),
  heard(I, "none"),
  Text = fn:string:concat("the click on ", Target, " did nothing: no code listens to it").
suspect(I, "input_without_effect", Text) :-
  dead_button(I, Target),
  heard(I, "lost"),
  Text = fn:string:concat("the click on ", Target,
                          " did nothing: the element that had the listener was replaced by this one").
suspect(I, "input_without_effect", Text) :-
  dead_button(I, Target),
  !is_unheard(I),
  !is_known_around(I),
  Text = fn:string:concat("the click on ", Target, " did nothing").
trouble(I, 45, Text) :-
  dead_button(I, Target),
  Text = fn:string:concat("the click on ", Target, " has no effect").

change_at(I, Target, "the code of this button, if it has any") :- dead_button(I, Target).

# The same thing ordered twice: both went out before the first could be refused or repeated on purpose.
repeatable("POST").
differs(A, B) :-
  twice(A, B),
  sent_value(A, Path, V),
  sent_value(B, Path, W),
  V != W,
  sent_value_single(A, Path),
  sent_value_single(B, Path).
values_at(R, Path, N) :- sent_value(R, Path, V), is_change(R)
  |> do fn:group_by(R, Path), let N = fn:count().
sent_value_single(R, Path) :- values_at(R, Path, 1).
twice(A, B) :-
  endpoint(A, Method, Route),
  repeatable(Method),
  own_data(A),
  endpoint(B, Method, Route),
  A != B,
  own_data(B),
  sent_at(A, S),
  sent_at(B, T),
  S <= T,
  ordered(A, B, S, T),
  T <= fn:plus(S, 1500),
  known_at(A, Known),
  T <= fn:plus(Known, 300),
  !went_wrong(A).
# Both were on their way, and the second came first: the first is the one that is refused.
twice(B, A) :-
  endpoint(A, Method, Route),
  repeatable(Method),
  own_data(A),
  has_bad_status(A, _),
  endpoint(B, Method, Route),
  A != B,
  own_data(B),
  went_well(B),
  sent_at(A, S),
  sent_at(B, T),
  S <= T,
  T <= fn:plus(S, 300),
  known_at(A, Known),
  T < Known.
# Of two that were sent in the same millisecond the one with the smaller id is the first.
Decl ordered(A, B, S, T)
  descr [mode('+', '+', '+', '+'), deferred()]
  bound [/string, /string, /number, /number].
ordered(A, B, S, T) :- A != B, S < T.
ordered(A, B, S, T) :- S = T, :string:lt(A, B).
# Questions may be sent by POST, and asked twice.
question_word("/search").
question_word("/query").
question_word("graphql").
question_word("/find").
question_word("/filter").
question_word("/preview").
question_word("/validate").
question_word("/refresh").
question_word("/lookup").
question_word("/suggest").
question_word("autocomplete").
question_word("/estimate").
question_word("/calculate").
is_question(R) :-
  request_route(R, Route),
  question_word(Word),
  :string:contains(Route, Word),
  is_change(R).
sends_same(A, B) :- twice(A, B), sent_value(A, Path, V), sent_value(B, Path, V).
ordered_twice(A, B) :- sends_same(A, B), !differs(A, B), !is_tracker(A), !is_question(A).
# After a click, what was sent shows that it is one deed, body or not.
ordered_twice(A, B) :-
  twice(A, B),
  asked_after_input(A, _),
  asked_after_input(B, _),
  !differs(A, B),
  !is_tracker(A),
  !is_question(A).
suspect(B, "double_submit", Text) :-
  ordered_twice(A, B),
  request_label(B, Label),
  sent_gap(A, B, Ms),
  Text = fn:string:concat(Label, " was sent twice with the same content within ", Ms, " ms").
sent_gap(A, B, Ms) :-
  ordered_twice(A, B),
  sent_at(A, S),
  sent_at(B, T),
  S <= T,
  Ms = fn:minus(T, S).
sent_gap(A, B, Ms) :- ordered_twice(A, B), sent_at(A, S), sent_at(B, T), T < S, Ms = fn:minus(S, T).
trouble(B, 58, Text) :-
  ordered_twice(_, B),
  request_label(B, Label),
  Text = fn:string:concat(Label, " was done twice").

# From one deed, by the same line: what hears it is there twice. (Two clicks are two deeds, and a function that does it
# twice has two lines.)
heard_twice(B, I, Where) :-
  ordered_twice(A, B),
  asked_after_input(A, I),
  asked_after_input(B, I),
  place_of(A, Where),
  place_of(B, Where),
  !called_otherwise(A, B).
called_otherwise(A, B) :-
  ordered_twice(A, B),
  own_frame(A, Depth, _, Url, Line),
  own_frame(B, Depth, _, Url, Other),
  Line != Other.
suspect(B, "heard_twice", Text) :-
  heard_twice(B, I, Where),
  input(I, Type, Target, _)@[T, _],
  request_label(B, Label),
  Text = fn:string:concat("one ", Type, " on ", Target, " sent ", Label, " twice from ", Where,
                          ": its listener is there more than once").

repair("heard_twice", "code",
       "add the listener that this line belongs to once, not at each drawing").
repair("storage_refused", "node", "do without it where it is refused").
repair("double_submit", "code", "refuse the second while the first is on its way").
repair("double_submit", "endpoint", "take the same order once").

check("quota", "the same steps write without an error").
check("storage_refused", "the page works without it").
check("corrupt_storage", "the page starts with what is stored now, and with nothing stored").
check("validation_swallowed", "the same steps show the message, or send the form").
check("submit_without_effect", "the same steps send a request or show a message").
check("input_without_effect", "the same click does something").
check("double_submit", "is sent once by the same steps").
check("heard_twice", "is sent once by the same steps").

# An object that was made a text without JSON.stringify: what is read is right, what was written is not.
suspect(E, "corrupt_storage", Text) :-
  is_thrown(E),
  error_text(E, Said),
  :string:contains(Said, "\"[object Object]\" is not valid JSON"),
  place_of(E, Where),
  Text = fn:string:concat("an object was stored as the text [object Object], which ", Where,
                          " reads as JSON").
