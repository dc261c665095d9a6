# The outcome of a bisection -> one JSON object. Input: the end of what the last failed run printed, then
# the file of runs (commit outcome seconds). In the environment: STATE, CULPRIT, ABOUT, GOOD, BAD, LEFT,
# TOTAL, TEST.
FNR == 1 && FILENAME != "" && FILENAME != "-" { in_runs = 1 }
!in_runs { output = output $0 "\n"; next }
{
    runs = runs (runs == "" ? "" : ",") "{\"commit\":" q($1) ",\"outcome\":" q($2) ",\"seconds\":" ($3 + 0) "}"
    count++
}

END {
    printf "{\"state\":%s,\"test\":%s,", q(ENVIRON["STATE"]), q(ENVIRON["TEST"])
    if (ENVIRON["CULPRIT"] != "") {
        split(ENVIRON["ABOUT"], about, "\037")
        printf "\"culprit\":{\"id\":%s,\"author\":%s,\"time\":%s,\"subject\":%s},", q(ENVIRON["CULPRIT"]), q(about[1]), \
            q(about[2]), q(substr(about[3], 1, 300))
    }
    printf "\"good\":%s,\"bad\":%s,\"left\":%d,\"total\":%d,\"runs\":[%s],\"output\":%s}\n", q(ENVIRON["GOOD"]), \
        q(ENVIRON["BAD"]), ENVIRON["LEFT"], ENVIRON["TOTAL"], runs, q(output)
}
