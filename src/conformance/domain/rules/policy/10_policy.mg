# What clients ask to be left out, what nobody gets, and what only some get.

prohibited(Tool, "banned by the client") :- fx_ban(Tool).
prohibited("fx_hidden", "policy-reason-0c55") :- tool("fx_hidden").
has_privilege("fx_secret") :- client_permission("fx:privileged").
prohibited("fx_secret", "needs the privilege") :- tool("fx_secret"), !has_privilege("fx_secret").

# What the tools of effects.yaml say of themselves; they have no actions that could.
macro_has_side_effect("fx_danger", "destructive") :- tool("fx_danger").
macro_has_side_effect("fx_danger_twin", "destructive") :- tool("fx_danger_twin").
macro_has_side_effect("fx_write", "filesystem") :- tool("fx_write").
requires_confirmation("fx_write") :- tool("fx_write").
