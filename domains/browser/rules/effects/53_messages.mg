# Kinds of fault of what messages of sockets and streams are called: the server says another name than the code knows.

# Signs of life and acknowledgements need no code.
needs_no_code("ping").
needs_no_code("pong").
needs_no_code("heartbeat").
needs_no_code("keepalive").
needs_no_code("keep-alive").
needs_no_code("hello").
needs_no_code("welcome").
needs_no_code("ready").
needs_no_code("connected").
needs_no_code("ack").
needs_no_code("init").
needs_no_code("subscribed").
nameless_message(R, Path, Name) :-
  frame_name(R, Path, Name),
  frame_name_unknown(R, Name),
  !is_sent_back(R, Name),
  !needs_no_code(Name).
# What the page itself had sent is its own word, given back: the name of a room.
is_sent_back(R, Name) :-
  frame_name_unknown(R, Name),
  Part = fn:string:concat("\"", Name, "\""),
  socket_frame(R, _, "sent", Text)@[T, _],
  :string:contains(Text, Part).
# The code has it but for its spelling, and that one never comes.
other_spelling(R, Path, Name, Other, Url, Line) :-
  nameless_message(R, Path, Name),
  frame_name_like(R, Name, Other, "same", Url, Line).
# The code knows another that begins alike, and nothing comes of these.
other_name(R, Path, Name, Other, Url, Line) :-
  nameless_message(R, Path, Name),
  frame_unshown(R, Name),
  frame_name_like(R, Name, Other, "kin", Url, Line),
  !has_other_spelling(R).
has_other_spelling(R) :- other_spelling(R, _, _, _, _, _).
knows_a_name(R) :- frame_name(R, _, Name), !frame_name_unknown(R, Name), !needs_no_code(Name).
misnamed_message(R, Path, Name, Other, Url, Line) :-
  other_spelling(R, Path, Name, Other, Url, Line).
misnamed_message(R, Path, Name, Other, Url, Line) :- other_name(R, Path, Name, Other, Url, Line).
is_misnamed_message(R) :- misnamed_message(R, _, _, _, _, _).
# Nothing like it: none of what comes is known, and nothing comes of it.
unknown_to_all(R, Name) :-
  nameless_message(R, _, Name),
  frame_unshown(R, Name),
  !is_misnamed_message(R),
  !is_not_joined(R),
  !knows_a_name(R),
  !shows_some(R).
shows_some(R) :- frame_name(R, _, Name), !frame_unshown(R, Name).

# The code tells messages apart by a member that none of them has, and knows what stands in another.
Decl misread_message(R, Member, Path, Url, Line)
  bound [/string, /string, /string, /string, /number].
misread_message(R, Member, Path, Url, Line) :-
  frame_misses(R, Member, Url, Line),
  frame_name(R, Path, Name),
  !frame_name_unknown(R, Name),
  !shows_some(R).
first_misread(R, Path) :- misread_message(R, _, P, _, _)
  |> do fn:group_by(R), let Path = fn:pick_any(P).
suspect(R, "misread_message", Text) :-
  first_misread(R, Path),
  misread_message(R, Member, Path, Url, Line),
  request_label(R, Label),
  place_text(Url, Line, Where),
  Text = fn:string:concat(Where, " tells the messages of ", Label, " apart by `", Member,
                          "`, which none of them has: what they are called stands in ", Path).
trouble(R, 56, Text) :-
  first_misread(R, _),
  request_label(R, Label),
  Text = fn:string:concat("nothing comes of the messages of ", Label).
change_at(R, Where, "the member that tells what a message is") :-
  misread_message(R, _, _, Url, Line),
  place_text(Url, Line, Where).

suspect(R, "misnamed_message", Text) :-
  misnamed_message(R, Path, Name, Other, Url, Line),
  request_label(R, Label),
  place_text(Url, Line, Where),
  Text = fn:string:concat(Label, " sends messages with ", Path, " ", Name, ", and ", Where,
                          " knows ", Other).
suspect(R, "misnamed_message", Text) :-
  unknown_to_all(R, Name),
  request_label(R, Label),
  Text = fn:string:concat(Label, " sends messages called ", Name, ", and no code knows the name").
trouble(R, 56, Text) :-
  misnamed_message(R, _, Name, _, _, _),
  request_label(R, Label),
  Text = fn:string:concat("nothing comes of the messages ", Name, " of ", Label).
trouble(R, 51, Text) :-
  unknown_to_all(R, Name),
  request_label(R, Label),
  Text = fn:string:concat("nothing comes of the messages ", Name, " of ", Label).
causes("shown:spinner", R, "what it waits for comes by another name") :-
  spins(),
  is_misnamed_message(R).
change_at(R, Where, What) :-
  misnamed_message(R, _, Name, Other, Url, Line),
  place_text(Url, Line, Where),
  What = fn:string:concat("the name: the server says ", Name, ", not ", Other).

Decl place_text(Url, Line, Where)
  descr [doc("/app.js:3 of the page's own, else with its host."), mode('+', '+', '-'), deferred()]
  bound [/string, /number, /string].
place_text(Url, Line, Where) :-
  page_origin(Origin),
  :string:starts_with(Url, Origin),
  Short = fn:string:replace(Url, Origin, "", 1),
  Where = fn:string:concat(Short, ":", Line).
place_text(Url, Line, Where) :-
  page_origin(Origin),
  !:string:starts_with(Url, Origin),
  Where = fn:string:concat(Url, ":", Line).

repair("misread_message", "code", "the member that tells what a message is").
repair("misread_message", "endpoint", "call it as the page reads it").
repair("misnamed_message", "code", "what it does with messages of that name").
repair("misnamed_message", "endpoint", "the name that the page knows").
check("misread_message", "its messages are shown").
check("misnamed_message", "its messages are shown").
