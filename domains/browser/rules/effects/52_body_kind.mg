# Kinds of fault of what a request says that its body is: a header that does not fit it, or is missing.

type_sent(R, Type) :-
  sent_header(R, "content-type", Type),
  kind_of(R, "data"),
  !third_party(R),
  !is_tracker(R).
refused_for_body(R) :- status_of(R, 400).
refused_for_body(R) :- status_of(R, 415).
refused_for_body(R) :- status_of(R, 422).

# The browser names the boundary between the parts; whoever sets the header by hand leaves it out.
without_boundary(R) :-
  type_sent(R, Type),
  :string:starts_with(Type, "multipart/"),
  !:string:contains(Type, "boundary="),
  has_bad_status(R, _).
suspect(R, "wrong_body_type", Text) :-
  without_boundary(R),
  request_label(R, Label),
  type_sent(R, Type),
  Text = fn:string:concat(Label, " says ", Type,
                          " without a boundary: its parts cannot be told apart").
change_at(R, Where, "leave out the header content-type: the browser sets it with its boundary") :-
  without_boundary(R),
  place_of(R, Where).

# JSON that is not called so, or what is called JSON and is none.
not_called_json(R, Type) :-
  type_sent(R, Type),
  sent_form(R, "json"),
  !:string:contains(Type, "json"),
  !:string:starts_with(Type, "multipart/"),
  refused_for_body(R).
suspect(R, "wrong_body_type", Text) :-
  not_called_json(R, "none"),
  request_label(R, Label),
  Text = fn:string:concat(Label, " sends JSON and does not say that it is").
suspect(R, "wrong_body_type", Text) :-
  not_called_json(R, Type),
  Type != "none",
  request_label(R, Label),
  Text = fn:string:concat(Label, " sends JSON and says that it is ", Type).
change_at(R, Where, "send it with the header content-type: application/json") :-
  not_called_json(R, _),
  place_of(R, Where).
sends_no_json(R, Form) :-
  type_sent(R, Type),
  :string:contains(Type, "json"),
  sent_form(R, Form),
  Form != "json",
  refused_for_body(R).
suspect(R, "wrong_body_type", Text) :-
  sends_no_json(R, Form),
  request_label(R, Label),
  in_form(Form, Words),
  Text = fn:string:concat(Label, " says that it sends JSON and sends ", Words).
in_form("multipart", "the parts of a form").
in_form("urlencoded", "fields of a form").
in_form("text", "a text that is none").
in_form("broken", "what looks like JSON and is none (invalid)").
in_form("twice", "a text in which the JSON is: it was made JSON twice").
in_form("object", "the text [object Object]: an object that was not made JSON (JSON.stringify)").
in_form("nothing", "no value, the text undefined or NaN").
change_at(R, Where, "send JSON.stringify of it, or another header content-type") :-
  sends_no_json(R, _),
  place_of(R, Where).

# What no server can read, whatever it is called and whatever it answers: nobody ever means it.
unmeant_form("object").
unmeant_form("nothing").
sends_unmeant(R, Form) :-
  sent_form(R, Form),
  unmeant_form(Form),
  kind_of(R, "data"),
  !third_party(R),
  !is_tracker(R),
  !is_sent_no_json(R).
is_sent_no_json(R) :- sends_no_json(R, _).
suspect(R, "wrong_body_type", Text) :-
  sends_unmeant(R, Form),
  request_label(R, Label),
  in_form(Form, Words),
  Text = fn:string:concat(Label, " sends ", Words).
trouble(R, 54, Text) :-
  sends_unmeant(R, _),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat("what ", Label, " was to keep is not in what it was sent").
change_at(R, Where, "send JSON.stringify of it, and what is there by then") :-
  sends_unmeant(R, _),
  place_of(R, Where).

# A form, where the server says itself that it takes JSON.
json_word("JSON").
json_word("json").
json_word("Json").
form_for_json(R, Form) :-
  refused_for_body(R),
  sent_as_form(R, Form),
  refusal_says(R, _, _, Said),
  json_word(Word),
  :string:contains(Said, Word),
  !is_sent_no_json(R),
  kind_of(R, "data"),
  !third_party(R).
sent_as_form(R, Form) :- sent_form(R, Form), is_form(Form).
# The browser does not always tell the body of one that it made itself.
sent_as_form(R, "multipart") :- type_sent(R, Type), :string:starts_with(Type, "multipart/").
is_form("multipart").
is_form("urlencoded").
suspect(R, "wrong_body_type", Text) :-
  form_for_json(R, Form),
  request_label(R, Label),
  in_form(Form, Words),
  Text = fn:string:concat(Label, " sends ", Words, " in place of JSON, which its server takes").
change_at(R, Where,
          "send JSON.stringify of the fields, with the header content-type: application/json") :-
  form_for_json(R, _),
  place_of(R, Where).

check("wrong_body_type", "is taken").
