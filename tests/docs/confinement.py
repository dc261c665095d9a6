"""Every row of the threat table in docs/confinement.md names tests, and each of them exists. TAP.

A test is named by the word of its file and, in backquotes, its name: a function that its C program runs, or the verdict of a
script. "(as above)" repeats what the word named before."""
import pathlib
import re

page = pathlib.Path("docs/confinement.md").read_text()
part = page[page.index("## Threats"):page.index("## What we start")]
files = dict(re.findall(r"`(\w+)`\s+(?:is\s+)?`(tests/[\w/.]+)`", part[:part.index("| threat")]))
rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")][2:]
count, named = 0, set()


def verdict(name, why):
    global count
    count += 1
    print(f"{'not ok' if why else 'ok'} {count} - {name}" + (f"\n# {why}" if why else ""))


def exists(word, test):
    text = pathlib.Path(files[word]).read_text()
    if files[word].endswith(".c"):
        return re.search(rf"void {test}\(void \*\*", text) and re.search(rf"cmocka_unit_test\w*\({test}\b", text)
    return re.search(rf'verdict "{re.escape(test)}[" ]', text)


def faults(cell):
    word, found = None, 0
    for token in re.findall(r"`[^`]+`|\(as above\)|\([^)]*\)|[a-z]+", cell):
        if token in files:
            word = token
        elif token == "(as above)" and word in named:
            found += 1
        elif token[0] == "`" and word and exists(word, token[1:-1]):
            named.add(word)
            found += 1
        elif token[0] == "`" or token[0] != "(":
            return f"there is no test {token}" + (f" in {files[word]}" if word else "")
    return None if found else "names no test"


verdict("the page says which files the words are", None if len(files) == 6 and all(pathlib.Path(f).exists() for f in files.values())
        else files)
for threat, _, tests in rows:
    verdict(threat, faults(tests))
for path, names in re.findall(r"`(tests/[\w/.]+)`(?:\s+\(((?:`\w+`[,\s]*)+)\))?", page):
    text = pathlib.Path(path).read_text() if pathlib.Path(path).exists() else None
    missing = [n for n in re.findall(r"`(\w+)`", names) if text is not None and not re.search(rf"\b{n}\b", text)]
    if text is None or missing:
        verdict(path, f"{missing} is not in it" if missing else "does not exist")
print(f"1..{count}")
