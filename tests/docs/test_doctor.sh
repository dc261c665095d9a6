# docs/doctor.md has a row for each finding that `manglecp doctor` can make, with its severity, and no other; and a
# row for each client, with its files. docs/mcp-clients.md names the same clients. X-ACT-1.
set -u
exec python3 - <<'PY'
import pathlib, re

source = pathlib.Path("src/cli/manglecp_doctor.h").read_text().replace("\\\n", " ")
page = pathlib.Path("docs/doctor.md").read_text()
clients = pathlib.Path("src/cli/manglecp_clients.c").read_text()
setup = pathlib.Path("docs/mcp-clients.md").read_text()
made = {(word, severity.lower()) for word, severity in re.findall(r'X\(\w+,\s*"([a-z-]+)",\s*CHECK_(\w+)', source)}
told = set()
for words, severity in re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \| (\w+) \|", page, re.M):
    told |= {(word, severity) for word in re.findall(r"`([a-z-]+)`", words)}
rows = re.findall(r'\{ "([a-z-]+)", "([^"]+)", CLIENT_\w+, "([^"]+)"', clients)
results = [("findings", len(made) > 25 and made == told, sorted(made ^ told)),
           ("clients and their files", len(rows) > 8 and all(title in page and path in page for _, title, path in rows), rows),
           ("clients of --install", all(f"`{name}`" in setup for name, _, _ in rows), rows)]
for n, (name, good, detail) in enumerate(results, 1):
    print("ok" if good else "not ok", n, "-", name)
    if not good:
        print("#", detail)
print(f"1..{len(results)}")
PY
