"""What actions can do to who runs them, by kind of action: the table of docs/confinement.md as calls.

A cell is (word, tool, what, argument, pattern). The word is the document's:

  error    the call fails, with one error; `pattern` is in it
  refused  the call answers that the kernel did not let it
  nothing  the call answers; what it left behind is gone by then
  data     what was given comes back, byte for byte

`tool` is play, or another tool of the kind's domain; those that end with _short have half a second. What a kind
has no cell for it cannot do; the document says why. In arguments: {server} and {host} are process ids; {secret}, {link}
and {made} are paths."""

TIMED_OUT = r"execution_failed timeout .*took too long.*failed: tool timed out after 500 ms"
NOT_READ = r'"EACCES"|"errno": 13\b'
NOT_ALLOWED = r'"EPERM"|"EACCES"|"errno": (1|13)\b'
SIGSYS = r"signal 31 \(SIGSYS\)"

OPTION = "--upload-pack=touch {made}"
SHELL = "; touch {made} $(touch {made}) `touch {made}` | & > x\t'\"\\ * ~"
TEMPLATE = "{{x}} {settings.hidden} {args.text} ${SECRET_OF_THE_SERVER} {{{ %s %n"


def host_program(traced):
    """Programs that speak the toolhost's lines."""
    ended = r"execution_failed tool_error .*ended in the middle of a call: "
    unusable = r"execution_failed bad_output .*the program's line is not usable: "
    return {
        "a crash": ("error", "play", "segv", "", ended + r".*signal 11"),
        "abort": ("error", "play", "abort", "", ended + r".*signal 6"),
        "exit 0 in the middle": ("error", "play", "exit", "", ended + r".*exit code 0"),
        "an endless loop": ("error", "play_short", "spin", "", TIMED_OUT),
        "SIGTERM ignored": ("error", "play_short", "ignore", "", TIMED_OUT),
        "stopping itself": ("error", "play_short", "stop", "", TIMED_OUT),
        "a fork bomb": ("nothing", "play", "hop", "", r'"started"'),
        "a daemon": ("nothing", "play", "detach", "", r'"started"'),
        "a memory bomb": ("error", "play", "memory", "", ended),
        "leaking descriptors": ("nothing", "play", "leak", "", r'"EMFILE"'),
        "a flood on stdout": ("error", "play", "flood_out", "", r"bad_output .*line is longer than 1048576 bytes"),
        "a flood of lines": ("error", "play_short", "flood_lines", "", TIMED_OUT),
        "a flood on stderr": ("error", "play_short", "flood_err", "", TIMED_OUT),
        "no newline": ("error", "play", "no_newline", "", ended),
        "half an answer": ("error", "play", "half_line", "", ended),
        "bad JSON": ("error", "play", "bad_json", "", unusable + "it is no JSON"),
        "bad JSON as output": ("error", "play", "bad_output", "", r"JSON"),
        "bad UTF-8": ("error", "play", "bad_utf8", "", unusable + "it is no JSON: .*UTF-8"),
        "a NUL": ("error", "play", "nul", "", unusable + "it is no JSON"),
        "closed pipes": ("error", "play", "close", "", ended + r".*closed its output"),
        "a late answer": ("error", "play_short", "late", "", TIMED_OUT),
        "a double answer": ("error", "play", "double", "", r"bad_output .*answered twice"),
        "a foreign answer": ("error", "play", "foreign", "", unusable + "it is the answer to another request"),
        "/proc of the server": ("refused", "play", "read", "/proc/{server}/environ", NOT_READ),
        "/proc of its host": ("refused", "play", "read", "/proc/{host}/mem", NOT_READ),
        "ptrace": (*traced, ended + ".*signal 31|SIGSYS"),
        "signals": ("refused", "play", "signal", "{server}", NOT_ALLOWED),
        "sockets": ("refused", "play", "socket", "", NOT_ALLOWED),
        "reading outside": ("refused", "play", "read", "{secret}", NOT_READ),
        "a link that is swapped": ("refused", "play", "read", "{link}", NOT_READ + r'|"inside"'),
        "a slow answer": ("error", "play_short", "drip", "", TIMED_OUT),
        "arguments like options": ("data", "echo", "", OPTION, ""),
        "shell metacharacters": ("data", "echo", "", SHELL, ""),
        "templates in facts": ("data", "told", "", TEMPLATE, ""),
    }


