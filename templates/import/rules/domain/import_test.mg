# What is shown, in which order, and how much: mangle test rules
#: load import.mg ../policy/import.mg ../schema/import.mg
Decl prohibited(Tool, Reason).
Decl requires_confirmation(Tool).
Decl trusted_action(Action).
Decl tool_step(Tool, Step, Action).
Decl intent_type(Intent, Name).
Decl intent_param(Intent, Key, Value).
Decl setting(Key, Value).
Decl tool_rank(Tool, Rank).
Decl line_tokens(Tool, Tokens).
Decl overview(Part, Line).
Decl tool_relevant_to_intent(Tool, Intent, Score).
intent_type(/intent, "use").
setting("line_budget", 100).
setting("open_budget", 60).
verb_words("delete", "delete remove").
verb_words("send", "send").
server("desk", "A desk").
server("phone", "A phone").
imported("look", "desk", "look").
imported("sweep", "desk", "sweep").
imported("call", "phone", "call").
tool_rank("call", 0).
tool_rank("look", 1).
tool_rank("sweep", 2).
line_tokens("call", 40).
line_tokens("look", 50).
line_tokens("sweep", 30).
verb("look", "get").
verb("sweep", "delete").
verb("call", "send").
object("look", "lamp").
object("sweep", "crumb").

#: test nothing said, nothing shown but what there is
#: expect
overview("desk", "A desk").
overview("phone", "A phone").
overview("", "servers; open_server NAME, a fact or a parameter, shows all tools of one").
#: expect none tool_relevant_to_intent/3

#: test of many servers those of what is shown have a line, and the others a name
server("s01", "x").
imported("t01", "s01", "t").
tool_rank("t01", 11).
line_tokens("t01", 40).
server("s02", "x").
imported("t02", "s02", "t").
tool_rank("t02", 12).
line_tokens("t02", 40).
server("s03", "x").
imported("t03", "s03", "t").
tool_rank("t03", 13).
line_tokens("t03", 40).
server("s04", "x").
imported("t04", "s04", "t").
tool_rank("t04", 14).
line_tokens("t04", 40).
server("s05", "x").
imported("t05", "s05", "t").
tool_rank("t05", 15).
line_tokens("t05", 40).
server("s06", "x").
imported("t06", "s06", "t").
tool_rank("t06", 16).
line_tokens("t06", 40).
server("s07", "x").
imported("t07", "s07", "t").
tool_rank("t07", 17).
line_tokens("t07", 40).
server("s08", "x").
imported("t08", "s08", "t").
tool_rank("t08", 18).
line_tokens("t08", 40).
server("s09", "x").
imported("t09", "s09", "t").
tool_rank("t09", 19).
line_tokens("t09", 40).
server("s10", "x").
imported("t10", "s10", "t").
tool_rank("t10", 20).
line_tokens("t10", 40).
server("s11", "x").
imported("t11", "s11", "t").
tool_rank("t11", 21).
line_tokens("t11", 40).
server("s12", "x").
imported("t12", "s12", "t").
tool_rank("t12", 22).
line_tokens("t12", 40).
server("s13", "x").
imported("t13", "s13", "t").
tool_rank("t13", 23).
line_tokens("t13", 40).
server("s14", "x").
imported("t14", "s14", "t").
tool_rank("t14", 24).
line_tokens("t14", 40).
server("s15", "x").
imported("t15", "s15", "t").
tool_rank("t15", 25).
line_tokens("t15", 40).
server("s16", "x").
imported("t16", "s16", "t").
tool_rank("t16", 26).
line_tokens("t16", 40).
server("s17", "x").
imported("t17", "s17", "t").
tool_rank("t17", 27).
line_tokens("t17", 40).
server("s18", "x").
imported("t18", "s18", "t").
tool_rank("t18", 28).
line_tokens("t18", 40).
server("s19", "x").
imported("t19", "s19", "t").
tool_rank("t19", 29).
line_tokens("t19", 40).
request("a call").
tool_match(["a call", "use"], "call", 1).
tool_match(["a call", "use"], "t07", 2).
#: expect
overview("", "servers; open_server NAME, a fact or a parameter, shows all tools of one").
overview("phone", "A phone").
overview("desk", "").
overview("s01", "").
overview("s02", "").
overview("s03", "").
overview("s04", "").
overview("s05", "").
overview("s06", "").
overview("s07", "x").
overview("s08", "").
overview("s09", "").
overview("s10", "").
overview("s11", "").
overview("s12", "").
overview("s13", "").
overview("s14", "").
overview("s15", "").
overview("s16", "").
overview("s17", "").
overview("s18", "").
overview("s19", "").

#: test a server of which nothing is allowed is not named
forbid("call", "no line").
#: expect
overview("desk", "A desk").
overview("", "servers; open_server NAME, a fact or a parameter, shows all tools of one").

#: test what is alike comes by its place, as far as the budget reaches
request("a lamp and crumbs and a call").
tool_match("a lamp and crumbs and a call", "look", 1).
tool_match("a lamp and crumbs and a call", "sweep", 2).
tool_match("a lamp and crumbs and a call", "call", 3).
tool_match(["a lamp and crumbs and a call", "use"], "look", 1).
tool_match(["a lamp and crumbs and a call", "use"], "sweep", 2).
tool_match(["a lamp and crumbs and a call", "use"], "call", 3).
#: expect
tool_relevant_to_intent("look", "use", 69).
tool_relevant_to_intent("sweep", "use", 68).

