/* What a tool can do to the world: see harm.h and tool.h.
 *
 * Destructive is what cannot be taken back, or could be anything: deleting, undoing, overwriting,
 * killing, paying, running what it is given, and whatever has a switch for that. Whoever imports
 * confirms it. Servers are not asked for good news; bad news of theirs is believed from those that
 * tell one tool from another. Each rule is a question about the tool; what the rules come to is
 * measured by tests/import/test_harm.c. */
#include "import/harm.h"

const char *mgi_import_harm_name(enum import_harm harm)
{
    static const char *const names[] = { "none", "write", "destructive" };
    return names[harm];
}

struct judging {
    struct arena *arena;
    struct import_tool *t;
};

/* The reason is before, word, after. */
static void worse(struct judging *j, enum import_harm harm, const char *before, struct str word,
                  const char *after)
{
    struct import_tool *t = j->t;
    if (harm <= t->harm)
        return;
    t->harm = harm;
    t->harm_why = harm == HARM_DESTRUCTIVE
                      ? mgi_arena_printf(j->arena, "%s%.*s%s", before, STR_ARG(word), after)
                      : NULL;
}

static void is_write(struct judging *j)
{
    worse(j, HARM_WRITE, "", STR_LIT(""), "");
}

/* ---- questions about words --------------------------------------------------------------------
 */

/* Is it in the list, alone or as a plural? */
static bool names_one_of(struct str word, const char *const *list)
{
    if (mgi_str_is_any(word, list))
        return true;
    bool plural = word.len > 2 && word.ptr[word.len - 1] == 's';
    return plural && mgi_str_is_any((struct str){ word.ptr, word.len - 1 }, list);
}

static bool has_one_of(const struct import_words *w, const char *const *list)
{
    for (size_t i = 0; i < w->count; i++)
        if (names_one_of(w->words[i], list))
            return true;
    return false;
}

/* What a name is about stands at its end: create_payment_link makes a link. */
static bool ends_in_one_of(const struct import_words *w, const char *const *list)
{
    return w->count > 1 && names_one_of(w->words[w->count - 1], list);
}

static bool verb_is(const struct import_tool *t, const char *const *words)
{
    return t->words.verb && mgi_str_is_any(str_of(t->words.verb->word), words);
}

static bool is_canonical(const struct import_tool *t, const char *canonical)
{
    return t->words.verb && strcmp(t->words.verb->canonical, canonical) == 0;
}

static bool has_argument(const struct import_tool *t, const char *const *names)
{
    for (size_t i = 0; i < t->argument_count; i++)
        if (mgi_str_is_any(t->arguments[i].name, names))
            return true;
    return false;
}

/* The name says with no doubt that it looks, or adds. */
static bool is_mild_for_sure(const struct import_tool *t)
{
    const struct import_verb *verb = t->words.verb;
    return verb && t->words.verb_in_name && !verb->weak && verb->effect <= EFFECT_ADD;
}

/* ---- what it does, by its verb and objects ----------------------------------------------------
 */

/* Pictures and the like are worked out and given back, if there is no place to put them. */
static bool works_out(const struct import_tool *t)
{
    static const char *const verbs[] = { "generate", "draw", "plot", NULL };
    static const char *const things[] = { "chart",    "diagram", "map",   "graph", "plot",
                                          "cloud",    "uuid",    "id",    "slug",  "histogram",
                                          "password", "hash",    "image", "code",  NULL };
    if (!verb_is(t, verbs) || !ends_in_one_of(&t->words, things))
        return false;
    for (size_t i = 0; i < t->argument_count; i++)
        if (str_is(t->arguments[i].resource, "path"))
            return false;
    return true;
}

/* A search that goes on in the background looks, too. */
static bool starts_looking(const struct import_tool *t)
{
    static const char *const looks[] = { "search", "query", "scan", NULL };
    return is_canonical(t, "start") && ends_in_one_of(&t->words, looks);
}

static enum import_effect effect_of(const struct import_tool *t)
{
    static const char *const formats[] = { "format", NULL }, *const files[] = { "file", NULL };
    if (t->deletes)
        return EFFECT_DELETE;
    if (t->safe || works_out(t) || starts_looking(t))
        return EFFECT_NONE;
    if (verb_is(t, formats) && has_one_of(&t->words, files))
        return EFFECT_CHANGE; /* a text is given back, a file is changed */
    return t->words.verb ? t->words.verb->effect : EFFECT_CHANGE;
}

