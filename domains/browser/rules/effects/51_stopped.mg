# Kinds of fault of what a content security policy stops without a word to the user: a form, a preview, a frame, code in
# an attribute, the address that others begin from. The suspect is 42_policy.mg's: the violation; here stands what a user
# misses by it.

# ---- forms ---------------------------------------------------------------------------------------------

stopped_form(X, Address) :- csp_once(X, "form-action", Address).
form_stopped(I, X) :-
  stopped_form(X, _),
  submitted(I, _, _, _, "false"),
  node_at(I, A),
  node_at(X, B),
  A <= fn:plus(B, 50),
  B <= fn:plus(A, 2000).
suspect(I, "submit_without_effect", Text) :-
  form_stopped(I, X),
  submitted(I, Form, _, _, _),
  stopped_form(X, Address),
  Text = fn:string:concat("the form ", Form, " was not sent to ", Address).
has_stopped_form(X) :- form_stopped(_, X).
causes(I, X, "its form-action does not allow the address that the form is sent to") :-
  form_stopped(I, X).
trouble(I, 66, Text) :-
  form_stopped(I, X),
  submitted(I, Form, _, _, _),
  stopped_form(X, Address),
  Text = fn:string:concat("the form ", Form, " was not sent to ", Address).
trouble(X, 60, Text) :-
  stopped_form(X, Address),
  !has_stopped_form(X),
  Text = fn:string:concat("the form was not sent to ", Address).

# ---- pictures, frames, media -----------------------------------------------------------------------------

shows_something("img-src").
shows_something("frame-src").
shows_something("child-src").
shows_something("media-src").
shows_something("object-src").
stopped_view(X, Blocked) :- csp_once(X, Directive, Blocked), shows_something(Directive).
# Of the page's own: its server's, or what its code has made. What others hand out may be an advertisement.
own_view(X) :- stopped_view(X, Blocked), page_origin(Origin), :string:starts_with(Blocked, Origin).
own_view(X) :- stopped_view(X, Blocked), :string:starts_with(Blocked, "blob").
own_view(X) :-
  stopped_view(X, Blocked),
  :string:starts_with(Blocked, "data"),
  csp_violation(Any, _, Blocked),
  !is_in_head(Any).
# What stands in the head of a document is its icon, which nobody looks for.
is_in_head(X) :-
  csp_violation(X, _, _),
  stack(X, 0, "", Url, Line),
  page(Url, _, _),
  0 < Line,
  Line < 12.
own_view(X) :- stopped_view(X, Blocked), :string:starts_with(Blocked, "/").
view_wanted(X, I) :-
  stopped_view(X, _),
  input(I, Type, _, _)@[T, _],
  is_deed(Type),
  ms(T, A),
  node_at(X, B),
  A <= fn:plus(B, 50),
  B <= fn:plus(A, 3000).
is_wanted(X) :- view_wanted(X, _), !blocked_word(X).
trouble(X, 56, Text) :-
  is_wanted(X),
  stopped_view(X, Blocked),
  Text = fn:string:concat("what the user asked for is not shown: ", Blocked, " is blocked").
trouble(X, 46, Text) :-
  own_view(X),
  !is_wanted(X),
  !blocked_word(X),
  stopped_view(X, Blocked),
  Text = fn:string:concat(Blocked, " is not shown: it is blocked").
# A frame of others that the page waits for to the end.
trouble(X, 46, Text) :-
  waited_frame(X, Blocked),
  Text = fn:string:concat("the page waits for a frame of ", Blocked, ", which is blocked").
causes("shown:spinner", X, "it waits for a frame that the policy blocks") :- waited_frame(X, _).
waited_frame(X, Blocked) :-
  csp_once(X, Directive, Blocked),
  is_for_frames(Directive),
  spins(),
  !own_view(X),
  !blocked_word(X).
is_for_frames("frame-src").
is_for_frames("child-src").
causes(I, X, "what it was to show was blocked") :- view_wanted(X, I), input_without_effect(I).
# A frame that somebody else does not allow, and that the user asked for.
trouble(R, 52, Text) :-
  suspect(R, "frame_refused", _),
  third_party(R),
  asked_after_input(R, _),
  went_text(R, Text).

# ---- code in attributes -----------------------------------------------------------------------------------

