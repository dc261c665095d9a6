wanted(Id, Customer, Amount) :- order(Id, Customer, Product, _, 7, Amount), customer(Customer, 3), product(Product, Kind), Kind < 20.
