# Phase 2: what speaks against a tool. It never reads the selection, and it is pushed up: whatever
# needs something that is barred is unusable too.

barred(Tool) :- prohibited(Tool, _).
barred(Tool) :- requires_capability(Tool, Capability), !server_has_capability(Capability).
barred(Tool) :- tool_category(Tool, Category), client_excludes(Category).
barred(Tool) :- broken_chain(Tool).

# Anonymous callers get tools that change nothing and ask nobody.
barred(Tool) :- client_kind("anonymous"), has_effect(Tool).
barred(Tool) :- client_kind("anonymous"), confirm(Tool).

unusable(Tool) :- barred(Tool).
unusable(Tool) :- tool_requires(Tool, Other), !tool(Other).
unusable(Tool) :- tool_requires(Tool, Other), unusable(Other).
