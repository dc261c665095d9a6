"""Functions as actions that a MangleCP server runs.

    from manglecp.actions import action, serve

    @action(side_effects="filesystem_read", idempotent=True)
    def count_lines(path: str, blank: bool = True) -> int:
        \"\"\"Count the lines of a text file.

        path: where the file is
        blank: count empty lines, too
        \"\"\"
        with open(path) as file:
            return sum(1 for line in file if blank or line.strip())

    if __name__ == "__main__":
        serve()

`python3 FILE --list` shows what there is, `--run AID --arg path=README.md` runs one, and `--serve` is what a server
starts. See docs/actions-in-python.md."""

from ._action import Action, action
from ._call import (
    ActionError,
    Artifact,
    Cancelled,
    State,
    cancelled,
    change_facts,
    progress,
    remaining_ms,
    request_id,
)
from ._program import serve

__all__ = [
    "Action",
    "ActionError",
    "Artifact",
    "Cancelled",
    "State",
    "action",
    "cancelled",
    "change_facts",
    "progress",
    "remaining_ms",
    "request_id",
    "serve",
]
