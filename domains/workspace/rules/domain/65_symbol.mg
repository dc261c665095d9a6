# Intent find_symbol: the symbol comes as a parameter of the intent; rules make of it what is searched for.

symbol(Symbol) :-
  intent_param(/intent, "symbol", Name),
  Symbol = fn:string:concat(Name),
  Symbol != "".
has_symbol :- symbol(_).
intent_is_symbol :- intent_type(_, "find_symbol").

tool_relevant_to_intent("find_definition", "find_symbol", 95) :- has_symbol.
tool_relevant_to_intent("find_uses", "find_symbol", 88) :- has_symbol.
tool_relevant_to_intent("symbol_history", "find_symbol", 62) :- has_symbol.
tool_relevant_to_intent("search_text", "find_symbol", 80) :- intent_is_symbol, !has_symbol.
tool_relevant_to_intent("search_text", "find_symbol", 40) :- has_symbol.
tool_relevant_to_intent("list_files", "find_symbol", 45) :- intent_is_symbol.
tool_relevant_to_intent("read_lines", "find_symbol", 85) :- has_definition.
tool_relevant_to_intent("who_knows", "find_symbol", 75) :- has_definition.
tool_relevant_to_intent("blame_lines", "find_symbol", 50) :- has_definition.
tool_relevant_to_intent("read_old", "find_symbol", 30) :- has_definition.

definition(Path, Line) :- symbol(Symbol), defined_at(Symbol, Path, Line).
has_definition :- definition(_, _).
param_value("read_lines", "path", Path) :- definition(Path, _).
param_value("who_knows", "path", Path) :- definition(Path, _).
param_value("blame_lines", "path", Path) :- definition(Path, _).

# ---- the symbol, quoted for a regular expression, whatever is in it ----

quoted(Symbol, Quoted) :-
  symbol(Symbol),
  Inner = fn:string:replace(Symbol, "\\E", "\\E\\\\E\\Q", -1),
  Quoted = fn:string:concat("(?<![\\w])\\Q", Inner, "\\E(?!\\w)").

# A word that defines, then the name; a type, then the name and a bracket, without a semicolon (C); the
# name and what it is; a rule.
looks_like(Symbol, Pattern) :-
  quoted(Symbol, Quoted),
  Pattern = fn:string:concat("^[^#\"'/*]*\\b(?:def|class|function|fn|func|struct|enum|union|interface|trait|type|typedef|module|namespace|package|macro_rules!|const|let|var|val|sub|Decl)\\s+(?:\\([^)]*\\)\\s*)?\\*?",
                             Quoted, "|^\\s*#\\s*define\\s+", Quoted, "|^[A-Za-z_][\\w\\s*]*[\\s*]",
                             Quoted, "\\s*\\([^;]*$|^\\}?\\s*", Quoted,
                             "\\s*(?:\\(\\)\\s*\\{|:?=[^=]|:-)|^[^#\"'/*]*\\b\\}\\s*", Quoted,
                             "\\s*;").

param_value("find_definition", "symbol", Symbol) :- symbol(Symbol).
param_bound("find_definition", "pattern", Pattern) :- looks_like(_, Pattern).
param_value("find_uses", "symbol", Symbol) :- symbol(Symbol).
param_bound("find_uses", "pattern", Quoted) :- quoted(_, Quoted).
param_value("symbol_history", "symbol", Symbol) :- symbol(Symbol).
