# Which branches may go: those that nobody protects or uses; those that are not merged only by force.

in_use(Name) :- checked_out(Name).
in_use(Name) :- head(_, Name).
wants_force :- intent_param(/intent, "force", /true).
is_merged(Name) :- merged(Name, _).

Decl spare(Name)
  descr [doc("A branch that is not protected, and that nobody is on.")]
  bound [/string].
spare(Name) :- <-[_, _] branch(Name), !protected_name(Name), !in_use(Name).

Decl deletable(Name)
  descr [doc("A branch that may be deleted: merged, or whoever asks wants it by force.")]
  bound [/string].
deletable(Name) :- spare(Name), is_merged(Name).
deletable(Name) :- spare(Name), wants_force.

Decl unmerged(Name)
  descr [doc("A spare branch that has commits of its own.")]
  bound [/string].
unmerged(Name) :- spare(Name), !is_merged(Name).

# What a client is shown is what it may name.
param_value("delete_branches", "names", Name) :- deletable(Name).
param_bound("delete_branches", "force", /false) :- !wants_force.
param_value("archive_branch", "name", Name) :- unmerged(Name).
