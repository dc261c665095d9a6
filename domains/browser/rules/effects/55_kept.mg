# Kinds of fault of what a page keeps: what one line writes in a form that another cannot read. To blame is who wrote it.

writes_kept(W, Area, Key, Form, At) :-
  stored(W, Area, Key, Form)@[T, _],
  ms(T, At),
  has_own_frame(W).
# Also what an earlier visit wrote, for what is kept outlives it.
writes_kept(W, Area, Key, Form, At) :-
  stored_before(W, Area, Key, Form)@[T, _],
  ms(T, At),
  has_own_frame(W).
reads_kept(K, Area, Key, Form, At) :-
  storage_read(K, Area, Key, Form)@[T, _],
  ms(T, At),
  has_own_frame(K).

# What nobody means to keep.
no_content("word undefined").
no_content("word NaN").
no_content("word Invalid Date").
no_content(Form) :- is_object(Form).
# An object, an element or a promise that is put there as it is.
is_object(Form) :- stored(_, _, _, Form)@[T, _], :string:starts_with(Form, "word [object ").
is_object(Form) :- storage_read(_, _, _, Form)@[T, _], :string:starts_with(Form, "word [object ").
keeps_nothing(W, Key, Form) :- writes_kept(W, _, Key, Form, _), no_content(Form).
keeps_object(W) :- keeps_nothing(W, _, Form), is_object(Form).
content_of(Form, Text) :- no_content(Form), Text = fn:string:replace(Form, "word ", "", 1).

# A form, and a way to take what is read, that do not go together.
forms_clash(Form, "json") :- no_content(Form).
forms_clash("text", "json").
forms_clash("list", "json").
forms_clash("date", "json").
forms_clash("text", "number").
forms_clash("list", "number").
forms_clash("date", "number").
forms_clash("json array", "number").
forms_clash("json text", "number").
forms_clash("word true", "number").
forms_clash("word false", "number").
forms_clash(Form, "number") :- is_object(Form).
forms_clash("number", "date").
same_truth("true").
same_truth("yes").
same_truth("on").
same_truth("1").
same_lie("false").
same_lie("no").
same_lie("off").
same_lie("0").
as_word(Form, Word) :-
  stored(_, _, _, Form)@[T, _],
  same_truth(Word),
  Form = fn:string:concat("word ", Word).
as_word(Form, Word) :-
  stored(_, _, _, Form)@[T, _],
  same_lie(Word),
  Form = fn:string:concat("word ", Word).
taken_word(How, Word) :- read_as(_, How), same_truth(Word), How = fn:string:concat("word ", Word).
taken_word(How, Word) :- read_as(_, How), same_lie(Word), How = fn:string:concat("word ", Word).
# true is kept, and 1 is looked for.
forms_clash(Form, How) :-
  as_word(Form, A),
  taken_word(How, B),
  A != B,
  same_truth(A),
  same_truth(B).
forms_clash(Form, How) :- as_word(Form, A), taken_word(How, B), A != B, same_lie(A), same_lie(B).
# "dark" in quotes is kept, and dark is looked for.
forms_clash("json text", How) :- read_as(_, How), :string:starts_with(How, "word ").

# The last that was written before it was read.
read_after(W, K) :-
  writes_kept(W, Area, Key, _, A),
  reads_kept(K, Area, Key, Form, B),
  Form != "none",
  writes_kept(W, Area, Key, Form, A),
  A <= fn:plus(B, 5).
kept_misread(W, K, Form, How) :-
  read_after(W, K),
  writes_kept(W, _, _, Form, _),
  read_as(K, How),
  forms_clash(Form, How),
  !is_converted(K).
# An old form is foreseen: read once more, as what it is, and written in the new one.
is_converted(K) :-
  reads_kept(K, Area, Key, Form, A),
  reads_kept(Again, Area, Key, Form, B),
  K != Again,
  !takes_as(Again, K),
  writes_kept(W, Area, Key, New, C),
  New != Form,
  :string:starts_with(New, "json"),
  A <= B,
  B <= C,
  C <= fn:plus(A, 2000).
takes_as(Again, K) :- read_as(K, How), read_as(Again, How).
# Nobody of this visit wrote it.
was_written(Area, Key) :- writes_kept(_, Area, Key, _, _).
misread_of_old(K, Form, How) :-
  reads_kept(K, Area, Key, Form, _),
  !was_written(Area, Key),
  read_as(K, How),
  forms_clash(Form, How),
  !is_converted(K).

# The code that could not take it has put something else in its place, or nothing: it expects what an older version kept.
mended(K) :-
  reads_kept(K, Area, Key, _, B),
  read_as(K, How),
  stored(_, Area, Key, Form)@[T, _],
  ms(T, A),
  B <= A,
  !forms_clash(Form, How).

# The code that could not take it warns of that, and the page goes on.
is_foreseen(K) :-
  fails_after(K, C),
  caught(C, _, Said)@[T, _],
  message(_, "warning", Text)@[S, _],
  :string:contains(Text, Said),
  ms(T, A),
  ms(S, B),
  A <= fn:plus(B, 5),
  B <= fn:plus(A, 200),
  !page_complains().

