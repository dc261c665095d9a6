/* metadata.source_rules: the predicates that brought a tool, by name. Looked up in what was made at
 * load (mgi_snapshot_speakers()): among the rules that could have given the tool its place, those
 * that say just its score. So it costs an answer nothing, and says no more than that such a rule
 * applied: what lies below it is the business of proof hints. */
#include "intent/intent_int.h"

#define MAX_SOURCES 64

struct sources {
    const struct evaluation *ev;
    const struct root *root;
    const char *names[MAX_SOURCES];
    size_t count;
};

static void add(struct sources *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0)
            return;
    if (s->count < MAX_SOURCES)
        s->names[s->count++] = name;
}

/* Of the speakers of `tool` (ptr NULL: those that compute it), `how`: say they this score? */
static bool add_speakers(struct sources *s, struct str tool, enum speaks how, bool exactly)
{
    size_t count, before = s->count;
    const struct speaker *speaker = mgi_snapshot_speakers(s->ev->s, tool, &count);
    for (size_t i = 0; i < count; i++) {
        bool here = speaker[i].how == how &&
                    (!speaker[i].intent.ptr || str_eq(speaker[i].intent, s->ev->request.name));
        bool score = speaker[i].score == (exactly ? s->root->score : ANY_SCORE);
        for (size_t k = 0; here && score && k < speaker[i].count; k++)
            add(s, speaker[i].names[k]);
    }
    return s->count > before;
}

static bool add_how(struct sources *s, enum speaks how)
{
    struct str tool = s->root->tool->name, any = { 0 };
    bool found = add_speakers(s, tool, how, true);
    found |= add_speakers(s, any, how, true);
    if (!found) {
        found = add_speakers(s, tool, how, false);
        found |= add_speakers(s, any, how, false);
    }
    return found;
}

/* Facts of facts/ are no rules of anybody: their predicate is all that there is to name. */
static bool add_fact(struct sources *s, struct evaluation *ev, enum speaks how, uint32_t arity)
{
    size_t count = 0;
    mangle_pred pred = mangle_pred_find(ev->s->program, mgi_speaks_name(how), arity);
    if (pred != MANGLE_NO_PRED)
        (void)mgi_ev_match(ev, pred, s->root->tool->value, &count);
    if (count > 0)
        add(s, mgi_speaks_name(how));
    return count > 0;
}

/* As the pipeline ranks them: mandatory, constrained, anything else. */
static void find(struct sources *s, struct evaluation *ev)
{
    if (s->root->class_ == 1) {
        add(s, mgi_speaks_name(SPEAKS_MANDATORY));
        add_how(s, SPEAKS_MANDATORY);
    } else if (s->root->class_ == 2) {
        add(s, mgi_speaks_name(SPEAKS_SERVING));
        add_how(s, SPEAKS_SERVING);
        add(s, mgi_speaks_name(SPEAKS_CONSTRAINED));
        add_how(s, SPEAKS_CONSTRAINED);
    } else if (!add_how(s, SPEAKS_RELEVANT) && !add_how(s, SPEAKS_SIMILAR) &&
               !add_how(s, SPEAKS_LEVEL) && !add_fact(s, ev, SPEAKS_RELEVANT, 3)) {
        add_fact(s, ev, SPEAKS_SIMILAR, 3);
    }
}

bool mgi_source_rules_find(struct evaluation *ev, struct choice *c)
{
    struct sources s = { .ev = ev, .root = c->behind };
    if (c->level <= LEVEL_MINIMAL) /* shown without metadata */
        return true;
    if (s.root->tool != c->tool)
        add(&s, "tool_requires");
    find(&s, ev);
    const char **names = mgi_arena_calloc(ev->arena, s.count + 1, sizeof *names);
    if (!names)
        return false;
    memcpy(names, s.names, s.count * sizeof *names);
    c->source_rules = names;
    c->source_rule_count = s.count;
    return true;
}
