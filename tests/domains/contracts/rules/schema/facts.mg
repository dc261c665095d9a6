Decl x_relevant(Tool, Intent, Score) descr [direction("input")] bound [/string, /string, /number].
Decl x_mandatory(Tool, Intent) descr [direction("input")] bound [/string, /string].
Decl x_serves(Tool, Intent) descr [direction("input")] bound [/string, /string].
Decl x_constraint(Tool, Key) descr [direction("input")] bound [/string, /string].
Decl x_met(Key) descr [direction("input")] bound [/string].
Decl x_requires(Tool, Other) descr [direction("input")] bound [/string, /string].
Decl x_conflict(Tool, Other) descr [direction("input")] bound [/string, /string].
Decl x_prohibited(Tool) descr [direction("input")] bound [/string].
Decl x_macro(Tool, Level) descr [direction("input")] bound [/string, /string].