stopped_code(X) :- csp_violation(X, "script-src-attr", _).
stopped_code(X) :- csp_violation(X, "script-src", "inline").
stopped_code(X) :- csp_violation(X, "script-src-elem", "inline").
first_stopped(Ms) :- stopped_code(X), node_at(X, M) |> do fn:group_by(), let Ms = fn:min(M).
deaf_button(I) :- is_button(I, _), heard(I, "none"), !has_own_reason(I).
has_own_reason(I) :- has_meant(I).
causes(I, X, "the code that would listen to it was not run") :-
  deaf_button(I),
  first_stopped(Ms),
  stopped_code(X),
  node_at(X, Ms).

# ---- code in the page itself ---------------------------------------------------------------------------------

# What it was to give others is asked for in vain.
starved(X, Name, Where) :-
  stopped_code(X),
  suspect(X, "csp", _),
  inline_gives(Name, Url, Line),
  code_place(Url, Line, Where).
first_starved(X, Name) :- starved(X, N, _) |> do fn:group_by(X), let Name = fn:pick_any(N).
trouble(X, 56, Text) :-
  first_starved(X, Name),
  starved(X, Name, Where),
  Text = fn:string:concat("the page's own script is not run, and ", Where, " asks for `", Name,
                          "`, which it was to set").
change_at(X, Where, Text) :-
  starved(X, Name, Where),
  Text = fn:string:concat("take `", Name, "` from elsewhere than a script in the page itself").

# ---- where addresses begin -----------------------------------------------------------------------------------

stopped_base(X, Base) :- csp_once(X, "base-uri", Base).
astray(R, X) :-
  stopped_base(X, Base),
  went_wrong(R),
  status_of(R, 404),
  url_of(R, Url),
  !:string:starts_with(Url, Base),
  node_at(X, A),
  sent_at(R, B),
  A <= fn:plus(B, 100).
causes(R, X,
       "its address begins elsewhere: the policy did not take the base that the page names") :-
  astray(R, X).
trouble(X, 50, "addresses of the page begin elsewhere than it says") :- astray(_, X).

# ---- styles, workers ---------------------------------------------------------------------------------------------

style_directive("style-src").
style_directive("style-src-attr").
style_directive("style-src-elem").
# By markup or code of the page's own: a widget of others may do without, and so may what a tool puts into the page.
stopped_style(X, Directive) :-
  csp_once(X, Directive, "inline"),
  style_directive(Directive),
  placed_own(X).
placed_own(X) :- issue(X, _, _, _)@[T, _], has_own_frame(X).
# Style attributes: what has no height or width for it is not to be seen at all.
trouble(X, 53, Text) :-
  stopped_style(X, Directive),
  Directive != "style-src-elem",
  style_ignored(Target, Count, Flat),
  0 < Flat,
  Text = fn:string:concat("styles of ", Count, " elements (", Target,
                          ") are not applied, and nothing is to be seen of ", Flat, " of them").
trouble(X, 47, Text) :-
  stopped_style(X, Directive),
  Directive != "style-src-elem",
  style_ignored(Target, Count, 0),
  Text = fn:string:concat("styles of ", Count, " elements (", Target, ") are not applied").
# An element for styles, of the page or made by its code.
trouble(X, 47, Text) :-
  stopped_style(X, "style-src-elem"),
  Text = "a <style> of the page is not applied: the content security policy forbids it".
change_at(X, Where,
          "set it by a class, or by the style of the element in code, which policies allow") :-
  stopped_style(X, _),
  place_of(X, Where).
# A file of styles that is no font's: the page has no look without it.
stopped_sheet(R) :- csp_request(R, _, Directive), style_directive(Directive).
font_sheet(R) :- stopped_sheet(R), url_of(R, Url), :string:contains(Url, "font").
trouble(R, 47, Text) :-
  stopped_sheet(R),
  !font_sheet(R),
  !is_tracker(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is not applied: the content security policy forbids it").
# A worker that does not start does nothing of what it is for.
stopped_worker(X, Blocked) :- csp_once(X, "worker-src", Blocked), has_own_frame(X).
trouble(X, 52, Text) :-
  stopped_worker(X, Blocked),
  Text = fn:string:concat("the worker ", Blocked, " does not start: it is blocked").