# Code that fails on it right there.
fails_after(K, E) :-
  reads_kept(K, _, _, _, A),
  own_frame(K, Depth, _, Url, Line),
  Depth <= 2,
  own_frame(E, 0, _, Url, Fails),
  failed_when(E, B),
  A <= fn:plus(B, 5),
  B <= fn:plus(A, 150),
  Line <= fn:plus(Fails, 3),
  Fails <= fn:plus(Line, 12),
  !error_awaits(E, _),
  !is_about_markup(E).
# What is none of it cannot be read as JSON, whatever the code had waited for before.
fails_after(K, E) :-
  reads_kept(K, _, _, Form, A),
  read_as(K, "json"),
  forms_clash(Form, "json"),
  fails_as_json(E),
  failed_when(E, B),
  A <= fn:plus(B, 5),
  B <= fn:plus(A, 150),
  own_frame(E, 0, _, Url, _),
  own_frame(K, Depth, _, Url, _),
  Depth <= 2.
fails_as_json(E) :- is_thrown(E), json_error(E).
fails_as_json(C) :- caught(C, "SyntaxError", _)@[T, _].
failed_when(E, Ms) :- is_thrown(E), error_at(E, Ms).
failed_when(C, Ms) :- caught(C, _, _)@[T, _], ms(T, Ms).
caught_at(K) :- fails_after(K, C), caught(C, _, _)@[T, _].
# Of another layout than the code expects: what was read was JSON, and what came next failed on its members.
layout_misread(W, E) :-
  read_after(W, K),
  reads_kept(K, _, _, Form, _),
  :string:starts_with(Form, "json"),
  fails_after(K, E),
  is_thrown(E),
  speaks_of(E, "missing"),
  !kept_misread(W, K, _, _).
layout_of_old(K, E) :-
  reads_kept(K, Area, Key, Form, _),
  !was_written(Area, Key),
  :string:starts_with(Form, "json"),
  fails_after(K, E),
  is_thrown(E),
  speaks_of(E, "missing").

# Later, and elsewhere: it fails on a member that what was read has, and no answer does.
fails_on_kept(K, E, Name) :-
  reads_kept(K, _, _, Form, A),
  :string:starts_with(Form, "json object"),
  reads_path(E, Name),
  Part = fn:string:concat(" ", Name),
  :string:contains(Form, Part),
  !is_answered_member(Name),
  failed_when(E, B),
  A <= fn:plus(B, 5),
  counts_as_failure(E),
  own_frame(K, Depth, _, Url, _),
  Depth <= 2,
  own_frame(E, 0, _, Url, _).
is_answered_member(Name) :-
  reads_path(_, Name),
  Part = fn:string:concat(".", Name),
  body_type(_, Path, _),
  :string:ends_with(Path, Part).
counts_as_failure(E) :- is_thrown(E), speaks_of(E, "missing").
counts_as_failure(E) :- error_about_name(E, _), is_thrown(E).
counts_as_failure(E) :- error_about_name(E, _), caught_matters(E).
counts_as_failure(E) :- reads_path(E, _), caught_matters(E).
layout_misread(W, E) :- read_after(W, K), fails_on_kept(K, E, _), !kept_misread(W, K, _, _).
layout_of_old(K, E) :-
  reads_kept(K, Area, Key, _, _),
  !was_written(Area, Key),
  fails_on_kept(K, E, _).

# ---- said --------------------------------------------------------------------------------------------------------

in_words(Form, Text) :-
  writes_kept(_, _, _, Form, _),
  !no_content(Form),
  Text = fn:string:replace(Form, "word ", "", 1).
in_words(Form, Text) :- content_of(Form, Text).
taken_as("json", "JSON").
taken_as("number", "a number").
taken_as("date", "a date").
taken_as(How, Text) :-
  read_as(_, How),
  :string:starts_with(How, "word "),
  Text = fn:string:replace(How, "word ", "the word ", 1).
suspect(W, "corrupt_storage", Text) :-
  kept_misread(W, K, Form, How),
  !keeps_object(W),
  writes_kept(W, _, Key, _, _),
  place_of(W, Where),
  place_of(K, There),
  in_words(Form, Kept),
  taken_as(How, Taken),
  Text = fn:string:concat(Where, " keeps ", Key, " as ", Kept, ", and ", There, " takes it as ",
                          Taken).
is_kept_misread(W) :- kept_misread(W, _, _, _).
suspect(W, "corrupt_storage", Text) :-
  keeps_nothing(W, Key, Form),
  keeps_object(W),
  writes_kept(W, Area, _, _, _),
  place_of(W, Where),
  content_of(Form, Kept),
  Text = fn:string:concat(Where, " puts an object into ", Area,
                          " storage as it is, and what is kept there as `", Key, "` is ", Kept).
