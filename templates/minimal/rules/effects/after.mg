# What running a tool changed. Clients take this up and send it along with what they ask next.
delta_assert("greeted", [Name], "server") :- invoked("greet"), invoke_arg("name", Name).
