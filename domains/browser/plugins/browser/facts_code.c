/* What failed in the code: the expression that an error is about, from its text and the script's;
 * the names that nobody defined; where the failed value came from. */
#include "facts.h"
#include "source_int.h"
#include "source.h"

#define STEPS_MOST   8
#define CALLERS_MOST 10
/* For each error all scripts are searched. */
#define FIELDS_LOOKED_FOR 20
/* Between the line that asks and the line that takes the answer. */
#define LINES_BETWEEN    6
#define CAUGHT_LOOKED_AT 40

/* What the text of an error says by itself. */
struct said {
    struct str expression, property, name;
    bool expression_known;
};

/* What stands between two marks; empty if they do not both occur. */
static struct str between(struct str s, const char *open, const char *close)
{
    size_t from = mgi_str_find(s, str_of(open));
    if (from == SIZE_MAX)
        return STR_LIT("");
    s = (struct str){ s.ptr + from + strlen(open), s.len - from - strlen(open) };
    size_t to = mgi_str_find(s, str_of(close));
    return to == SIZE_MAX ? STR_LIT("") : (struct str){ s.ptr, to };
}

/* The word that ends before `mark`: "TypeError: a.b is not a function" -> "a.b" */
static struct str chain_before_mark(struct str s, const char *mark)
{
    size_t end = mgi_str_find(s, str_of(mark)), from = end;
    if (end == SIZE_MAX)
        return STR_LIT("");
    while (from > 0 && !strchr(" \"\n", s.ptr[from - 1]))
        from--;
    return (struct str){ s.ptr + from, end - from };
}

static void split_last(struct str chain, struct said *said)
{
    size_t dot = chain.len;
    while (dot > 0 && chain.ptr[dot - 1] != '.')
        dot--;
    said->name = chain;
    if (dot == 0)
        return;
    said->property = (struct str){ chain.ptr + dot, chain.len - dot };
    said->expression = (struct str){ chain.ptr, dot - 1 };
    said->expression_known = !mgi_contains(chain, "(intermediate value)") && chain.ptr[0] != '(';
}

static bool means_nothing(struct str s)
{
    return s.len == 0 || str_is(s, "undefined") || str_is(s, "null") || str_is(s, "object");
}

static struct said read_error_text(struct str text)
{
    struct said said = { 0 };
    static const char *const calls[] = { " is not a function", " is not a constructor" };
    said.property = between(text, "(reading '", "'");
    if (said.property.len == 0)
        said.property = between(text, "(setting '", "'");
    if (said.property.len > 0)
        return said;
    if (mgi_str_find(text, STR_LIT("Cannot destructure property '")) != SIZE_MAX) {
        said.property = between(text, "property '", "'");
        said.expression = between(text, " of '", "'");
        said.expression_known = !mgi_contains(said.expression, "(") && said.expression.len > 0;
        return said;
    }
    for (size_t i = 0; i < 2; i++) {
        struct str chain = chain_before_mark(text, calls[i]);
        if (!means_nothing(chain)) {
            split_last(chain, &said);
            return said;
        }
    }
    struct str chain = chain_before_mark(text, " is not iterable");
    if (!means_nothing(chain)) {
        said.expression = chain;
        said.expression_known = !mgi_contains(chain, "(");
        return said;
    }
    said.name = chain_before_mark(text, " is not defined");
    if (said.name.len == 0)
        said.name = between(text, "Cannot access '", "' before");
    return said;
}

/* ---- where the value came from ------------------------------------------------------------- */

/* "a.b[].c" gives "a", "a.b", "a.b[]", "a.b[].c", and with the property "a.b[].c.d". */
static void facts_of_prefixes(struct fact_list *list, struct str id, struct str path,
                              struct str property)
{
    for (size_t i = 0; i < path.len; i++)
        if (i > 0 && (path.ptr[i] == '.' || path.ptr[i] == '['))
            mgi_fact(list, RANK_HIGH, "reads_path", NO_TIME, 0, "ss", id,
                     (struct str){ path.ptr, i });
    if (path.len > 0)
        mgi_fact(list, RANK_HIGH, "reads_path", NO_TIME, 0, "ss", id, path);
    if (property.len == 0)
        return;
    char *whole = mgi_arena_printf(list->job->arena, "%.*s%s%.*s", STR_ARG(path),
                                   path.len > 0 ? "." : "", STR_ARG(property));
    if (whole)
        mgi_fact(list, RANK_HIGH, "reads_path", NO_TIME, 0, "sz", id, whole);
}

static struct str kept_path(struct fact_list *list, const struct trail *t)
{
    struct str kept = mgi_arena_str(list->job->arena, (struct str){ t->path, t->len });
    return kept.ptr ? kept : STR_LIT("");
}

