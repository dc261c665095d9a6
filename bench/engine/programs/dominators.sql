-- sqlite: CREATE INDEX edge_a ON edge(a)
WITH RECURSIVE reached(a) AS (
  SELECT 0
  UNION
  SELECT edge.b FROM reached JOIN edge ON reached.a = edge.a),
avoiding(d, a) AS (
  SELECT node.a, 0 FROM node WHERE node.a <> 0
  UNION
  SELECT avoiding.d, edge.b FROM avoiding JOIN edge ON avoiding.a = edge.a WHERE avoiding.d <> edge.b)
SELECT node.a AS a, reached.a AS b FROM node, reached
EXCEPT
SELECT d, a FROM avoiding
