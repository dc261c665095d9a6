# What a run of tests printed -> one JSON object. Names of failed tests are known from TAP, CTest, pytest,
# go, cargo, GoogleTest and whoever prints "FAIL name"; places are file:line of files that are there.
# In the environment: FOLDER, TEST, COMMAND, OUTCOME, CODE, TOOK.
function failed(name) {
    sub(/^[ \t]+/, "", name)
    sub(/[ \t\r]+$/, "", name)
    if (name != "" && !(name in is_failed) && failures < 50) {
        is_failed[name] = 1
        names[++failures] = name
    }
}

function is_file(path, line, is) {
    if (!(path in there)) {
        is = (getline line < (ENVIRON["FOLDER"] "/" path)) >= 0
        close(ENVIRON["FOLDER"] "/" path)
        there[path] = is
    }
    return there[path]
}

function place(path, line, text) {
    if (index(path, ENVIRON["FOLDER"] "/") == 1)
        path = substr(path, length(ENVIRON["FOLDER"]) + 2)
    sub(/^\.\//, "", path)
    if (path ~ /^\// || path ~ /(^|\/)\.\.(\/|$)/ || line + 0 < 1 || line + 0 > 10000000)
        return
    if ((path, line) in is_place || placed >= 20 || looked++ > 400 || !is_file(path))
        return
    is_place[path, line] = 1
    sub(/\r$/, "", text)
    places[++placed] = "{\"path\":" q(path) ",\"line\":" (line + 0) ",\"text\":" q(substr(text, 1, 300)) "}"
}

{
    lines[NR] = $0
    bare = $0
    gsub(/\033\[[0-9;]*m/, "", bare)
}
bare ~ /^[ \t]*not ok/ && bare !~ /#[ \t]*(TODO|SKIP|todo|skip)/ {
    name = bare
    sub(/^[ \t]*not ok[ \t]*[0-9]*[ \t]*-?[ \t]*/, "", name)
    failed(name)
}
bare ~ /^[ \t]*--- FAIL: / { name = bare; sub(/^[ \t]*--- FAIL: /, "", name); sub(/ \([0-9.]+s\)$/, "", name); failed(name) }
bare ~ /^FAILED [^(]/ { name = bare; sub(/^FAILED /, "", name); sub(/ - .*/, "", name); failed(name) }
bare ~ /^FAIL:? / { name = bare; sub(/^FAIL:? +/, "", name); failed(name) }
bare ~ /^test .* \.\.\. FAILED$/ { name = bare; sub(/^test /, "", name); sub(/ \.\.\. FAILED$/, "", name); failed(name) }
bare ~ /^\[  FAILED  \] / { name = bare; sub(/^\[  FAILED  \] /, "", name); sub(/ \([0-9]+ ms\)$/, "", name); failed(name) }
bare ~ /^[ \t]*[0-9]+ - .* \((Failed|Timeout|SEGFAULT)\)$/ { name = bare; sub(/^[ \t]*[0-9]+ - /, "", name); sub(/ \([A-Za-z]+\)$/, "", name); failed(name) }
bare ~ /^[ \t]*File ".*", line [0-9]+/ {
    path = bare
    sub(/^[ \t]*File "/, "", path)
    at = path
    sub(/", line .*/, "", path)
    sub(/.*", line /, "", at)
    place(path, at + 0, bare)
}
{
    rest = bare
    while (match(rest, /[A-Za-z0-9_.\/+-]+\.[A-Za-z0-9_+]+:[0-9]+/)) {
        found = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        at = found
        sub(/.*:/, "", at)
        sub(/:[0-9]+$/, "", found)
        place(found, at, bare)
    }
}

END {
    room = 6000
    for (first = NR + 1; first > 1 && room - length(lines[first - 1]) > 0; first--)
        room -= length(lines[first - 1]) + 1
    for (i = first; i <= NR; i++)
        output = output lines[i] "\n"
    printf "{\"test\":%s,\"command\":%s,\"outcome\":%s,\"exit\":%d,\"seconds\":%d,", q(ENVIRON["TEST"]), \
        q(ENVIRON["COMMAND"]), q(ENVIRON["OUTCOME"]), ENVIRON["CODE"], ENVIRON["TOOK"]
    printf "\"failed\":["
    for (i = 1; i <= failures; i++)
        printf "%s%s", (i > 1 ? "," : ""), q(names[i])
    printf "],\"places\":["
    for (i = 1; i <= placed; i++)
        printf "%s%s", (i > 1 ? "," : ""), places[i]
    printf "],\"output\":%s,\"cut\":%s}\n", q(output), (first > 1 ? "true" : "false")
}
