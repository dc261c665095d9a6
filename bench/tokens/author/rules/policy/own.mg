# What an author adds to the imported domain: in which state which tool is of no use, or does harm. Written from the
# open tasks alone (tasks/given.jsonl, tasks/open.jsonl), about states and not about single tasks.

tool_is(T, S, Name) :- imported(T, S, Name).

# ---- git ----
server_needs("git", "git_repo").
server_needs("git", "cloned").
server_needs("git", "repo").
server_needs("git", "dir_missing").
tool_needs(T, "keep_changes") :- tool_is(T, "git", "git_reset").
tool_needs_value(T, "last_command", "git commit") :- tool_is(T, "git", "git_reset").
tool_needs_value(T, "confirmed", "discard") :- tool_is(T, "git", "git_reset").
tool_needs_value(T, "confirmed", "discard") :- tool_is(T, "git", "git_clean").
tool_needs(T, "git_behind_of") :- tool_is(T, "git", "git_rebase").
tool_needs(T, "git_operation") :- tool_is(T, "git", "git_rebase").
tool_needs(T, "git_branch_exists") :- tool_is(T, "git", "git_merge").
tool_needs(T, "git_behind") :- tool_is(T, "git", "git_merge").

# A tree with changes that are not committed: nothing that replaces it, nothing that needs it finished.
dirty() :- there("git_dirty").
needs_clean("git_rebase").
needs_clean("git_merge").
needs_clean("git_pull").
needs_clean("git_push").
forbid(T, "there are changes that are not committed") :- dirty(), tool_is(T, "git", Name), needs_clean(Name).
may_discard() :- there("confirmed").
may_discard() :- there("keep_changes").
may_discard() :- there("file_edited_by_me").
forbid(T, "it would replace changes that are not committed") :-
  dirty(),
  tool_is(T, "git", "git_checkout"),
  !may_discard().

# Something is under way, or belongs to others.
forbid(T, "the branch is protected") :- there("protected_branch"), tool_is(T, "git", "git_push").
forbid(T, "something is under way") :- under_way(), tool_is(T, "git", "git_push").
forbid(T, "something is under way") :- under_way(), tool_is(T, "git", "git_commit").
under_way() :- state("git_operation", _, _).
forbid(T, "something is under way") :- under_way(), tool_is(T, "git", "git_reset").
forbid(T, "it is behind") :- there("git_behind_of"), tool_is(T, "git", "git_push").
forbid(T, "it is behind") :- there("git_behind"), tool_is(T, "git", "git_push").
forbid(T, "others have it already") :- is("git_pushed", "true"), tool_is(T, "git", "git_reset").
forbid(T, "others have it already") :- is("git_pushed", "true"), tool_is(T, "git", "git_rebase").

# What is pushed has to be there: commits that are ahead, a tag, a repository that is new.
tool_needs(T, "git_ahead") :- tool_is(T, "git", "git_push").
tool_needs(T, "last_tag") :- tool_is(T, "git", "git_push").
tool_needs(T, "repo_missing") :- tool_is(T, "git", "git_push").
forbid(T, "there is nothing to push") :- state("git_ahead", _, 0), tool_is(T, "git", "git_push").
keeps_here("no_push").
keeps_here("no_publish").
forbid(T, "a policy keeps it here") :- has("policy", P), keeps_here(P), tool_is(T, "git", "git_push").
forbid(T, "a policy keeps it here") :- has("policy", P), keeps_here(P), tool_is(T, "github", "push_files").
local("git_merge").
local("git_pull").
local("git_push").
forbid(T, "the pull request is on the server") :-
  is("viewing", "pull_request"),
  tool_is(T, "git", Name),
  local(Name).

# ---- GitHub ----
server_needs("github", "pull_request").
server_needs("github", "issue").
server_needs("github", "repo").
server_needs("github", "org").
server_needs("github", "cloned").
server_needs("github", "git_remote").
tool_needs(T, "pull_request") :- tool_is(T, "github", "merge_pull_request").
passed() :- state("ci", _, "success").
forbid(T, "its checks have not passed") :- tool_is(T, "github", "merge_pull_request"), !passed().
forbid(T, "changes were asked for") :-
  tool_is(T, "github", "merge_pull_request"),
  state("review_state", _, "changes_requested").
forbid(T, "it is not approved") :- tool_is(T, "github", "merge_pull_request"), !approved().
approved() :- state("review_state", _, "approved").
forbid(T, "it is not open") :- tool_is(T, "github", "merge_pull_request"), !is_open().
is_open() :- state("pull_request", _, "open").
forbid(T, "there is a working copy to push from") :- there("git_repo"), tool_is(T, "github", "push_files").
tool_needs(T, "repo_missing") :- tool_is(T, "github", "push_files").

