# What is not done, and what is not done unasked.

# Acting on a page is for its user to decide, also when it is only planned: whoever carries the plan
# out will have been asked once, here.
requires_confirmation("form_fill").
requires_confirmation("click_element").

# No automation where money or access is at stake.
sensitive_page(Url) :- current_url(Url), :string:contains(Url, "/checkout").
sensitive_page(Url) :- current_url(Url), :string:contains(Url, "/payment").
sensitive_page(Url) :- current_url(Url), :string:contains(Url, "/login").
sensitive_page(Url) :- current_url(Url), :string:contains(Url, "/password").
prohibited("form_fill", "no forms are filled in on pages for paying or signing in") :-
  sensitive_page(_).
prohibited("click_element", "nothing is clicked on pages for paying or signing in") :-
  sensitive_page(_).

# What a page stores may tell who its user is.
prohibited("storage_report", "storage is not for strangers") :- client_kind("anonymous").
