Decl order(Id, Customer, Product, Place, Status, Amount).
Decl customer(Customer, Country).
Decl product(Product, Kind).

wanted(Id, Customer, Amount) :- order(Id, Customer, Product, _, 7, Amount), customer(Customer, 3), product(Product, Kind), Kind < 20.
