-- sqlite: CREATE INDEX order_e ON "order"(e)
-- sqlite: CREATE INDEX customer_a ON customer(a)
-- sqlite: CREATE INDEX product_a ON product(a)
SELECT o.a AS a, o.b AS b, o.f AS c
FROM "order" o JOIN customer c ON o.b = c.a JOIN product p ON o.c = p.a
WHERE o.e = 7 AND c.b = 3 AND p.b < 20
