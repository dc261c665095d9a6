-- sqlite: CREATE INDEX edge_a ON edge(a)
WITH RECURSIVE path(a, b) AS (
  SELECT a, b FROM edge
  UNION
  SELECT path.a, edge.b FROM path JOIN edge ON path.b = edge.a)
SELECT a, b FROM path
