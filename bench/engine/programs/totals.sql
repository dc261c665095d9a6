SELECT a, count(*) AS b, sum(c) AS c, min(c) AS d, max(c) AS e FROM sale GROUP BY a
