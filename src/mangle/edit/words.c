/* What the language offers, for completion and help: its words, and the built-ins as their rows
 * say. tests/mangle/edit/test_words.c holds the reserved words against the lexer. */
#include "mangle/builtin/builtin.h"

bool mangle_builtin_at(size_t index, struct mangle_builtin *out)
{
    size_t functions = 0;
    const struct function *f;
    for (; (f = mgi_function_at(functions)) != NULL; functions++) {
        if (functions != index)
            continue;
        *out =
            (struct mangle_builtin){ .name = f->name,
                                     .reducer = f->reduce != NULL,
                                     .min_args = f->min_args,
                                     .max_args = f->max_args,
                                     .type = f->type ? f->type : "",
                                     .doc = f->doc ? f->doc : "",
                                     .example = { f->example[0], f->example[1], f->example[2] } };
        return true;
    }
    const struct builtin_pred *p = mgi_builtin_pred_at(index - functions);
    if (!p)
        return false;
    *out = (struct mangle_builtin){ .name = p->name,
                                    .predicate = true,
                                    .min_args = p->arity,
                                    .max_args = p->arity,
                                    .type = p->type ? p->type : "",
                                    .doc = p->doc ? p->doc : "",
                                    .example = { p->example[0], p->example[1], p->example[2] } };
    return true;
}

/* clang-format off */
static const struct mangle_word words[] = {
    { "Decl", MANGLE_WORD_RESERVED, "Decl p(X, Y) bound [/number, /string].",
      "Declares a predicate: its arguments, documentation, types and modes." },
    { "Package", MANGLE_WORD_RESERVED, "Package name!",
      "Puts the predicates of this file into a package; stands once, at the beginning." },
    { "Use", MANGLE_WORD_RESERVED, "Use name!",
      "Lets this file refer to the predicates of another package as name.p(X)." },
    { "temporal", MANGLE_WORD_RESERVED, "Decl p(X) temporal.",
      "The facts of the declared predicate hold during intervals." },
    { "descr", MANGLE_WORD_RESERVED, "descr [doc(\"text\"), arg(X, \"text\")]",
      "Describes the declared predicate: documentation, modes and how it is evaluated." },
    { "bound", MANGLE_WORD_RESERVED, "bound [/number, /string]",
      "One type for each argument; several rows are alternatives." },
    { "inclusion", MANGLE_WORD_RESERVED, "inclusion [q(X)]",
      "Whenever the declared atom holds, these hold too." },
    { "let", MANGLE_WORD_RESERVED, "|> let V = fn:plus(X, 1)",
      "Gives a name to a value that a function makes of each row, or a reducer of each group." },
    { "do", MANGLE_WORD_RESERVED, "|> do fn:group_by(K), let N = fn:count()",
      "Groups the rows of the body; each let after it works on a group." },
    { "now", MANGLE_WORD_RESERVED, "p(X)@[now]",
      "The evaluation time, in annotations and windows; in terms it is fn:time:now()." },
    { "opt", MANGLE_WORD_RESERVED, ".Struct<opt /label : /number>",
      "The field may be absent." },

    { "doc", MANGLE_WORD_DESCRIPTOR, "doc(\"text\")", "What the predicate says." },
    { "arg", MANGLE_WORD_DESCRIPTOR, "arg(X, \"text\")",
      "What one argument is; all arguments have one or none has." },
    { "mode", MANGLE_WORD_DESCRIPTOR, "mode('+', '-')",
      "A sign for each argument: '+' must be bound, '-' is answered, '?' is either." },
    { "extensional", MANGLE_WORD_DESCRIPTOR, "extensional()", "Its facts come from outside." },
    { "external", MANGLE_WORD_DESCRIPTOR, "external()",
      "The host answers it during evaluation; needs exactly one mode." },
    { "deferred", MANGLE_WORD_DESCRIPTOR, "deferred()",
      "Its rules are evaluated on demand, for the arguments of each call; needs a mode." },
    { "reflects", MANGLE_WORD_DESCRIPTOR, "reflects(/prefix)",
      "Holds for the names that begin with the prefix." },
    { "fundep", MANGLE_WORD_DESCRIPTOR, "fundep([X], [Y])",
      "The first arguments determine the others; together with merge." },
    { "merge", MANGLE_WORD_DESCRIPTOR, "merge([Y], \"pred\")",
      "Facts that differ only in Y become one, by the named predicate of three arguments." },
    { "private", MANGLE_WORD_DESCRIPTOR, "private()", "Only rules of the same package may read it." },
    { "public", MANGLE_WORD_DESCRIPTOR, "public()", "Says what holds anyway: every package may read it." },

    { "/any", MANGLE_WORD_TYPE, "/any", "Every value." },
    { "/number", MANGLE_WORD_TYPE, "/number", "64-bit integers." },
    { "/float64", MANGLE_WORD_TYPE, "/float64", "Floating-point numbers." },
    { "/string", MANGLE_WORD_TYPE, "/string", "Text in double quotes." },
    { "/bytes", MANGLE_WORD_TYPE, "/bytes", "Bytes, written b\"...\"." },
    { "/name", MANGLE_WORD_TYPE, "/name",
      "Names such as /a/b; any other name /p as a type stands for the names that begin with /p/." },
    { "/time", MANGLE_WORD_TYPE, "/time", "Instants." },
    { "/duration", MANGLE_WORD_TYPE, "/duration", "Lengths of time." },
    { "/bot", MANGLE_WORD_TYPE, "/bot", "No value at all." },

    { "fn:List", MANGLE_WORD_CONSTRUCTOR, ".List<T>", "Lists whose elements are all of T." },
    { "fn:Pair", MANGLE_WORD_CONSTRUCTOR, ".Pair<S, T>", "Pairs of an S and a T." },
    { "fn:Tuple", MANGLE_WORD_CONSTRUCTOR, ".Tuple<S, T, U>", "Three or more values, as nested pairs." },
    { "fn:Map", MANGLE_WORD_CONSTRUCTOR, ".Map<K, V>", "Maps from K to V." },
    { "fn:Struct", MANGLE_WORD_CONSTRUCTOR, ".Struct</label : T>",
      "Structs with these fields and no others." },
    { "fn:opt", MANGLE_WORD_CONSTRUCTOR, "fn:opt(/label, T)", "A field of a struct type that may be absent." },
    { "fn:Union", MANGLE_WORD_CONSTRUCTOR, ".Union<S, T>", "Values of at least one alternative." },
    { "fn:TaggedUnion", MANGLE_WORD_CONSTRUCTOR, ".TaggedUnion</tag, /v : .Struct<...>>",
      "Structs whose tag says which fields they have." },
    { "fn:Singleton", MANGLE_WORD_CONSTRUCTOR, ".Singleton</value>", "Exactly one value." },
    { "fn:Option", MANGLE_WORD_CONSTRUCTOR, ".Option<T>", "A T or nothing." },
};
/* clang-format on */

bool mangle_word_at(size_t index, struct mangle_word *out)
{
    if (index >= sizeof words / sizeof *words)
        return false;
    *out = words[index];
    return true;
}
