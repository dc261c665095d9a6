-- sqlite: CREATE INDEX follows_a ON follows(a)
-- sqlite: CREATE INDEX lives_a ON lives(a)
SELECT f.a AS a, f.b AS b FROM follows f JOIN lives x ON x.a = f.a JOIN lives y ON y.a = f.b AND y.b = x.b
UNION
SELECT f.a, g.b FROM follows f JOIN follows g ON f.b = g.a JOIN lives x ON x.a = f.a JOIN lives y ON y.a = g.b AND y.b = x.b
