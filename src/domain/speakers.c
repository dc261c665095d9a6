/* Which rules and facts of the rule files say that a tool is wanted, and on whose word: made at
 * load, so that an answer can name them without looking into a proof.
 *
 * Named are predicates alone, and only those that clients may see: of a rule its own, and those of
 * its positive premises that are worked out themselves. All of them hold where the rule applies.
 * Of a rule of policy its own is all that is said. */
#include <stdlib.h>

#include "domain/domain_int.h"

#define MAX_NAMES 16 /* of one rule */

/* The words of enum speaks, and the columns of tool, type of intent and score; -1: it has none. */
static const struct speaking {
    const char *name;
    uint32_t arity;
    int tool, intent, score;
} speaking[] = {
    [SPEAKS_MANDATORY] = { "mandatory_for_intent", 2, 1, 0, -1 },
    [SPEAKS_SERVING] = { "serves_intent", 2, 0, 1, -1 },
    [SPEAKS_CONSTRAINED] = { "tool_constraint", 3, 0, -1, -1 },
    [SPEAKS_RELEVANT] = { "tool_relevant_to_intent", 3, 0, 1, 2 },
    [SPEAKS_SIMILAR] = { "vector_similarity", 3, 0, -1, 2 },
    [SPEAKS_LEVEL] = { "macro_tool", 2, 0, -1, -1 },
};

const char *mgi_speaks_name(enum speaks how)
{
    return speaking[how].name;
}

enum shown mgi_snapshot_shows(const struct snapshot *s, mangle_pred pred)
{
    mangle_value none[1];
    switch (s->pred_layers[pred]) {
    case LAYER_POLICY:
        return CUT;
    case LAYER_PIPELINE:
        return mangle_pred_descriptor(s->program, pred, "open_to", none, 1) == SIZE_MAX ? LIFTED
                                                                                        : SHOWN;
    default:
        return SHOWN;
    }
}

/* `!name(` in the rule's text. */
bool mgi_rule_negates(const struct mangle_rule_view *r, const char *name)
{
    struct str text = str_of(r->text), word = str_of(name);
    for (size_t at = 0; at + word.len + 1 < text.len; at++)
        if (text.ptr[at] == '!' && text.ptr[at + 1 + word.len] == '(' &&
            memcmp(text.ptr + at + 1, word.ptr, word.len) == 0)
            return true;
    return false;
}

/* ---- names --------------------------------------------------------------------------------- */

struct naming {
    struct snapshot *s;
    const bool *derived; /* per predicate: some rule works it out, or it is the pipeline's */
};

static const bool *find_derived(const struct snapshot *s, struct arena *arena)
{
    size_t preds = mangle_program_pred_count(s->program);
    bool *derived = mgi_arena_calloc(arena, preds + 1, sizeof *derived);
    for (size_t i = mangle_program_rule_count(s->program); derived && i-- > 0;)
        derived[mangle_program_rule(s->program, i).head] = true;
    for (size_t i = 0; derived && i < preds; i++)
        derived[i] |= s->pred_layers[i] == LAYER_PIPELINE;
    return derived;
}

static void add_name(const char **names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    if (*count < MAX_NAMES)
        names[(*count)++] = name;
}

static size_t name_premises(const struct naming *n, const struct mangle_rule_view *r,
                            const char **names, size_t count)
{
    for (size_t i = 0; i < r->body_count; i++) {
        const char *name = mangle_program_pred(n->s->program, r->body[i]).name;
        if (n->derived[r->body[i]] && mgi_snapshot_shows(n->s, r->body[i]) == SHOWN &&
            !mgi_rule_negates(r, name))
            add_name(names, &count, name);
    }
    return count;
}

/* ---- what a clause says ---------------------------------------------------------------------- */

