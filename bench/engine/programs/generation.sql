-- sqlite: CREATE INDEX parent_b ON parent(b)
WITH RECURSIVE same(a, b) AS (
  SELECT x.a, y.a FROM parent x JOIN parent y ON x.b = y.b
  UNION
  SELECT x.a, y.a FROM same JOIN parent x ON x.b = same.a JOIN parent y ON y.b = same.b)
SELECT a, b FROM same
