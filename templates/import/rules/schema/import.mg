# What the rules of an import know: what the importer wrote down of servers and tools (facts/import.mg),
# what an author adds, and what a client may say. The same for every import; of your own, see own.mg.

# ---- what the importer writes: facts/import.mg ----
Decl server(S, Line)
  descr [doc("What the server is for, in one line.")]
  bound [/string, /string].
Decl server_words(S, Words)
  descr [doc("The words of its name.")]
  bound [/string, /string].
Decl imported(T, S, Name)
  descr [doc("The tool T is what the server S calls Name.")]
  bound [/string, /string, /string].
Decl tool_text(T, Names, About, Arguments)
  descr [doc("What is searched: the words of its name, its description, names and descriptions of its arguments."),
         open_to("policy", "domain")]
  bound [/string, /string, /string, /string].
Decl verb(T, V)
  descr [doc("What the tool does: a first argument of verb_words."), open_to("policy", "domain")]
  bound [/string, /string].
Decl object(T, O)
  descr [doc("What it does that to, in the singular."), open_to("policy", "domain")]
  bound [/string, /string].
Decl tag(T, G)
  descr [doc("Whatever else it is."), open_to("policy", "domain")]
  bound [/string, /string].
Decl effect(T, E)
  descr [doc("none, add, change, delete, execute or network."), open_to("policy", "domain")]
  bound [/string, /string].
Decl argument(T, Name, Type, Required, Kind)
  descr [doc("An argument; Required is yes or no, Kind what kind of thing it names, \"\" if that is not known."),
         open_to("policy", "domain")]
  bound [/string, /string, /string, /string, /string].
Decl harm_guess(T, Class)
  descr [doc("none, write or destructive, by verb, object and schema."),
         open_to("policy", "domain")]
  bound [/string, /string].

# ---- words that mean the same: facts/words.mg ----
Decl verb_words(V, Words)
  descr [doc("V and what people say for it.")]
  bound [/string, /string].

# ---- what the author adds: facts/confirmed.mg, rules/policy/own.mg, rules/domain/own.mg ----
Decl harm(T, Class)
  descr [doc("What harm the tool can do, confirmed: in place of harm_guess."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl forbid(T, Why)
  descr [doc("The tool must not be offered in this state. Why is for who reads the log."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl prove(T)
  descr [doc("The tool is what is needed now: it is shown in full, before all that is only alike."),
         open_to("policy", "domain")]
  bound [/string].
Decl tool_needs(T, Kind)
  descr [doc("Without a thing of this kind at hand the tool is of no use. Of several kinds, one is enough."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl server_needs(S, Kind)
  descr [doc("The same of all tools of a server of which tool_needs says nothing."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl tool_needs_value(T, Kind, Value)
  descr [doc("The same of one thing: has(Kind, Value). Of several, one is enough."),
         open_to("policy", "domain")]
  bound [/string, /string, /any].
Decl server_needs_value(S, Kind, Value)
  descr [doc("The same of all tools of a server."), open_to("policy", "domain")]
  bound [/string, /string, /any].
Decl tool_refuses(T, Kind, Value)
  descr [doc("With has(Kind, Value) the tool is out."), open_to("policy", "domain")]
  bound [/string, /string, /any].
Decl server_refuses(S, Kind, Value)
  descr [doc("The same of all tools of a server."), open_to("policy", "domain")]
  bound [/string, /string, /any].
Decl limits_effect(Policy, E)
  descr [doc("With has(\"policy\", Policy), tools with this effect are out."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl grave(V)
  descr [doc("Tools that change something with this verb are offered to those alone who ask for it."),
         open_to("policy", "domain")]
  bound [/string].

# ---- what a client may say ----
Decl request(Text)
  descr [doc("What the user said, word by word."), direction("input")]
  bound [/string].
Decl open_server(S)
  descr [doc("Show all tools of this server, as lines."), direction("input")]
  bound [/string].
Decl wants(V)
  descr [doc("What is to be done, as a verb: get, list, search, create, update, delete, run, ..."),
         direction("input")]
  bound [/string].
Decl has(Kind, Value)
  descr [doc("A thing at hand: has(\"file\", \"notes.txt\"), has(\"issue\", 12)."),
         direction("both")]
  bound [/string, /any].
Decl state(Subject, Key, Value)
  descr [doc("How a thing is: state(\"issue\", 12, \"open\")."), direction("both")]
  bound [/string, /any, /any].
Decl read_only() descr [doc("Nothing may be changed in this session."), direction("input")].

# ---- who is asked: domain.yaml, external ----
Decl tool_match(Text, T, Rank)
  descr [doc("Tools whose texts have words of Text, the best first."),
         external(),
         mode('+', '-', '-')]
  bound [/any, /string, /number].
Decl verb_match(Text, V, Rank)
  descr [doc("Verbs that Text may mean, the best first."), external(), mode('+', '-', '-')]
  bound [/any, /string, /number].
Decl server_match(Text, S, Rank)
  descr [doc("Servers that Text names."), external(), mode('+', '-', '-')]
  bound [/any, /string, /number].
Decl object_match(Text, O, Rank)
  descr [doc("Objects of tools that Text speaks of."), external(), mode('+', '-', '-')]
  bound [/any, /string, /number].

Decl object_word(O, Word)
  descr [doc("What is searched for them."), open_to("policy", "domain")]
  bound [/string, /string].
