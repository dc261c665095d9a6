"""DuckDB in memory, one thread. Files are read by its own reader."""
import pathlib

import duckdb

import common


def main():
    program, folder, out, answer, relations = common.arguments()
    text = pathlib.Path(program).read_text(encoding="utf-8")
    base = duckdb.connect(":memory:", config={"threads": 1})
    begun = common.cpu()
    for name, types, temporal in relations:
        kinds = ["BIGINT" if letter == "i" else "VARCHAR" for letter in types] + ["BIGINT", "BIGINT"] * temporal
        base.execute(f'CREATE TABLE "{name}"({", ".join(map(" ".join, zip("abcdefgh", kinds)))})')
        base.execute(f"COPY \"{name}\" FROM '{folder}/{name}.tsv' (DELIMITER '\t', HEADER false)")
    loaded = common.cpu()
    base.execute(f"CREATE TABLE answer_{answer[0]} AS {text}")
    common.report(begun, loaded, common.cpu())
    base.execute(f"COPY answer_{answer[0]} TO '{out}' (DELIMITER '\t', HEADER false)")


main()
