# mangle repl on a pseudo-terminal; see repl_terminal.py.
exec python3 "$(dirname "$0")/repl_terminal.py"