/* A value that is kept in a field is given in one place, of any script; in two, nobody knows. */
static bool find_field(struct fact_list *list, struct trail *t)
{
    struct trail found = *t;
    size_t count = 0;
    for (size_t i = 0; i < list->code_count; i++) {
        struct trail tried = *t;
        if (!mgi_trail_field(&tried, list->code[i].text))
            continue;
        found = tried;
        count++;
    }
    if (count == 1)
        *t = found;
    return count == 1;
}

/* The request that was sent at the line where the answer is taken, or a few before; of several, the
 * last that was answered before the error. */
static const struct request *sent_at(const struct fact_list *list, const struct message *m,
                                     struct str url, int64_t line)
{
    const struct capture *c = list->capture;
    const struct request *best = NULL;
    int64_t nearest = LINES_BETWEEN + 1;
    for (size_t i = 0; url.len > 0 && i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        if (!list->looked_at[i] || r->resource != RES_DATA || r->status == 0 ||
            r->answer_ns > m->at_ns)
            continue;
        for (size_t j = 0; j < r->frame_count; j++) {
            int64_t away = line - r->frames[j].line;
            if (!str_eq(r->frames[j].url, url) || away < 0 || away > nearest)
                continue;
            nearest = away;
            best = r;
        }
    }
    return best;
}

/* ---- fields that the page makes itself ------------------------------------------------------ */

#define OWN_PATHS_TOLD 12

/* The first name of a path: "with" of "[].with.name". */
static struct str first_name(struct str path)
{
    size_t at = 0, end;
    while (at < path.len && strchr("[].", path.ptr[at]))
        at++;
    for (end = at; end < path.len && !strchr("[].", path.ptr[end]);)
        end++;
    return (struct str){ path.ptr + at, end - at };
}

/* Of what was told of this error since `from`. */
static void tell_own_paths(struct fact_list *list, struct str id, size_t from)
{
    struct str name = STR_LIT("");
    bool made = false;
    for (size_t i = from, end = list->items.count, told = 0; i < end && told < OWN_PATHS_TOLD;
         i++) {
        if (strcmp(list->items.items[i].pred, "reads_path") != 0)
            continue;
        struct str path = list->items.items[i].args[1].text, first = first_name(path);
        if (!str_eq(first, name))
            made = first.len > 2 && mgi_code_makes(list, first);
        name = first;
        told += made;
        if (made)
            mgi_fact(list, RANK_HIGH, "own_path", NO_TIME, 0, "ss", id, path);
    }
}

static void facts_of_origin(struct fact_list *list, struct str id, const struct message *m,
                            struct trail *t)
{
    if (!t->of_answer &&
        (t->len == 0 || m->error_number > FIELDS_LOOKED_FOR || !find_field(list, t)))
        return;
    struct str path = kept_path(list, t);
    char *whole = mgi_arena_printf(list->job->arena, "$%s%.*s",
                                   path.len > 0 && path.ptr[0] != '[' ? "." : "", STR_ARG(path));
    if (!whole)
        return;
    mgi_fact(list, RANK_HIGH, "reads_body", NO_TIME, 0, "sz", id, whole);
    const struct request *r =
        sent_at(list, m, mgi_code_url(list, t->place.text), mgi_place_line(&t->place));
    if (r)
        mgi_tell_await(list, m, r);
    if (r)
        mgi_fact(list, RANK_CORE, "data_from", NO_TIME, 0, "ssz", id,
                 mgi_fact_id(list, "r", r->number), whole);
}

/* Back along the script, and where it leaves a function, along the stack. */
static void facts_of_trail(struct fact_list *list, struct str id, const struct message *m,
                           struct trail *t, struct str property)
{
    struct place callers[CALLERS_MOST] = { 0 };
    size_t count = 0, told = list->items.count;
    for (size_t i = 1; i < m->frame_count && count < CALLERS_MOST; i++)
        if (mgi_source_place(list->capture, m->frames[i].url, m->frames[i].line,
                             m->frames[i].column, &callers[count]))
            count++;
    facts_of_prefixes(list, id, kept_path(list, t), property);
    for (int i = 0; i < STEPS_MOST; i++) {
        size_t len = t->len;
        if (!mgi_trail_step(t, callers, count))
            break;
        if (t->len != len)
            facts_of_prefixes(list, id, kept_path(list, t), property);
    }
    if (m->error_number <= FIELDS_LOOKED_FOR)
        tell_own_paths(list, id, told);
    facts_of_origin(list, id, m, t);
}

