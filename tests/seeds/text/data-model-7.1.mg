safe_action("read", Target, _) :- file_exists(Target).