/* Of a table; not with a mouse. */
static bool drops(const struct import_tool *t)
{
    static const char *const drop[] = { "drop", NULL };
    static const char *const stores[] = { "table", "database", "index", "column", "schema",
                                          "view",  "bucket",   "topic", "stash",  "collection",
                                          "db",    "keyspace", "queue", NULL };
    return verb_is(t, drop) && has_one_of(&t->words, stores);
}

/* What is taken away is put back as easily, and was not made by anybody. */
static bool is_easily_put_back(const struct import_tool *t)
{
    static const char *const verbs[] = { "remove", "clear", NULL };
    static const char *const things[] = { "cache",    "cart",       "selection", "filter",
                                          "label",    "reaction",   "highlight", "breakpoint",
                                          "assignee", "screen",     "console",   "favorite",
                                          "star",     "subscriber", "watcher",   NULL };
    return verb_is(t, verbs) && ends_in_one_of(&t->words, things);
}

/* remove_and_archive, schedule_key_deletion: a second deed behind the first, which is one only if
 * they are joined, or the first one lets it happen. */
static struct str second_deed(const struct import_tool *t)
{
    static const char *const joins[] = { "and", "or", "then", NULL };
    static const char *const deeds[] = { "deletion", "removal", "deploy", "deployment",
                                         "teardown", "replace", "drop",   NULL };
    const struct import_words *w = &t->words;
    for (size_t i = 1; i < w->count; i++) {
        const struct import_verb *verb = mgi_import_verb(w->words[i]);
        bool bad = (verb && verb->effect == EFFECT_DELETE && !verb->weak) ||
                   mgi_str_is_any(w->words[i], deeds);
        if (bad && (mgi_str_is_any(w->words[i - 1], joins) || is_canonical(t, "start")))
            return w->words[i];
    }
    return STR_LIT("");
}

/* A new content in the place of the old: write_file(path, content), set_page(page, xml). */
static bool overwrites(const struct import_tool *t)
{
    static const char *const contents[] = { "content", "contents", "xml",  "data",   "markdown",
                                            "body",    "text",     "html", "policy", NULL };
    static const char *const set[] = { "set", NULL };
    return (is_canonical(t, "write") || verb_is(t, set)) && has_argument(t, contents) &&
           t->argument_count > 1;
}

/* Who says what is replaced can put it back. */
static bool replaces(const struct import_tool *t)
{
    static const char *const verbs[] = { "replace", NULL };
    static const char *const olds[] = { "old",     "old_string", "oldString", "old_text", "oldText",
                                        "old_str", "search",     "find",      "old_code", NULL };
    return verb_is(t, verbs) && !has_argument(t, olds);
}

/* To create an order may be to note it; to place one is to buy. */
static bool moves_money(const struct import_tool *t)
{
    static const char *const sums[] = { "payment", "refund",     "payout", "transfer",
                                        "charge",  "withdrawal", NULL };
    static const char *const bought[] = { "order", "trade", "purchase", "bid", "bet", NULL };
    static const char *const ways[] = { "place",   "initiate", "confirm", "capture",
                                        "approve", "issue",    NULL };
    bool sum = ends_in_one_of(&t->words, sums);
    if (!sum && !ends_in_one_of(&t->words, bought))
        return false;
    bool made = t->effect == EFFECT_NETWORK || t->effect == EFFECT_EXECUTE ||
                is_canonical(t, "create") || is_canonical(t, "start");
    return (sum && made) || mgi_str_is_any(t->words.words[0], ways);
}

/* What others count on is not there any more, and who had it may not get it back. */
static bool calls_off(const struct import_tool *t)
{
    static const char *const verbs[] = { "cancel", "close", "end", NULL };
    static const char *const things[] = { "subscription", "order",   "booking",    "reservation",
                                          "appointment",  "event",   "meeting",    "flight",
                                          "membership",   "account", "conference", NULL };
    return verb_is(t, verbs) && ends_in_one_of(&t->words, things);
}

static bool merges_for_others(const struct import_tool *t)
{
    static const char *const verbs[] = { "merge", "accept", "complete", NULL };
    static const char *const kinds[] = { "merge", "pull", NULL };
    static const char *const request[] = { "request", NULL };
    return verb_is(t, verbs) && has_one_of(&t->words, request) && has_one_of(&t->words, kinds);
}

