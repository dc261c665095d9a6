-- sqlite: CREATE INDEX edge_ab ON edge(a, b)
SELECT xy.a AS a, yz.a AS b, yz.b AS c
FROM edge xy JOIN edge yz ON xy.b = yz.a JOIN edge xz ON xz.a = xy.a AND xz.b = yz.b