def command():
    failed, unusable = "execution_failed tool_error .*", "execution_failed bad_output .*"
    return {
        "a crash": ("error", "play", "segv", "", failed + r"signal 11 \(SIGSEGV\)"),
        "abort": ("error", "play", "abort", "", failed + r"signal 6 \(SIGABRT\)"),
        "exit 0 in the middle": ("error", "play_json", "exit", "", unusable + "its output is not JSON"),
        "an endless loop": ("error", "play_short", "spin", "", TIMED_OUT),
        "SIGTERM ignored": ("error", "play_short", "ignore_term", "", TIMED_OUT),
        "stopping itself": ("error", "play_short", "stop_itself", "", TIMED_OUT),
        "a fork bomb": ("nothing", "play", "hop", "", r'"started"'),
        "a daemon": ("nothing", "play", "orphans", "", r'"no session\\ndone"'),
        "a memory bomb": ("error", "play", "memory", "", failed + "MemoryError"),
        "leaking descriptors": ("nothing", "play", "leak", "", r'"EMFILE"'),
        "a flood on stdout": ("error", "play", "flood_out", "", unusable + "printed more than 1048576 bytes"),
        "a flood of lines": ("error", "play", "flood_out", "", unusable + "printed more than 1048576 bytes"),
        "a flood on stderr": ("error", "play", "flood_err", "", unusable + "printed more than"),
        "no newline": ("nothing", "play", "no_newline", "", r'"no end"'),
        "half an answer": ("error", "play_json", "half_json", "", unusable + "its output is not JSON: line 1"),
        "bad JSON": ("error", "play_jsonl", "bad_json", "", unusable + "line 2 of its output is not JSON"),
        "bad UTF-8": ("error", "play", "bad_utf8", "", unusable + "its output is not UTF-8 in line 2"),
        "a NUL": ("error", "play", "nul", "", unusable + "its output has a NUL in line 3"),
        "closed pipes": ("error", "play_short", "close", "", TIMED_OUT),
        "a late answer": ("error", "play_short", "late", "", TIMED_OUT),
        "/proc of the server": ("refused", "play", "read", "/proc/{server}/environ", NOT_READ),
        "/proc of its host": ("refused", "play", "read", "/proc/{host}/mem", NOT_READ),
        "ptrace": ("error", "play", "trace", "{server}", failed + SIGSYS),
        "signals": ("refused", "play", "signal", "{server}", NOT_ALLOWED),
        "sockets": ("refused", "play", "socket", "", NOT_ALLOWED),
        "reading outside": ("refused", "play", "read", "{secret}", NOT_READ),
        "a link that is swapped": ("refused", "play", "read", "{link}", NOT_READ + r'|"inside"'),
        "a slow answer": ("error", "play_short", "drip", "", TIMED_OUT),
        "arguments like options": ("error", "echo", "", OPTION, failed + "begins with '-'"),
        "shell metacharacters": ("data", "echo", "", SHELL, ""),
        "templates in facts": ("data", "told", "", TEMPLATE, ""),
    }


