# What must not be offered, and what needs consent: mangle test rules
#: load import.mg ../schema/import.mg
Decl prohibited(Tool, Reason).
Decl requires_confirmation(Tool).
Decl trusted_action(Action).
Decl tool_step(Tool, Step, Action).
Decl named_verb(V).
Decl said_verb(V).
Decl opened(S).
tool_step("look", "a", "LOOK").
tool_step("sweep", "a", "SWEEP").
tool_step("call", "a", "CALL").
imported("look", "desk", "look").
imported("sweep", "desk", "sweep").
imported("call", "phone", "call").
effect("look", "none").
effect("sweep", "delete").
effect("call", "network").
verb("look", "get").
verb("sweep", "delete").
verb("call", "send").
said_verb("delete").
harm_guess("look", "none").
harm_guess("sweep", "destructive").
harm_guess("call", "write").

#: test without a reason nothing is out, what destroys asks, and the rest does not
#: expect
trusted_action("LOOK").
trusted_action("CALL").
requires_confirmation("sweep").
#: expect none prohibited/2

#: test a session that only reads keeps what changes nothing, and what reaches out
read_only().
#: expect
prohibited("sweep", "this session only reads").

#: test what makes something for its answer, and what searches, changes nothing
read_only().
imported("generate_chart", "desk", "generate_chart").
effect("generate_chart", "add").
argument("generate_chart", "data", "array", "yes", "").
imported("generate_file", "desk", "generate_file").
effect("generate_file", "add").
argument("generate_file", "to", "string", "yes", "path").
imported("start_search", "desk", "start_search").
effect("start_search", "change").
verb("start_search", "start").
object("start_search", "search").
#: expect
prohibited("sweep", "this session only reads").
prohibited("generate_file", "this session only reads").

#: test a policy at hand rules out effects
has("policy", "no_delete").
#: expect
prohibited("sweep", "a policy rules out what it does").

#: test an author adds policies
has("policy", "quiet").
limits_effect("quiet", "network").
#: expect
prohibited("call", "a policy rules out what it does").

#: test a tool waits for what it works on
tool_needs("look", "lamp").
tool_needs("look", "sun").
#: expect
prohibited("look", "what it works on is not at hand").

#: test one of several kinds is enough, as a thing or as a state
tool_needs("look", "lamp").
tool_needs("look", "sun").
state("sun", "today", "up").
#: expect none prohibited/2

#: test one thing may be asked for
tool_needs_value("call", "line", "open").
has("line", "dead").
#: expect
prohibited("call", "what it works on is not at hand").

#: test all tools of a server wait
server_needs("desk", "room").
#: expect
prohibited("look", "what its server works on is not at hand").
prohibited("sweep", "what its server works on is not at hand").

#: test what is said of a tool stands in place of what is said of its server
server_needs("desk", "room").
tool_needs("look", "lamp").
has("lamp", "red").
#: expect
prohibited("sweep", "what its server works on is not at hand").

#: test a thing at hand may rule a tool out, or a server
tool_refuses("look", "light", "off").
has("light", "off").
server_refuses("phone", "line", "dead").
has("line", "dead").
#: expect
prohibited("look", "it is out in this state").
prohibited("call", "its server is out in this state").

#: test what destroys is offered to who says so, names it, or opens its server
imported("burn", "stove", "burn").
harm("burn", "destructive").
imported("smash", "phone", "smash").
harm("smash", "destructive").
verb("smash", "break").
imported("toss", "desk", "toss").
harm("toss", "destructive").
verb("toss", "throw").
opened("stove").
named_verb("throw").
#: expect
prohibited("smash", "nobody asked for what it does, and that is weighty").

#: test so is what is grave, if it changes something
verb("call", "push").
effect("look", "change").
verb("look", "merge").
#: expect
prohibited("look", "nobody asked for what it does, and that is weighty").

#: test what an author says of harm counts, and not the guess
harm("sweep", "write").
harm("look", "destructive").
said_verb("get").
#: expect
requires_confirmation("look").
