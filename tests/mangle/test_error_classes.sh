# Every class that the engine reports has an error case that shows it, every class that a case shows
# exists in the engine, and every class that sections 8.3 to 8.6 of the language name is reported.
set -u
cd "$(dirname "$0")/../.." || exit 1
count=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

verdict() { # name, file with what is wrong
    count=$((count + 1))
    if [ -s "$2" ]; then
        echo "not ok $count - $1"
        sed 's/^/#   /' "$2"
    else
        echo "ok $count - $1"
    fi
}

# Reported by compilation: string literals in capitals of the engine's diagnostics. EVAL_ERROR is a
# query's; those of evaluation and provenance are no diagnostics.
grep -ohE '"[A-Z]+(_[A-Z]+)+"|"SYNTAX"|"STRATIFY"' -r src/mangle --include='*.c' | tr -d '"' |
    grep -vE '^(MANGLE_|EVAL_ERROR)' | sort -u >"$tmp/reported"
grep -ohE '^\[[A-Z_]+\]' -r tests/mangle/cases/errors --include='*.err' | tr -d '[]' | sort -u \
    >"$tmp/shown"
evaluation='^(EVAL_ERROR|FACT_LIMIT|INTERVAL_LIMIT|TIME_LIMIT|GOAL_NOT_GROUND|NO_PROOF|EXT_[A-Z_]+)$'
sed -n '/^### 8.3/,/^## 9/p' docs/reference/mangle.md | grep -E '^\| M-ANA-[0-9]+ \| `' |
    cut -d'|' -f3 | grep -oE '[A-Z_]{4,}' | sort -u | grep -vE "$evaluation" >"$tmp/named"

comm -23 "$tmp/reported" "$tmp/shown" >"$tmp/without"
verdict "every class that the engine reports has a case" "$tmp/without"
comm -13 "$tmp/reported" "$tmp/shown" >"$tmp/unknown"
verdict "every class that a case shows is one of the engine's" "$tmp/unknown"
comm -23 "$tmp/named" "$tmp/shown" >"$tmp/missing"
verdict "every class of the reference has a case" "$tmp/missing"
[ "$(wc -l <"$tmp/named")" -gt 40 ] && [ "$(wc -l <"$tmp/reported")" -gt 40 ] && : >"$tmp/few" || echo few >"$tmp/few"
verdict "the lists were found" "$tmp/few"

# A message is one line in lower case without a full stop, a hint is a sentence.
grep -rhE '^\[[A-Z_]+\] .*: (error|warning): ' tests/mangle/cases/errors --include='*.err' |
    grep -E '(error|warning): ([A-Z][a-z]|.*[a-z]\.$)' >"$tmp/style"
verdict "messages are in lower case and have no full stop" "$tmp/style"
grep -rhE '^  hint: ' tests/mangle/cases/errors --include='*.err' | grep -vE '[.?]$' >"$tmp/hints"
verdict "hints are sentences" "$tmp/hints"
echo "1..$count"
