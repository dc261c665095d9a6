# The rules of an import (templates/import) over thirty tools of four invented servers (tests/domains/imported): without fault,
# tested rule by rule and answer by answer, and each tier as it goes over the wire.
. tests/support/scratch.sh manglecp mangle

domain=$root/tests/domains/imported
fact() { # PREDICATE ARGUMENT...: as JSON
    python3 -c 'import json, sys; print(json.dumps({"pred": sys.argv[1], "args": sys.argv[2:]}))' "$@"
}
answer() { # FACT...: the payload, in out
    facts=
    for f; do facts="$facts --fact '$f'"; done
    eval "manglecp intent '$domain' use $facts $more --json" >out 2>log
}
holds() { # EXPRESSION over tools (name -> tool) and overview
    python3 - "$1" <<'PY' >>log 2>&1
import json, sys
payload = json.load(open("out"))["payload"]
tools = {t["name"]: t for t in payload["macro_tools"]}
overview = {o["name"]: o["description"] for o in payload.get("x-overview", [])}
sys.exit(not eval(sys.argv[1]))
PY
}

manglecp check "$domain" >out 2>&1 && ! grep -E 'error:|warning:' out
verdict "the domain is without fault" $?
mangle fmt --check "$root/templates/import/rules" "$root/templates/import/embed" "$root/templates/import/facts" >out 2>&1
verdict "its rules are laid out" $?
mangle test "$root/templates/import/rules" "$root/templates/import/embed/rules" >out 2>&1
verdict "its rule tests pass" $?
manglecp test "$domain" --coverage-min 80 >out 2>&1
verdict "its scenarios pass, and reach most rules and tools" $?

more=
answer "$(fact request 'plant tulips, and where is my parcel')" "$(fact has bed north)" "$(fact state parcel 12 'on its way')"
holds 'list(overview) == ["", "garden", "kitchen", "library", "post"]'
verdict "there is a line a server" $?
holds 'tools["track_parcel"]["disclosure_level"] == "full" and "x-call" not in tools["track_parcel"]["metadata"]'
verdict "what is proved is shown in full" $?
holds 'tools["plant"]["metadata"]["x-call"] == "plant(bed, plants: [{kind: str, count: int 1.., note?: str}])"'
verdict "what is alike says how it is called" $?

more='--set line_budget=60'
answer "$(fact request 'the bed, a book, a letter and the pantry')" "$(fact has bed north)"
holds '1 <= len(tools) <= 3'
few=$?
more='--set line_budget=6000'
answer "$(fact request 'the bed, a book, a letter and the pantry')" "$(fact has bed north)"
holds '10 <= len(tools) <= 30'
verdict "a budget of tokens says how many lines there are, and thirty are the most" $((few + $?))

more='--set line_budget=400 --max-tokens 60'
answer "$(fact request 'plant tulips')" "$(fact has bed north)"
holds 'overview == {} and len(tools) >= 1'
few=$?
more='--set line_budget=400 --max-tokens 2000'
answer "$(fact request 'plant tulips')" "$(fact has bed north)"
holds 'len(overview) == 5'
verdict "the lines of servers go before the tools where a client has little room" $((few + $?))

more='--set disclosure.calls=false'
answer "$(fact request 'plant tulips')" "$(fact has bed north)"
holds '"x-call" not in tools["plant"]["metadata"]'
verdict "a domain that does not ask for calls has none" $?

more='--why --set line_budget=400'
answer "$(fact request 'plant tulips')" "$(fact has bed north)"
grep -q 'tool_match' out && grep -q 'affordable' out
verdict "a proof says why a line is there, the search included" $?
more=
answer "$(fact request "$(printf '" OR 1 NEAR( ^plant* -x')")" "$(fact has bed north)" && holds '"plant" in tools'
verdict "what a client says is text, whatever it looks like" $?
echo "1..$count"
