# Lines of du -> {"sizes":[{"path":...,"bytes":...}]}
{
    bytes = $0
    sub(/\t.*/, "", bytes)
    path = substr($0, length(bytes) + 2)
    found = found (found == "" ? "" : ",") "{\"path\":" q(path) ",\"bytes\":" (bytes + 0) "}"
}

END { print "{\"sizes\":[" found "]}" }
