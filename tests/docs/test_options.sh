# What docs/serving.md says of `manglecp serve` is what there is: every flag of its help has a row or a line
# there, every flag and key there exists, and the schema for editors knows the same keys.
set -u
if [ ! -x "$BUILD_DIR/bin/manglecp" ]; then
    echo "1..0 # SKIP manglecp is not built"
    exit 0
fi
exec python3 - "$BUILD_DIR/bin/manglecp" <<'PY'
import json, pathlib, re, subprocess, sys

page = pathlib.Path("docs/serving.md").read_text()
told = subprocess.run([sys.argv[1], "serve", "--help"], capture_output=True, text=True).stdout
flags = set(re.findall(r"^  (--[a-z-]+)", told, re.M))
tables = page[page.index("## Telling it"):page.index("## Its life")]
rows = [line for line in tables.splitlines() if re.match(r"\| `[a-z_.]+`", line)]
keys = {key for row in rows for key in re.findall(r"`([a-z_.]+)`", row.split("|")[1])}
of_rows = {flag for row in rows for flag in re.findall(r"--[a-z-]+", row.split("|")[2])}
schema = json.loads(pathlib.Path("docs/serve.schema.json").read_text())


def known(node, at=""):
    """The keys of an object and of what is below it, dotted; those of a listener stand alone."""
    for name, below in node.get("properties", {}).items():
        path = f"{at}{name}"
        listeners = [p for p in below.get("items", {}).get("oneOf", below.get("items", {}).get("anyOf", []))
                     if "properties" in p] if path == "listen" else []
        inner = [below] if "properties" in below else []
        if listeners or not inner:
            yield path
        for one in inner:
            yield from known(one, f"{path}.")
        for one in listeners:
            yield from known(one)


number = 0


def same(what, left, right):
    global number
    number += 1
    print(f"{'ok' if left == right else 'not ok'} {number} - {what}")
    if left != right:
        print(f"# only on the left: {sorted(left - right)}; only on the right: {sorted(right - left)}")


same("the flags of the help are those of the page", flags, of_rows | {"--config", "--print-config"})
same("the keys of the schema are those of the page", set(known(schema)), keys)
print(f"1..{number}")
PY
