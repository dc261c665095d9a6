# Who may ask what. A listed intent that is not permitted is refused before anything else; an
# unlisted one gets no tools, so that nobody learns whether it exists.

intent_permitted(Name) :- intent_type(_, Name), client_kind("local").
intent_permitted(Name) :- intent_type(_, Name), client_permission("intent:*").
intent_permitted(Name) :-
  intent_type(_, Name), Wanted = fn:string:concat("intent:", Name), client_permission(Wanted).
intent_permitted(Name) :- intent_type(_, Name), client_identity(Who), permitted_intent(Who, Name).
intent_permitted(Name) :- intent_type(_, Name), client_kind("anonymous"), open_intent(Name).