suspect(W, "corrupt_storage", Text) :-
  keeps_nothing(W, Key, Form),
  !is_kept_misread(W),
  !keeps_object(W),
  place_of(W, Where),
  content_of(Form, Kept),
  Text = fn:string:concat(Where, " keeps ", Kept, " under ", Key).
suspect(W, "corrupt_storage", Text) :-
  layout_misread(W, E),
  writes_kept(W, _, Key, Form, _),
  place_of(W, Where),
  place_of(E, There),
  Text = fn:string:concat(Where, " keeps ", Key, " as ", Form, ", and ", There,
                          " expects another layout").
suspect(K, "corrupt_storage", Text) :-
  misread_of_old(K, Form, How),
  reads_kept(K, _, Key, _, _),
  place_of(K, There),
  taken_as(How, Taken),
  Kept = fn:string:replace(Form, "word ", "", 1),
  Text = fn:string:concat("what is kept under ", Key, " is ", Kept, ", and ", There,
                          " takes it as ", Taken).
suspect(K, "corrupt_storage", Text) :-
  layout_of_old(K, E),
  reads_kept(K, _, Key, Form, _),
  place_of(E, There),
  Text = fn:string:concat("what is kept under ", Key, " is ", Form, ", and ", There,
                          " expects another layout").

# ---- what comes of it ----------------------------------------------------------------------------------------------

was_read(W) :- read_after(W, _).
is_lost(W, Text) :-
  keeps_nothing(W, Key, Form),
  writes_kept(W, Area, Key, Form, _),
  content_of(Form, Kept),
  Text = fn:string:concat("what was to be kept as `", Key, "` in ", Area, " storage is lost: ",
                          Kept).
trouble(W, 54, Text) :- is_lost(W, Text), was_read(W).
trouble(W, 46, Text) :- is_lost(W, Text), !was_read(W).
trouble(W, 52, Text) :-
  kept_misread(W, K, _, How),
  How != "json",
  !mended(K),
  writes_kept(W, _, Key, _, _),
  Text = fn:string:concat("what is kept under ", Key, " is read as something else").
trouble(W, 51, Text) :-
  kept_misread(W, K, _, "json"),
  caught_at(K),
  !mended(K),
  !is_foreseen(K),
  writes_kept(W, _, Key, _, _),
  Text = fn:string:concat("what is kept under ", Key, " cannot be read").
trouble(K, 51, Text) :-
  misread_of_old(K, _, "json"),
  caught_at(K),
  !mended(K),
  !is_foreseen(K),
  reads_kept(K, _, Key, _, _),
  Text = fn:string:concat("what is kept under ", Key, " cannot be read").
trouble(K, 51, Text) :-
  misread_of_old(K, _, How),
  How != "json",
  !mended(K),
  reads_kept(K, _, Key, _, _),
  Text = fn:string:concat("what is kept under ", Key, " is read as something else").
causes(E, W, "what it reads was kept in another form") :-
  kept_misread(W, K, _, _),
  fails_after(K, E).
causes(E, W, "what it reads was kept in another form") :-
  keeps_nothing(W, _, _),
  read_after(W, K),
  fails_after(K, E).
# Where nobody knows who read it: the text of the error tells.
unreadable_object(E, W) :-
  json_error(E),
  error_text(E, Text),
  :string:contains(Text, "[object"),
  keeps_object(W).
causes(E, W, "what it reads was put there so") :- unreadable_object(E, W).
causes(Node, W, "it was put there so") :-
  unreadable_object(E, W),
  corrupt(E, Area),
  storage_node(Area, Node).
causes(E, W, "what it reads was kept in another layout") :- layout_misread(W, E).
causes(E, K, "what it reads was kept in another form") :-
  misread_of_old(K, _, _),
  fails_after(K, E).
causes(E, K, "what it reads was kept in another layout") :- layout_of_old(K, E).
node_text(W, Text) :-
  writes_kept(W, _, Key, _, _),
  place_of(W, Where),
  Text = fn:string:concat(Where, " keeps ", Key).
node_text(K, Text) :-
  reads_kept(K, _, Key, _, _),
  place_of(K, Where),
  Text = fn:string:concat(Where, " reads ", Key).

change_at(W, Where, "JSON.stringify before it is kept") :- keeps_object(W), place_of(W, Where).
change_at(W, Where, "keep it in the form in which it is read") :-
  suspect(W, "corrupt_storage", _),
  !keeps_object(W),
  writes_kept(W, _, _, _, _),
  place_of(W, Where).
change_at(W, Where, "or take it as it is kept") :-
  kept_misread(W, K, _, _),
  !keeps_object(W),
  place_of(K, Where).
change_at(W, Where, "or take it as it is kept") :-
  layout_misread(W, E),
  read_after(W, K),
  fails_on_kept(K, E, _),
  place_of(K, Where).
change_at(W, Where, "or take it as it is kept") :- layout_misread(W, E), place_of(E, Where).
change_at(K, Where, "take it as it is kept, also what is there from before") :-
  suspect(K, "corrupt_storage", _),
  reads_kept(K, _, _, _, _),
  place_of(K, Where).
