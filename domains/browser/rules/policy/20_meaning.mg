# What a deed means, and what is not done without the user's word. The target is looked at right before the
# deed: what it is, what it says, where it leads, what its form asks for and would send. The mark of what was
# seen goes along, and the deed refuses if the target means something else by then. No address is searched
# for words: a page is not dangerous because of how it is called.

# ---- what was seen ----------------------------------------------------------------------------------

looked_at(Seen) :- choosing(_, _), step_output("look", Seen).
# Of a plan, the step that was looked at last.
last_call(N) :- choosing("run_plan", _), menu_called(Call, _, _)
  |> do fn:group_by(), let N = fn:max(Call).
looked_at(Seen) :-
  last_call(N),
  menu_called(N, "AID.BROWSER.STEP_LOOK.v1", "OK"),
  menu_output(N, Seen).

meaning(M) :- looked_at(Seen), :match_entry(Seen, "meaning", M).
seen_role(Role) :- meaning(M), :match_entry(M, "role", Role).
seen_name(Name) :- meaning(M), :match_entry(M, "name", Name).
seen_word(Word) :- meaning(M), :match_entry(M, "words", Words), :list:member(Word, Words).
seen_form(Form) :- meaning(M), :match_entry(M, "form", Form).
form_asks(Type) :- seen_form(F), :match_entry(F, "types", Types), :list:member(Type, Types).
form_completes(What) :- seen_form(F), :match_entry(F, "autocomplete", All), :list:member(What, All).
field_completes(What) :- meaning(M), :match_entry(M, "autocomplete", All), :list:member(What, All).

# ---- what is done -----------------------------------------------------------------------------------

to_do("click") :- choosing("click_element", _).
to_do("navigate") :- choosing("navigate_to", _).
to_do("fill_form") :- choosing("form_fill", _).
to_do("submit") :- choosing("form_fill", _), invoke_arg("submit", /true).
to_do(Do) :- choosing("act_on_page", _), invoke_arg("do", Do).
to_do(Do) :- choosing("run_plan", _), looked_at(Seen), :match_entry(Seen, "deed", Do).
pressed_key(Key) :- choosing("act_on_page", _), invoke_arg("do", "press"), invoke_arg("value", Key).
pressed_key(Key) :- choosing("run_plan", _), looked_at(Seen), :match_entry(Seen, "key", Key).

# A press of the mouse or of a key sets it off.
presses :- to_do("click").
presses :- to_do("double_click").
presses :- to_do("drag").
presses :- to_do("check").
presses :- to_do("uncheck").
presses_enter :- pressed_key(Key), :string:ends_with(Key, "Enter").
presses :- presses_enter.
presses :- pressed_key(Key), :string:ends_with(Key, "Space").
presses :- pressed_key(Key), :string:ends_with(Key, " ").

# A form goes off: by its button, or by Enter in one of its fields.
submits :- to_do("submit").
submits :- presses, meaning(M), :match_entry(M, "submits", /true).
submits :- presses_enter, seen_form(_).

types_in :- to_do("type").
types_in :- to_do("fill").

# The words that tell are those of what is pressed, and of the button of a form that goes off.
telling_word(Word) :- presses, weighty, seen_word(Word).
telling_word(Word) :-
  submits,
  seen_form(F),
  :match_entry(F, "submit_words", Words),
  :list:member(Word, Words).

# What something is dragged to is judged as if it were pressed, and by what places are called.
drop(M) :- to_do("drag"), looked_at(Seen), :match_entry(Seen, "drop", M).
drop_form(Form) :- drop(M), :match_entry(M, "submits", /true), :match_entry(M, "form", Form).
telling_word(Word) :-
  drop(M),
  :match_entry(M, "word_count", N),
  N <= 4,
  :match_entry(M, "words", Words),
  :list:member(Word, Words).
telling_word(Word) :-
  drop_form(F),
  :match_entry(F, "submit_words", Words),
  :list:member(Word, Words).
place_word(Word) :-
  drop(M),
  :match_entry(M, "word_count", N),
  N <= 4,
  :match_entry(M, "words", Words),
  :list:member(Word, Words).
place_word(Word) :- drop(M), :match_entry(M, "called", Words), :list:member(Word, Words).

# A name of a few words says what a press does; a longer one is the title of something to read.
weighty :- seen_role("button").
weighty :- seen_role("menuitem").
weighty :- seen_role("switch").
weighty :- seen_role("generic").
weighty :- seen_role("link"), meaning(M), :match_entry(M, "word_count", N), N <= 3.
weighty :- seen_role("tab").
weighty :- seen_role("option").

# ---- what that means --------------------------------------------------------------------------------

# Kinds in order of weight: who is asked is told the gravest.
gravity("pay", 1).
gravity("delete", 2).
gravity("sign_in", 3).
gravity("send", 4).
gravity("upload", 5).
gravity("download", 6).
gravity("leave", 7).
gravity("undo", 8).
gravity("dialogs", 9).