#: test where there is room for all, all are shown, what is alike first
setting("line_budget", 120).
request("a call").
tool_match(["a call", "use"], "call", 1).
#: expect
tool_relevant_to_intent("call", "use", 69).
tool_relevant_to_intent("look", "use", 68).
tool_relevant_to_intent("sweep", "use", 67).

#: test what is forbidden makes room
request("a lamp and crumbs and a call").
tool_match("a lamp and crumbs and a call", "look", 1).
tool_match("a lamp and crumbs and a call", "sweep", 2).
tool_match("a lamp and crumbs and a call", "call", 3).
tool_match(["a lamp and crumbs and a call", "use"], "look", 1).
tool_match(["a lamp and crumbs and a call", "use"], "sweep", 2).
tool_match(["a lamp and crumbs and a call", "use"], "call", 3).
forbid("look", "it is dark").
#: expect
tool_relevant_to_intent("sweep", "use", 69).
tool_relevant_to_intent("call", "use", 68).

#: test a verb that is named counts more than a place
wants("delete").
request("lamp, crumbs").
tool_match("lamp, crumbs", "look", 1).
tool_match("lamp, crumbs", "sweep", 2).
tool_match(["delete", "lamp, crumbs", "use"], "look", 1).
tool_match(["delete", "lamp, crumbs", "use"], "sweep", 2).
#: expect
tool_relevant_to_intent("sweep", "use", 69).
tool_relevant_to_intent("look", "use", 68).

#: test what is equally good comes in the order of names
request("x").
tool_match("x", "sweep", 1).
request("y").
tool_match("y", "look", 1).
tool_match(["use", "x", "y"], "look", 1).
tool_match(["use", "x", "y"], "sweep", 1).
#: expect
tool_relevant_to_intent("look", "use", 69).
tool_relevant_to_intent("sweep", "use", 68).

#: test a parameter says what was said, too
intent_param(/intent, "request", "lamp").
tool_match("lamp", "look", 1).
tool_match(["lamp", "use"], "look", 1).
#: expect
tool_relevant_to_intent("look", "use", 69).

#: test an opened server shows all that it has, the best as lines, the rest by name, and nothing else is alike
open_server("desk").
request("call crumbs").
tool_match("call crumbs", "call", 1).
tool_match("call crumbs", "sweep", 2).
#: expect
tool_relevant_to_intent("sweep", "use", 69).
tool_relevant_to_intent("sweep", "use", 25).
tool_relevant_to_intent("look", "use", 25).

#: test parameters of the intent say the same as facts
intent_param(/intent, "open_server", "phone").
intent_param(/intent, "wants", "send").
intent_param(/intent, "goal", "talk to somebody").
#: expect
opened("phone").
wanted("send").
named("use").
named("send").
named("talk to somebody").
tool_relevant_to_intent("call", "use", 69).
tool_relevant_to_intent("call", "use", 25).

#: test what rules prove stands above, and takes no line
prove("call").
request("lamp").
tool_match("lamp", "call", 1).
tool_match("lamp", "look", 2).
tool_match(["lamp", "use"], "call", 1).
tool_match(["lamp", "use"], "look", 2).
#: expect
tool_relevant_to_intent("call", "use", 95).
tool_relevant_to_intent("look", "use", 69).

#: test nobody proves what is forbidden
prove("call").
forbid("call", "no line").
#: expect none proved/1

#: test several servers are opened by a list
intent_param(/intent, "open_server", ["phone", "desk", "attic"]).
#: expect
opened("phone").
opened("desk").

#: test a verb that the client names proves the one tool whose own name has it, if all that it does that to is spoken of
wants("sweep").
verb("sweep", "sweep").
request("crumbs").
object_match("crumbs", "crumb", 1).
#: expect
proved("sweep").
tool_relevant_to_intent("sweep", "use", 95).

#: test what is only at hand proves nothing
wants("sweep").
verb("sweep", "sweep").
has("crumb", "toast").
#: expect none proved/1

#: test what is at hand is enough beside what is spoken of
wants("sweep").
verb("sweep", "sweep").
object("sweep", "chimney").
has("chimney", "north").
request("crumbs").
object_match("crumbs", "crumb", 1).
#: expect
proved("sweep").
tool_relevant_to_intent("sweep", "use", 95).

#: test another word for a verb proves nothing
wants("delete").
request("crumbs").
object_match("crumbs", "crumb", 1).
#: expect none proved/1

#: test what does it to a thing that nobody knows of is not proved
wants("sweep").
verb("sweep", "sweep").
object("sweep", "chimney").
request("crumbs").
object_match("crumbs", "crumb", 1).
#: expect none proved/1

#: test of two tools that do it neither is proved
wants("sweep").
verb("sweep", "sweep").
imported("sweep_all", "desk", "sweep_all").
verb("sweep_all", "sweep").
object("sweep_all", "crumb").
tool_rank("sweep_all", 3).
line_tokens("sweep_all", 30).
request("crumbs").
object_match("crumbs", "crumb", 1).
#: expect none proved/1

#: test what destroys is never proved so
wants("sweep").
verb("sweep", "sweep").
harm("sweep", "destructive").
request("crumbs").
object_match("crumbs", "crumb", 1).
#: expect none proved/1

#: test what is not alike in all that is said and known is not compared
request("lamp").
tool_match("lamp", "look", 1).
#: expect none tool_relevant_to_intent/3