static struct str constant(const struct snapshot *s, size_t clause, int column)
{
    size_t len;
    const mangle_values *values = mangle_program_values(s->program);
    mangle_value v = column < 0
                         ? MANGLE_NONE
                         : mangle_program_argument(s->program, clause, (uint32_t)column).value;
    if (v == MANGLE_NONE || mangle_kind_of(values, v) != MANGLE_STRING)
        return (struct str){ 0 };
    const char *text = mangle_text_of(values, v, &len);
    return (struct str){ text, len };
}

static int64_t score_of(const struct snapshot *s, size_t clause, int column)
{
    const mangle_values *values = mangle_program_values(s->program);
    mangle_value v = column < 0
                         ? MANGLE_NONE
                         : mangle_program_argument(s->program, clause, (uint32_t)column).value;
    if (v == MANGLE_NONE || mangle_kind_of(values, v) != MANGLE_NUMBER)
        return ANY_SCORE;
    int64_t score = mangle_int_of(values, v);
    return score < 0 ? 0 : score > 100 ? 100 : score; /* as the pipeline keeps it */
}

static bool speaks(const struct snapshot *s, const struct mangle_clause_view *c, enum speaks *how)
{
    if (c->declaration || c->head == MANGLE_NO_PRED)
        return false;
    struct mangle_pred_view pred = mangle_program_pred(s->program, c->head);
    for (size_t i = 0; i < sizeof speaking / sizeof *speaking; i++)
        if (pred.arity == speaking[i].arity && strcmp(pred.name, speaking[i].name) == 0) {
            *how = (enum speaks)i;
            return true;
        }
    return false;
}

static bool listen(const struct naming *n, size_t clause, const struct mangle_clause_view *c,
                   enum speaks how, struct speaker *out)
{
    struct snapshot *s = n->s;
    const struct speaking *row = &speaking[how];
    const char *names[MAX_NAMES] = { row->name };
    size_t count = 1;
    if (c->rule != SIZE_MAX) {
        struct mangle_rule_view r = mangle_program_rule(s->program, c->rule);
        if (!mgi_str_starts(str_of(r.file), STR_LIT("rules/policy/")))
            count = name_premises(n, &r, names, count);
    }
    const char **kept = mgi_arena_calloc(&s->arena, count, sizeof *kept);
    if (!kept)
        return false;
    memcpy(kept, names, count * sizeof *kept);
    *out = (struct speaker){ .clause = clause,
                             .how = how,
                             .tool = constant(s, clause, row->tool),
                             .intent = constant(s, clause, row->intent),
                             .score = score_of(s, clause, row->score),
                             .names = kept,
                             .count = count };
    return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

static int compare_speakers(const void *x, const void *y)
{
    const struct speaker *a = x, *b = y;
    int order = mgi_str_compare(a->tool, b->tool);
    return order ? order : (a->clause > b->clause) - (a->clause < b->clause);
}

bool mgi_load_speakers(struct loading *l)
{
    struct snapshot *s = l->s;
    size_t count = s->program && s->pred_layers ? mangle_program_clause_count(s->program) : 0;
    size_t cap = 0;
    struct naming n = { s, count ? find_derived(s, &s->arena) : NULL };
    if (count && !n.derived)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct mangle_clause_view c = mangle_program_clause(s->program, i);
        enum speaks how;
        if (!speaks(s, &c, &how))
            continue;
        if (!mgi_arena_grow(&s->arena, &s->speakers, &cap, s->speaker_count + 1,
                            sizeof *s->speakers) ||
            !listen(&n, i, &c, how, &s->speakers[s->speaker_count]))
            return false;
        s->speaker_count++;
    }
    if (s->speaker_count > 1)
        qsort(s->speakers, s->speaker_count, sizeof *s->speakers, compare_speakers);
    return true;
}

const struct speaker *mgi_snapshot_speakers(const struct snapshot *s, struct str tool,
                                            size_t *count)
{
    size_t low = 0, high = s->speaker_count, end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (mgi_str_compare(s->speakers[middle].tool, tool) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < s->speaker_count && str_eq(s->speakers[end].tool, tool);)
        end++;
    *count = end - low;
    return s->speakers ? &s->speakers[low] : NULL;
}