danger(Kind) :- telling_word(Word), means(Word, Kind).

card_word("cc-number").
card_word("cc-csc").
card_word("cc-exp").
card_word("cc-name").
card_word("cc-exp-month").
card_word("cc-exp-year").
danger("pay") :- submits, form_completes(What), card_word(What).
danger("pay") :- to_do("fill_form"), form_completes(What), card_word(What).
danger("pay") :- types_in, field_completes(What), card_word(What).

danger("sign_in") :- submits, form_asks("password").
danger("sign_in") :- to_do("fill_form"), form_asks("password").
danger("sign_in") :- types_in, meaning(M), :match_entry(M, "type", "password").

danger("send") :- submits, seen_form(F), :match_entry(F, "method", "post").

danger(Kind) :- place_word(Word), takes(Word, Kind).
danger("send") :- drop_form(F), :match_entry(F, "method", "post").
danger("sign_in") :- drop_form(F), :match_entry(F, "types", Types), :list:member("password", Types).
danger("pay") :-
  drop_form(F),
  :match_entry(F, "autocomplete", All),
  :list:member(What, All),
  card_word(What).

danger("upload") :- to_do("upload").
danger("dialogs") :- to_do("accept_dialogs").
danger("download") :-
  presses,
  meaning(M),
  :match_entry(M, "link", L),
  :match_entry(L, "download", /true).

leaves_for(Origin) :- looked_at(Seen), :match_entry(Seen, "leaves", Origin), Origin != "".
danger("leave") :- presses, leaves_for(_).
danger("leave") :- submits, leaves_for(_).
danger("leave") :- to_do("navigate"), leaves_for(_).

# What undoes a step runs when something has failed, and nobody is asked then: so it is now.
plan_has_undo :-
  choosing("run_plan", _),
  menu_turn(2),
  menu_input("steps", Steps),
  :list:member(Step, Steps),
  :match_entry(Step, "undo", _).
danger("undo") :- plan_has_undo.

lighter(Kind) :- danger(Kind), danger(Other), gravity(Kind, G), gravity(Other, H), H < G.
gravest(Kind) :- danger(Kind), !lighter(Kind).

# ---- asking -----------------------------------------------------------------------------------------

consent_text("pay", "This pays, or gives payment data.").
consent_text("delete", "This deletes something.").
consent_text("sign_in", "This signs in, or gives a password to the page.").
consent_text("send", "This sends or publishes something.").
consent_text("upload", "This gives files to the page.").
consent_text("download", "This downloads a file.").
consent_text("leave", "This leaves the site for another one.").
consent_text("dialogs", "This accepts, unread, what the page will ask in dialogs.").
consent_text("undo", "If a step of this plan fails, its undo steps run without asking again.").

has_name :- seen_name(Name), Name != "".
target_text(Text) :-
  seen_role(Role),
  has_name,
  seen_name(Name),
  meaning(M),
  :match_entry(M, "page", Page),
  Text = fn:string:concat(" It is the ", Role, " \"", Name, "\" of ", Page, ".").
has_target_text :- target_text(_).
where_text(Text) :- leaves_for(Origin), Text = fn:string:concat(" It leads to ", Origin, ".").
where_text("") :- choosing(_, _), !leaves_somewhere.
leaves_somewhere :- leaves_for(_).
named_target(Text) :- target_text(Text).
named_target(Text) :-
  !has_target_text,
  meaning(M),
  :match_entry(M, "page", Page),
  Text = fn:string:concat(" It is on ", Page, ".").
named_target("") :- choosing(_, _), !has_meaning.
has_meaning :- meaning(_).

drop_text(Text) :-
  drop(M),
  :match_entry(M, "role", Role),
  :match_entry(M, "name", Name),
  Text = fn:string:concat(" It is dragged to the ", Role, " \"", Name, "\".").
has_drop :- drop(_).
drop_text("") :- choosing(_, _), !has_drop.

agreed_to(Kind) :- choosing("form_fill", _), menu_input("agreed", Kind).
asked_question(Question) :-
  gravest(Kind),
  !agreed_to(Kind),
  consent_text(Kind, What),
  named_target(Target),
  drop_text(Drop),
  where_text(Where),
  Question = fn:string:concat(What, Target, Drop, Where, " Go on?").

asking_action("act_on_page", "act", Action) :- deed_action(_, Action).
asking_action("click_element", "act", "AID.BROWSER.CLICK.v1").
asking_action("form_fill", "fill", "AID.BROWSER.FORM_FILL.v1").
asking_action("navigate_to", "act", "AID.BROWSER.NAVIGATE.v1").
asking_action("run_plan", "run", "AID.BROWSER.STEP.v1").
menu_ask(Tool, Step, Action, Question) :-
  choosing(Tool, Step),
  asking_action(Tool, Step, Action),
  asked_question(Question).
