# Intent clean_up: look first, then remove what was seen.

intent_is_clean :- intent_type(_, "clean_up").
tool_relevant_to_intent("list_branches", "clean_up", 90) :- intent_is_clean, !fresh("branches").
tool_relevant_to_intent("list_branches", "clean_up", 45) :- fresh("branches").
tool_relevant_to_intent("list_leftovers", "clean_up", 85) :- intent_is_clean, !fresh("leftovers").
tool_relevant_to_intent("list_leftovers", "clean_up", 45) :- fresh("leftovers").
tool_relevant_to_intent("delete_branches", "clean_up", 92) :- deletable(_).
tool_relevant_to_intent("archive_branch", "clean_up", 80) :- has_forgotten.
tool_relevant_to_intent("remove_build_products", "clean_up", 82) :- has_products.
tool_relevant_to_intent("bring_back", "clean_up", 40) :- something_is_stashed.

param_value("remove_build_products", "paths", Path) :- build_product(Path, _).