# ---- browsers: the one that is there ----
server_needs_value("playwright", "browser", "playwright").
server_needs_value("chrome-devtools", "browser", "chrome_devtools").
tool_needs(T, "confirmed") :- tool_is(T, "playwright", "browser_run_code_unsafe").
tool_needs_value(T, "focus", "browser") :- tool_is(T, "chrome-devtools", "close_page").
forbid(T, "a trace is being recorded") :- state("trace", _, "recording"), disturbs(Name), tool_is(T, "chrome-devtools", Name).
disturbs("performance_start_trace").
disturbs("navigate_page").
disturbs("close_page").

# ---- processes and searches ----
tool_needs(T, "confirmed") :- tool_is(T, "desktop-commander", "kill_process").
forbid(T, "no process is at hand") :- tool_is(T, "desktop-commander", "kill_process"), !there("process").
forbid(T, "no process is at hand") :- tool_is(T, "desktop-commander", "force_terminate"), !there("process").
tool_refuses(T, "env", "production") :- tool_is(T, "desktop-commander", "start_process").
tool_needs(T, "started_by_me") :- tool_is(T, "desktop-commander", "force_terminate").
tool_needs(T, "process") :- tool_is(T, "desktop-commander", "interact_with_process").
tool_needs(T, "process") :- tool_is(T, "desktop-commander", "read_process_output").
tool_needs(T, "script") :- tool_is(T, "desktop-commander", "read_process_output").
tool_needs(T, "search_session") :- tool_is(T, "desktop-commander", "stop_search").
tool_needs(T, "search_session") :- tool_is(T, "desktop-commander", "get_more_search_results").

# A confirmation is of one thing.
of_something_else("discard").
of_something_else("forget").
of_something_else("delete").
tool_refuses(T, "confirmed", What) :- of_something_else(What), tool_is(T, "desktop-commander", "kill_process").
tool_refuses(T, "confirmed", What) :- of_something_else(What), tool_is(T, "playwright", "browser_run_code_unsafe").

# ---- files: what writes a whole file is for new ones ----
tool_needs(T, "file_missing") :- tool_is(T, S, "write_file"), S != "".
tool_needs(T, "dir_missing") :- tool_is(T, S, "write_file"), S != "".

# ---- what is kept ----
server_needs("memory", "memory_enabled").
tool_needs_value(T, "confirmed", "forget") :- tool_is(T, "memory", "delete_entities").
tool_needs_value(T, "confirmed", "forget") :- tool_is(T, "memory", "delete_observations").
tool_needs_value(T, "confirmed", "forget") :- tool_is(T, "memory", "delete_relations").
tool_needs(T, "known_relation") :- tool_is(T, "memory", "delete_relations").
server_needs("notion", "notion_workspace").
server_needs("notion", "notion_page").
server_needs("notion", "notion_data_source").
tool_needs_value(T, "confirmed", "delete") :- tool_is(T, "notion", "API-delete-a-block").

# ---- the rest ----
tool_needs(T, "drawio_page") :- tool_is(T, "drawio", "set_page").
server_needs("eslint", "config_file").

# ---- harm, confirmed: what the import guessed to be destructive and can be mended ----
mended("git", "git_add").
mended("git", "git_branch").
mended("git", "git_checkout").
mended("git", "git_remote").
mended("git", "git_stash").
mended("git", "git_tag").
mended("git", "git_worktree").
mended("git", "git_clear_working_dir").
mended("filesystem", "edit_file").
mended("filesystem", "move_file").
mended("desktop-commander", "edit_block").
mended("desktop-commander", "move_file").
mended("desktop-commander", "set_config_value").
mended("desktop-commander", "interact_with_process").
mended("desktop-commander", "write_pdf").
mended("playwright", "browser_close").
mended("playwright", "browser_resize").
mended("playwright", "browser_handle_dialog").
mended("playwright", "browser_emulate_media").
mended("playwright", "browser_file_upload").
mended("playwright", "browser_drop").
mended("playwright", "browser_fill_form").
mended("playwright", "browser_press_key").
mended("playwright", "browser_type").
mended("playwright", "browser_navigate").
mended("playwright", "browser_navigate_back").
mended("playwright", "browser_click").
mended("playwright", "browser_drag").
mended("playwright", "browser_hover").
mended("playwright", "browser_select_option").
mended("playwright", "browser_tabs").
mended("chrome-devtools", "navigate_page").
mended("notion", "API-patch-block-children").
mended("notion", "API-update-a-block").
mended("notion", "API-patch-page").
mended("notion", "API-post-page").
mended("notion", "API-create-a-comment").
mended("notion", "API-update-a-data-source").
mended("notion", "API-create-a-data-source").
mended("notion", "API-move-page").
mended("notion", "API-update-page-markdown").
harm(T, "write") :- mended(S, Name), imported(T, S, Name).
reads("notion", "API-post-search").
reads("notion", "API-query-data-source").
harm(T, "none") :- reads(S, Name), imported(T, S, Name).
