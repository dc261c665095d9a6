prohibited(Tool, "banned by a fact") :- fx_ban(Tool).
prohibited("fx_secret", "privileged callers only") :- client_kind(_), !privileged().
privileged() :- client_permission("fx:secret").
privileged() :- client_kind("local").
