# What is forbidden, and what needs the user's consent. Rules in rules/domain cannot overrule these.
prohibited("greet", "strangers do not speak for us") :- client_kind("anonymous").

# Take the sign away, and the user is asked before anybody is greeted.
#requires_confirmation("greet").