/* Keys that are in use end to be good. */
static bool locks_out(const struct import_tool *t)
{
    static const char *const verbs[] = { "rotate", "regenerate", "recreate", NULL };
    static const char *const things[] = { "key",      "token", "secret",    "credential",
                                          "password", "cert",  "container", "certificate",
                                          "database", NULL };
    return verb_is(t, verbs) && ends_in_one_of(&t->words, things);
}

/* What is typed where commands are run is run. */
static bool types_commands(const struct import_tool *t)
{
    static const char *const places[] = { "terminal", "process", "shell", "repl",
                                          "console",  "tty",     NULL };
    static const char *const keys[] = { "keys", "input", "stdin", NULL };
    bool sends = t->effect == EFFECT_EXECUTE || t->effect == EFFECT_NETWORK ||
                 is_canonical(t, "type") || is_canonical(t, "write");
    return sends && (has_one_of(&t->words, places) || has_argument(t, keys));
}

static void judge_verb(struct judging *j)
{
    struct import_tool *t = j->t;
    const struct import_verb *verb = t->words.verb;
    struct str word = verb ? str_of(verb->word) : STR_LIT(""), second = second_deed(t);
    if (t->effect == EFFECT_DELETE && !t->deletes && !is_easily_put_back(t))
        worse(j, HARM_DESTRUCTIVE, "its verb is \"", word, "\"");
    if (drops(t))
        worse(j, HARM_DESTRUCTIVE, "its verb is \"", word, "\"");
    if (second.len > 0)
        worse(j, HARM_DESTRUCTIVE, "its name says \"", second, "\", too");
    if (merges_for_others(t))
        worse(j, HARM_DESTRUCTIVE, "it ", word, "s what others build on");
    if (overwrites(t) || replaces(t))
        worse(j, HARM_DESTRUCTIVE, "it can ", word, " over what was there");
    if (moves_money(t))
        worse(j, HARM_DESTRUCTIVE, "money is moved", STR_LIT(""), "");
    if (calls_off(t))
        worse(j, HARM_DESTRUCTIVE, "it can ", word, " what others count on");
    if (locks_out(t))
        worse(j, HARM_DESTRUCTIVE, "what was in use ends: its verb is \"", word, "\"");
    if (types_commands(t))
        worse(j, HARM_DESTRUCTIVE, "what it is given may be run", STR_LIT(""), "");
}

/* ---- what it can be told, by its schema -------------------------------------------------------
 */

/* An argument that is run: what it can do depends on the caller alone. */
static bool runs(const struct import_tool *t, struct str word)
{
    static const char *const always[] = { "command", "cmd", "shell", "sql", "statement", NULL };
    static const char *const code[] = { "code",   "script",  "function", "javascript", "js",
                                        "python", "program", "commands", NULL };
    static const char *const called[] = { "query", "service", "lambda", "procedure", NULL };
    bool runner = t->effect == EFFECT_EXECUTE || is_canonical(t, "write");
    return mgi_str_is_any(word, always) ||
           (t->effect != EFFECT_NONE && mgi_str_is_any(word, code)) ||
           (runner && mgi_str_is_any(word, called));
}

/* A switch that makes what a tool does hard to take back, and a value that chooses it. What is
 * added by force was ignored, or is there already. */
static bool is_switch(const struct import_tool *t, struct str word)
{
    static const char *const words[] = { "hard",   "overwrite", "purge",     "prune",   "delete",
                                         "remove", "discard",   "recursive", "approve", NULL };
    return mgi_str_is_any(word, words) || (str_is(word, "force") && !is_canonical(t, "add"));
}

static bool is_bad_choice(struct str word)
{
    static const char *const words[] = { "hard",  "force", "delete", "remove", "drop", "clear",
                                         "purge", "reset", "kill",   "undo",   NULL };
    return mgi_str_is_any(word, words);
}

/* Of a tool that looks: it writes if it is told to. */
static bool is_write_switch(struct str word)
{
    static const char *const words[] = { "fix", "autofix", "write", "save", "apply", NULL };
    return mgi_str_is_any(word, words);
}

static void judge_choices(struct judging *j, const struct json *schema)
{
    const struct json *choices = mgi_json_get(schema, "enum");
    for (uint32_t i = 0; choices && choices->type == JSON_ARRAY && i < choices->count; i++)
        if (choices->items[i].type == JSON_STRING && is_bad_choice(choices->items[i].string))
            worse(j, HARM_DESTRUCTIVE, "it can be told to \"", choices->items[i].string, "\"");
}

static void judge_switch(struct judging *j, const struct import_argument *a, struct str word)
{
    if (j->t->effect != EFFECT_NONE && is_switch(j->t, word))
        worse(j, HARM_DESTRUCTIVE, "it has the switch \"", a->id, "\"");
    else if (is_write_switch(word))
        is_write(j);
}

