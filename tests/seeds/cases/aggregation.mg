# White paper, "Aggregation and Path-Finding": the pipeline, its groups, count and sum. M-AGG-4
volunteer(/ann, /math, 3). volunteer(/bob, /math, 4). volunteer(/ann, /art, 5).
subjects(S, N, H) :- volunteer(_, S, Hours)
  {{white-paper-aggregation.txt:1 ...=}}{{white-paper-aggregation.txt:2 ...=S}},
  let N = {{white-paper-aggregation.txt:3}},
  let H = {{white-paper-aggregation.txt:4 ...=Hours}}.
