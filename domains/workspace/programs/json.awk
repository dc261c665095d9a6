# q(text): a JSON string. Bytes stand for themselves, so the input has to be UTF-8.
function q(text, i, n, c, out) {
    n = length(text)
    for (i = 1; i <= n; i++) {
        c = substr(text, i, 1)
        if (c == "\\" || c == "\"")
            out = out "\\" c
        else if (c in code)
            out = out sprintf("\\u%04x", code[c])
        else
            out = out c
    }
    return "\"" out "\""
}

BEGIN {
    for (i = 1; i < 32; i++)
        code[sprintf("%c", i)] = i
    code[sprintf("%c", 127)] = 127
}
