-- sqlite: CREATE INDEX road_a ON road(a)
WITH RECURSIVE way(a, d) AS (
  SELECT a, 0 FROM start
  UNION
  SELECT road.b, way.d + road.c FROM way JOIN road ON way.a = road.a WHERE way.d + road.c < 60)
SELECT a, min(d) AS b FROM way GROUP BY a