def plugin():
    crashed = "execution_failed tool_error .*tool (crashed|exited): "
    return {
        "a crash": ("error", "play", "segv", "", crashed + r"signal 11 \(SIGSEGV\)"),
        "abort": ("error", "play", "abort", "", crashed + r"signal 6 \(SIGABRT\)"),
        "exit 0 in the middle": ("error", "play", "exit", "", crashed + "code 0"),
        "an endless loop": ("error", "play_short", "burn", "", TIMED_OUT),
        "SIGTERM ignored": ("error", "play_short", "deaf", "", TIMED_OUT),
        "stopping itself": ("error", "play_short", "stop_self", "", TIMED_OUT),
        "a fork bomb": ("nothing", "play", "hop", "", r'"errno": 0'),
        "a daemon": ("nothing", "play", "daemonise", "", r'"errno": 0'),
        "a memory bomb": ("nothing", "play", "memory", "", r'"errno": 12'),
        "leaking descriptors": ("nothing", "play", "leak", "1000", r'"errno": 24'),
        "a flood on stdout": ("nothing", "play", "flood", "1", r'"errno": 0'),
        "a flood of lines": ("nothing", "play", "flood", "1", r'"errno": 0'),
        "a flood on stderr": ("nothing", "play", "flood", "2", r'"errno": 0'),
        "bad JSON": ("error", "play", "say", "{not json", "invalid JSON output"),
        "bad UTF-8": ("error", "play", "bad_utf8", "", "output is not valid UTF-8"),
        "a NUL": ("error", "play", "nul", "", "JSON|NUL"),
        "closed pipes": ("error", "play", "close", "", crashed + "protocol violation"),
        "a late answer": ("error", "play_short", "late", "", TIMED_OUT),
        "a double answer": ("error", "play", "answer_others", "16", crashed + "protocol violation"),
        "a foreign answer": ("error", "play", "answer_others", "1", crashed + "protocol violation"),
        "/proc of the server": ("refused", "play", "read", "/proc/{server}/environ", NOT_READ),
        "/proc of its host": ("refused", "play", "read", "/proc/{host}/mem", NOT_READ),
        "ptrace": ("error", "play", "trace", "{server}", crashed + SIGSYS),
        "signals": ("refused", "play", "signal", "{server}", NOT_ALLOWED),
        "sockets": ("refused", "play", "socket", "", NOT_ALLOWED),
        "reading outside": ("refused", "play", "read", "{secret}", NOT_READ),
        "a link that is swapped": ("refused", "play", "read", "{link}", NOT_READ + r'|"errno": 0'),
        "arguments like options": ("data", "echo", "", OPTION, ""),
        "shell metacharacters": ("data", "echo", "", SHELL, ""),
        "templates in facts": ("data", "told", "", TEMPLATE, ""),
    }


def http():
    failed = "execution_failed tool_error .*"
    return {
        "a memory bomb": ("error", "play", "bomb", "", failed + "more bytes than max_bytes"),
        "a flood on stdout": ("error", "play", "endless_body", "", failed + "more bytes than max_bytes"),
        "a flood of lines": ("error", "play", "endless_chunks", "", failed + "more bytes than max_bytes"),
        "a flood on stderr": ("error", "play", "endless_headers", "", failed + "too many or too large headers"),
        "no newline": ("error", "play", "no_http", "", failed),
        "half an answer": ("error", "play", "cut", "", failed + "in the middle"),
        "bad JSON": ("error", "play", "bad_json", "", failed + "not JSON: line 2"),
        "bad UTF-8": ("error", "play", "bad_utf8", "", failed + "not JSON|UTF-8"),
        "a NUL": ("error", "play", "nul", "", failed + "JSON"),
        "closed pipes": ("error", "play", "hang_up", "", failed + "without an answer"),
        "a late answer": ("error", "play_short", "silence", "", TIMED_OUT),
        "a double answer": ("nothing", "play", "twice", "", r'"status": 200.*"body": \{"answer": "first"\}'),
        "a foreign answer": ("nothing", "play", "unasked", "", r'"status": 200.*"body": \{"answer": "asked"\}'),
        "exit 0 in the middle": ("error", "play", "cut_chunk", "", failed + "in the middle"),
        "/proc of the server": ("error", "go", "file", "", failed + "redirects to"),
        "a redirect to a private address": ("error", "go", "meta", "", failed + "redirects to .*not in allow"),
        "a response of 10 GB": ("error", "play", "announced", "", failed + "more bytes than max_bytes"),
        "a slow answer": ("error", "play_short", "slow_body", "", TIMED_OUT),
        "arguments like options": ("data", "echo", "", OPTION, ""),
        "shell metacharacters": ("data", "echo", "", SHELL.replace("\t", " "), ""),
        "templates in facts": ("data", "told", "", TEMPLATE, ""),
    }


def names():
    refused = "execution_failed tool_error .*at an address of a private network or of this machine"
    return {
        "a DNS answer that changes": ("error", "go", "changed", "", refused),
        "an allowed redirect to a private address": ("error", "go", "private", "", refused),
    }


KINDS = {"plugin": plugin(), "python host": host_program(("error", "play", "trace", "{server}")),
         "node host": host_program(("refused", "play", "trace", "{server}")), "command": command(), "http": http(), "names": names()}
