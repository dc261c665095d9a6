-- sqlite: CREATE INDEX edge_a ON edge(a)
WITH RECURSIVE path(a, b) AS (
  SELECT a, b FROM edge
  UNION
  SELECT path.a, edge.b FROM path JOIN edge ON path.b = edge.a)
SELECT x.a AS a, y.a AS b FROM node x, node y
EXCEPT
SELECT a, b FROM path
