# Who may ask what. A listed intent that is not permitted is refused before anything else; an
# unlisted one gets no tools, so that nobody learns whether it exists.

named_intent(Name) :- intent_type(_, Name).
named_intent(Name) :- permission_for(Name).

intent_permitted(Name) :- named_intent(Name), client_kind("local").
intent_permitted(Name) :- named_intent(Name), client_permission("intent:*").
intent_permitted(Name) :-
  named_intent(Name),
  Wanted = fn:string:concat("intent:", Name),
  client_permission(Wanted).
intent_permitted(Name) :- named_intent(Name), client_identity(Who), permitted_intent(Who, Name).
intent_permitted(Name) :- named_intent(Name), client_kind("anonymous"), open_intent(Name).