static void judge_argument(struct judging *j, const struct import_argument *a,
                           const struct json *schema)
{
    bool reads = j->t->effect == EFFECT_NONE;
    struct str words[IMPORT_WORDS];
    size_t count = mgi_import_split(j->arena, a->name, words, IMPORT_WORDS);
    bool text = strcmp(a->type, "string") == 0 || strcmp(a->type, "array") == 0 ||
                strcmp(a->type, "any") == 0;
    for (size_t i = 0; i < count; i++) {
        if (text && runs(j->t, words[i]) && !mgi_json_get(schema, "enum")) {
            worse(j, HARM_DESTRUCTIVE, "it runs what it is given as \"", a->id, "\"");
            j->t->effect = EFFECT_EXECUTE;
        }
        if (strcmp(a->type, "boolean") == 0)
            judge_switch(j, a, words[i]);
    }
    if (!reads)
        judge_choices(j, schema);
}

static void judge_arguments(struct judging *j)
{
    const struct json *properties = mgi_json_get(j->t->schema, "properties");
    for (size_t i = 0; i < j->t->argument_count; i++) {
        const struct json *schema = mgi_json_get_str(properties, j->t->arguments[i].name);
        if (schema)
            judge_argument(j, &j->t->arguments[i], schema);
    }
}

/* ---- what its text warns of -------------------------------------------------------------------
 */

/* "cannot be undone", "can't be undone", "may not be undone": its words, up to the last. */
static bool says_no_undo(const struct str *words, size_t last)
{
    static const char *const nots[] = { "cannot", "not", "t", "never", NULL };
    return last >= 2 && str_is(words[last], "undone") && str_is(words[last - 1], "be") &&
           mgi_str_is_any(words[last - 2], nots);
}

static void judge_text(struct judging *j)
{
    enum { READ_WORDS = 200 };
    static const char *const warnings[] = { "irreversible",  "irreversibly",  "permanently",
                                            "unrecoverable", "unrecoverably", NULL };
    struct str words[READ_WORDS];
    size_t count = mgi_import_split(j->arena, j->t->description, words, READ_WORDS);
    for (size_t i = 0; i < count; i++)
        if (mgi_str_is_any(words[i], warnings) || says_no_undo(words, i))
            worse(j, HARM_DESTRUCTIVE, "its text warns: \"", words[i], "\"");
}

void mgi_import_judge(struct arena *arena, struct import_tool *t)
{
    struct judging j = { arena, t };
    t->harm = HARM_NONE;
    t->effect = effect_of(t);
    if (t->effect != EFFECT_NONE || t->hints.read_only == 0)
        is_write(&j);
    if (t->deletes)
        worse(&j, HARM_DESTRUCTIVE, "its method is DELETE", STR_LIT(""), "");
    if (!t->safe)
        judge_verb(&j);
    judge_arguments(&j);
    if (t->effect != EFFECT_NONE)
        judge_text(&j);
}

/* ---- what its server says ---------------------------------------------------------------------
 */

static bool is_called_destructive(const struct import_tool *t)
{
    return t->hints.destructive == 1 && t->hints.read_only != 1;
}

/* Who says of a tool that looks or adds that it destroys, says so of everything that is not
 * read-only, as MCP's default does: it tells nothing of the others. */
static bool tells_apart(const struct import_tool *tools, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_called_destructive(&tools[i]) && is_mild_for_sure(&tools[i]) &&
            tools[i].harm < HARM_DESTRUCTIVE)
            return false;
    return true;
}

static void hear_hint(struct judging *j, bool believed)
{
    struct import_tool *t = j->t;
    if (is_called_destructive(t) && (believed || !t->words.verb)) {
        t->harm_by_hint = t->harm < HARM_DESTRUCTIVE;
        worse(j, HARM_DESTRUCTIVE, "its server says so", STR_LIT(""), "");
    } else if (!is_mild_for_sure(t) || t->effect != EFFECT_NONE) {
        is_write(j);
    }
}

bool mgi_import_hear_hints(struct arena *arena, struct import_tool *tools, size_t count)
{
    bool believed = tells_apart(tools, count);
    for (size_t i = 0; i < count; i++) {
        struct judging j = { arena, &tools[i] };
        if (tools[i].hints.destructive == 1)
            hear_hint(&j, believed);
    }
    return !arena->oom;
}
