"""SQLite through Python's own module, in memory. Indexes are part of evaluation."""
import pathlib
import re
import sqlite3

import common


def main():
    program, folder, out, answer, relations = common.arguments()
    text = pathlib.Path(program).read_text(encoding="utf-8")
    base = sqlite3.connect(":memory:")
    begun = common.cpu()
    for signature in relations:
        name, types, temporal = signature
        columns = "abcdefgh"[:len(types) + 2 * temporal]
        base.execute(f'CREATE TABLE "{name}"({", ".join(columns)})')
        base.executemany(f'INSERT INTO "{name}" VALUES({", ".join("?" * len(columns))})', common.rows(folder, signature))
    loaded = common.cpu()
    for index in re.findall(r"^-- sqlite: (.*)$", text, re.M):
        base.execute(index)
    base.execute(f"CREATE TABLE answer_{answer[0]} AS {text}")
    common.report(begun, loaded, common.cpu())
    common.write(out, base.execute(f"SELECT * FROM answer_{answer[0]}"))


main()
