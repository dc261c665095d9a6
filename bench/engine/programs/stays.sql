-- sqlite: CREATE INDEX stay_b ON stay(b)
-- sqlite: CREATE INDEX stay_c ON stay(c)
WITH lately AS (SELECT DISTINCT b FROM stay
  WHERE d <= 1718020800000000000 AND e >= 1718020800000000000 - 172800000000000)
SELECT DISTINCT s.b AS a, t.b AS b
FROM lately JOIN stay s ON s.b = lately.b JOIN stay t ON s.c = t.c
WHERE s.d <= t.e AND t.d <= s.e AND s.b < t.b