/* "Chart" of "window.Chart"; empty: the expression is something else. */
static struct str global_of(struct str expression)
{
    static const char *const roots[] = { "window.", "globalThis.", "self." };
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        struct str root = str_of(roots[i]);
        if (!mgi_str_starts(expression, root))
            continue;
        struct str name = { expression.ptr + root.len, expression.len - root.len };
        bool plain = mgi_str_find(name, STR_LIT(".")) == SIZE_MAX &&
                     mgi_str_find(name, STR_LIT("[")) == SIZE_MAX;
        return plain ? name : (struct str){ 0 };
    }
    return (struct str){ 0 };
}

/* Editor of Editor.open(): a script makes it, with a capital as what many may use. */
static bool is_made_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_name_char(s.ptr[i]))
            return false;
    return s.len > 2 && s.len < 64 && s.ptr[0] >= 'A' && s.ptr[0] <= 'Z';
}

static void facts_of_expression(struct fact_list *list, struct str id, const struct message *m,
                                struct said *said)
{
    struct place place = { 0 };
    struct trail t;
    struct str url = m->frame_count > 0 ? m->frames[0].url : m->url;
    int64_t line = m->frame_count > 0 ? m->frames[0].line : m->line;
    int64_t column = m->frame_count > 0 ? m->frames[0].column : m->column;
    bool known = mgi_source_place(list->capture, url, line, column, &place);
    if (!said->expression_known && known)
        said->expression = mgi_source_expression(&place, said->property);
    if (said->expression.len == 0 && said->property.len == 0)
        return;
    mgi_fact(list, RANK_HIGH, "error_expression", NO_TIME, 0, "sss", id, said->expression,
             said->property);
    struct str global = global_of(said->expression);
    if (global.len > 0) {
        said->name = global; /* no answer was to bring it, but a script */
        return;
    }
    if (is_made_name(said->expression))
        mgi_facts_defines(list, said->expression);
    if (said->expression.len > 0 && mgi_trail_begin(&t, place, said->expression))
        facts_of_trail(list, id, m, &t, said->property);
    else
        facts_of_prefixes(list, id, STR_LIT(""), said->property);
}

/* ---- names --------------------------------------------------------------------------------- */

/* "vendor/chart.min.js" is about "Chart", "date-picker.js" about "DatePicker"; jQuery is called $,
 * too.
 */
static bool file_speaks_of(struct str file, struct str name)
{
    char bare[128];
    size_t len = 0;
    for (size_t i = 0; i < file.len && len < sizeof bare; i++)
        if (file.ptr[i] != '-' && file.ptr[i] != '_')
            bare[len++] = file.ptr[i];
    if (str_is(name, "$"))
        return mgi_contains(file, "jquery");
    if (str_is(name, "_"))
        return mgi_contains(file, "lodash") || mgi_contains(file, "underscore");
    char word[64];
    if (name.len < 3 || name.len >= sizeof word)
        return false;
    memcpy(word, name.ptr, name.len);
    word[name.len] = '\0';
    return mgi_contains(file, word) || mgi_contains((struct str){ bare, len }, word);
}

static void facts_of_name(struct fact_list *list, struct str id, struct str name)
{
    const struct capture *c = list->capture;
    size_t dot = mgi_str_find(name, STR_LIT("."));
    struct str first = { name.ptr, dot == SIZE_MAX ? name.len : dot };
    mgi_fact(list, RANK_CORE, "error_about_name", NO_TIME, 0, "ss", id, name);
    for (size_t i = 0; i < c->request_count; i++)
        if (list->looked_at[i] && str_is(mgi_request_kind(&c->requests[i]), "script") &&
            file_speaks_of(mgi_url_file(c->requests[i].url), first))
            mgi_fact(list, RANK_CORE, "name_in_file", NO_TIME, 0, "ss", id,
                     mgi_fact_id(list, "r", c->requests[i].number));
    mgi_facts_defines(list, first);
}

static void facts_of_failed_code(struct fact_list *list, const struct message *m)
{
    struct str id = mgi_message_id(list, m);
    struct said said = read_error_text(m->text);
    mgi_facts_await(list, m);
    facts_of_expression(list, id, m, &said);
    if (said.name.len > 0 && said.name.len < 100)
        facts_of_name(list, id, said.name);
}

void mgi_facts_code(struct fact_list *list)
{
    const struct capture *c = list->capture;
    mgi_facts_scripts(list);
    for (size_t i = 0; i < c->message_count; i++) {
        const struct message *m = &c->messages[i];
        if (mgi_error_looked_at(list, m) && m->request_id.len == 0 && !str_is(m->source, "network"))
            facts_of_failed_code(list, m);
    }
    for (size_t i = 0; i < c->more.caught.count && i < CAUGHT_LOOKED_AT; i++)
        if (!mgi_is_past(list, c->more.caught.items[i].last_ns) &&
            !mgi_was_thrown(list, &c->more.caught.items[i]))
            facts_of_failed_code(list, &c->more.caught.items[i]);
}
