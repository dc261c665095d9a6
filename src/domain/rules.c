/* All rules of a domain as one program: the standard rules, then the domain's own, each with its
 * layer.
 *
 * Compiled twice. The first time shows what the declarations say: which predicates clients may
 * send. Only then is it known what a request can change, and so what can be worked out once and for
 * all. */
#include "domain/domain_int.h"
#include "domain/standard_rules.h"
#include "sys/digest.h"
#include "base/encode.h"

static const char *const layer_names[] = { "pipeline", "schema", "policy",
                                           "domain",   "facts",  "effects" };

const char *mgi_layer_name(enum layer layer)
{
    return layer_names[layer];
}

static bool text_is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

bool mgi_layer_may_define(const mangle_program *p, mangle_pred pred, enum layer owner,
                          enum layer layer)
{
    if (layer <= owner)
        return true;
    const char *direction = mgi_descriptor_text(p, pred, "direction", 0);
    if (text_is(direction, "output") || text_is(direction, "both"))
        return true;
    /* facts/ counts as domain; what a domain declares without a direction it may also fill. */
    if (layer == LAYER_FACTS && owner != LAYER_PIPELINE)
        return true;
    const char *wanted = layer_names[layer == LAYER_FACTS ? LAYER_DOMAIN : layer];
    const char *open;
    for (size_t i = 0; (open = mgi_descriptor_text(p, pred, "open_to", i)) != NULL; i++)
        if (strcmp(open, wanted) == 0)
            return true;
    return false;
}

/* ---- sources ----------------------------------------------------------------------------- */

static bool add_source(struct loading *l, const char *path, struct str text, enum layer layer)
{
    size_t cap = l->rules.cap;
    if (!mgi_arena_grow(l->yaml.arena, &l->rules.items, &l->rules.cap, l->rules.count + 1,
                        sizeof *l->rules.items) ||
        !mgi_arena_grow(l->yaml.arena, &l->layers, &cap, l->rules.count + 1, sizeof *l->layers))
        return false;
    l->rules.items[l->rules.count] = (struct file){ path, text };
    l->layers[l->rules.count++] = layer;
    return true;
}

/* Files of tests for `mangle test` stand beside the rules and are no part of the domain. */
static bool is_rule_test(const char *path)
{
    return mgi_str_ends(str_of(path), STR_LIT("_test.mg"));
}

/* Those of `files` that stand below `under`. */
static bool add_layer(struct loading *l, const struct file_list *files, const char *under,
                      enum layer layer)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct file *f = &files->items[i];
        bool test = layer != LAYER_FACTS && is_rule_test(f->path);
        if (mgi_str_starts(str_of(f->path), str_of(under)) &&
            mgi_str_ends(str_of(f->path), STR_LIT(".mg")) && !test &&
            !add_source(l, f->path, f->text, layer))
            return false;
    }
    return true;
}

static const struct {
    const char *folder;
    enum layer layer;
} rule_folders[] = {
    { "rules/schema/", LAYER_SCHEMA },
    { "rules/policy/", LAYER_POLICY },
    { "rules/domain/", LAYER_DOMAIN },
    { "rules/effects/", LAYER_EFFECTS },
};
#define RULE_FOLDERS (sizeof rule_folders / sizeof *rule_folders)

/* A .mg file beside the four layers would be silently without effect. */
static void find_strays(struct loading *l, const struct file_list *files)
{
    for (size_t i = 0; i < files->count; i++) {
        bool known = is_rule_test(files->items[i].path);
        for (size_t k = 0; k < RULE_FOLDERS && !known; k++)
            known = mgi_str_starts(str_of(files->items[i].path), str_of(rule_folders[k].folder));
        if (!known)
            mgi_findings_add(
                l->yaml.findings, MANGLE_ERROR, "LAYER", files->items[i].path, 0, 0,
                "Move it to rules/schema, rules/policy, rules/domain or rules/effects.",
                "this rule file is in no layer");
    }
}

/* *whole: all of it could be read. */
static bool collect_sources(struct loading *l, bool *whole)
{
    for (size_t i = 0; i < mgi_standard_rules_count; i++) {
        const struct standard_rule *r = &mgi_standard_rules[i];
        char *path = mgi_arena_printf(l->yaml.arena, "<standard>/%s", r->path);
        if (!path || !add_source(l, path, (struct str){ r->text, r->len }, LAYER_PIPELINE))
            return false;
    }
    static const char *const of_rules[] = { ".mg", NULL };
    static const char *const of_facts[] = { ".mg", ".jsonl", ".csv", ".tsv", NULL };
    struct file_list files = { 0 };
    size_t errors = mgi_findings_errors(l->yaml.findings);
    if (!mgi_files_read(&l->yaml, l->folder, "rules", of_rules, &files) ||
        !mgi_files_read(&l->yaml, l->folder, "facts", of_facts, &l->facts))
        return false;
    *whole = mgi_findings_errors(l->yaml.findings) == errors;
    for (size_t k = 0; k < RULE_FOLDERS; k++) {
        if (rule_folders[k].layer == LAYER_EFFECTS && !add_layer(l, &l->facts, "", LAYER_FACTS))
            return false;
        if (!add_layer(l, &files, rule_folders[k].folder, rule_folders[k].layer))
            return false;
    }
    find_strays(l, &files);
    return true;
}

/* ---- compiling --------------------------------------------------------------------------- */

static const char *const request_preds[] = { "permission_for",     "intent_type",
                                             "intent_param",       "client_kind",
                                             "client_identity",    "client_permission",
                                             "client_trust_level", "waived_effect",
                                             "disclosure_upgrade", "invoked",
                                             "invoke_arg",         "step_status",
                                             "step_output",        "result",
                                             "choosing",           "menu_turn",
                                             "menu_input",         "menu_slot",
                                             "menu_called",        "menu_output" };

static bool text_is_one_of(const char *text, const char *a, const char *b)
{
    return text && (strcmp(text, a) == 0 || strcmp(text, b) == 0);
}

/* What clients may send. */
static bool is_input(const mangle_program *p, mangle_pred pred)
{
    return text_is_one_of(mgi_descriptor_text(p, pred, "direction", 0), "input", "both");
}

/* What actions tell the effects rules of one invocation, and nobody else hears of. */
static bool is_evidence(const mangle_program *p, mangle_pred pred)
{
    return text_is(mgi_descriptor_text(p, pred, "direction", 0), "evidence");
}

/* What a request may add facts of: what the server tells, what clients may send, and what actions
 * tell. */
static bool may_change(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    (void)context;
    for (size_t i = 0; i < sizeof request_preds / sizeof *request_preds; i++)
        if (strcmp(request_preds[i], name) == 0)
            return true;
    return is_input(program, pred) || is_evidence(program, pred);
}

/* Of what a request may add, this is not the server's own word: who asks chose it, or an action
 * brought it from somewhere. */
static const char *const hearsay_preds[] = {
    "intent_type", "permission_for", "intent_param", "disclosure_upgrade", "invoke_arg",
    "step_output", "result",         "menu_input",   "menu_output"
};

static enum mangle_trust trust(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    const struct loading *l = context;
    const struct domain_external *external = mgi_external(l->s, str_of(name));
    if (mangle_pred_descriptor(program, pred, "privileged", NULL, 0) != SIZE_MAX)
        return MANGLE_PRIVILEGED;
    if (external && external->table.len == 0)
        return MANGLE_HEARSAY;
    for (size_t i = 0; i < sizeof hearsay_preds / sizeof *hearsay_preds; i++)
        if (strcmp(hearsay_preds[i], name) == 0)
            return MANGLE_HEARSAY;
    bool told = is_input(program, pred) || is_evidence(program, pred);
    return told ? MANGLE_HEARSAY : MANGLE_VOUCHED;
}

/* Who answers is known only when the declarations have been read, so a program with external
 * predicates is compiled twice; the second time finds nothing that the first did not. */
static enum mangle_status compile(struct loading *l, mangle_program **out)
{
    struct mangle_source *sources =
        mgi_arena_calloc(l->yaml.arena, l->rules.count, sizeof *sources);
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st = MANGLE_ERR_NOMEM;
    *out = NULL;
    if (!sources || !diags)
        goto done;
    for (size_t i = 0; i < l->rules.count; i++)
        sources[i] = (struct mangle_source){ l->rules.items[i].path, l->rules.items[i].text.ptr,
                                             l->rules.items[i].text.len };
    struct mangle_zone_source zones = mangle_zone_folder_source(l->s->zones);
    const struct domain_settings *settings = &l->s->settings;
    struct mangle_compile_options options = {
        .changeable = may_change,
        .trust = trust,
        .trust_context = l,
        .zones = &zones,
        /* strict: an intent that would set it off is refused before anything runs */
        .allow_dangerous = settings->allow_dangerous || settings->strict_time,
        .host_source_count = mgi_standard_rules_count, /* they come first */
    };
    st = mangle_compile(sources, l->rules.count, &options, out, diags);
    mgi_findings_take(l->yaml.findings, diags, "");
    if (st || !l->s->external_count)
        goto done;
    st = MANGLE_ERR_NOMEM;
    if (!mgi_declare_externals(l, *out))
        goto done;
    struct mangle_external *externals;
    options.external_count = mgi_external_callbacks(l->s, l->yaml.arena, &externals);
    options.externals = externals;
    if (!externals)
        goto done;
    mangle_program_unref(*out);
    st = mangle_compile(sources, l->rules.count, &options, out, diags);
done:
    mangle_diags_free(diags);
    return st;
}

/* ---- layers ------------------------------------------------------------------------------ */

static struct mangle_pred_view pred_of(const mangle_program *p, mangle_pred pred)
{
    return mangle_program_pred(p, pred);
}

static void layer_error(struct loading *l, const char *code, const struct mangle_clause_view *at,
                        const char *hint, const char *message)
{
    mgi_findings_add(l->yaml.findings, MANGLE_ERROR, code, l->rules.items[at->source].path,
                     at->line, at->column, hint, "%s", message ? message : "out of memory");
}

/* Who owns each predicate: the most trusted layer that declares or defines it. */
static bool find_owners(struct loading *l, const mangle_program *p, enum layer **out)
{
    size_t count = mangle_program_pred_count(p);
    enum layer *owner = mgi_arena_calloc(l->yaml.arena, count + 1, sizeof *owner);
    if (!owner)
        return false;
    for (size_t i = 0; i < count; i++)
        owner[i] = LAYER_EFFECTS;
    for (size_t i = 0; i < mangle_program_clause_count(p); i++) {
        struct mangle_clause_view c = mangle_program_clause(p, i);
        if (c.head != MANGLE_NO_PRED && l->layers[c.source] < owner[c.head])
            owner[c.head] = l->layers[c.source];
    }
    *out = owner;
    return true;
}

static void check_clause(struct loading *l, const mangle_program *p, const enum layer *owner,
                         const struct mangle_clause_view *c)
{
    mangle_pred pred = c->head;
    struct arena *a = l->yaml.arena;
    enum layer layer = l->layers[c->source];
    const char *name = pred_of(p, pred).name;
    bool is_rule = c->rule != SIZE_MAX;
    if (!mgi_layer_may_define(p, pred, owner[pred], layer))
        layer_error(l, "LAYER", c,
                    "Give the predicate another name, or open it with open_to in its Decl.",
                    mgi_arena_printf(a, "%s belongs to the %s layer; %s may not define it", name,
                                     layer_names[owner[pred]], layer_names[layer]));
    if (layer == LAYER_FACTS && is_rule)
        layer_error(l, "LAYER", c, "Move it to rules/domain.", "a rule among the facts");
    if (is_rule && text_is(mgi_descriptor_text(p, pred, "direction", 0), "input"))
        layer_error(l, "INPUT_DERIVED", c,
                    "Use direction(\"both\"), or derive a predicate of another name.",
                    mgi_arena_printf(a, "%s has direction input: only clients send it", name));
    if (is_rule && is_evidence(p, pred))
        layer_error(l, "INPUT_DERIVED", c, "Derive a predicate of another name.",
                    mgi_arena_printf(a, "%s has direction evidence: only actions tell it", name));
}

static void check_decl(struct loading *l, const mangle_program *p,
                       const struct mangle_clause_view *d)
{
    enum layer layer = l->layers[d->source];
    mangle_pred pred = d->head;
    mangle_value args[1];
    const struct domain_external *external = mgi_external(l->s, str_of(pred_of(p, pred).name));
    if (mangle_pred_descriptor(p, pred, "external", args, 1) != SIZE_MAX && !external)
        layer_error(l, "EXTERNAL", d, "Say under external in domain.yaml who does.",
                    mgi_arena_printf(l->yaml.arena, "nothing here answers %s, which is external",
                                     pred_of(p, pred).name));
    size_t said = mangle_pred_descriptor(p, pred, "privileged", args, 1);
    if (said != SIZE_MAX && said > 0)
        layer_error(l, "PRIVILEGED", d, "Write privileged().", "privileged takes no arguments");
    if (said != SIZE_MAX && layer > LAYER_POLICY)
        layer_error(l, "PRIVILEGED", d, "Move this Decl to rules/policy, or to rules/schema.",
                    "only rules/policy and rules/schema may say what is privileged");
    if (said != SIZE_MAX && external && external->search.over.len > 0)
        layer_error(l, "PRIVILEGED", d, "Take privileged() away.",
                    mgi_arena_printf(l->yaml.arena,
                                     "what %s answers depends on what is asked, so it is hearsay, "
                                     "and cannot be privileged",
                                     pred_of(p, pred).name));
    if (said != SIZE_MAX && external && external->aid.len > 0)
        layer_error(l, "PRIVILEGED", d,
                    "Answer it from a table, or take privileged() away: then nothing privileged "
                    "can rest on it.",
                    mgi_arena_printf(l->yaml.arena,
                                     "an action answers %s: what it brings is hearsay, and cannot "
                                     "be privileged",
                                     pred_of(p, pred).name));
    if (mangle_pred_descriptor(p, pred, "direction", args, 1) == SIZE_MAX)
        return;
    const char *direction = mgi_descriptor_text(p, pred, "direction", 0);
    if (!text_is(direction, "input") && !text_is(direction, "output") &&
        !text_is(direction, "both") && !text_is(direction, "evidence"))
        layer_error(l, "DIRECTION", d, NULL,
                    "direction is \"input\", \"output\", \"both\" or \"evidence\"");
    if (layer > LAYER_SCHEMA) /* the standard rules are above it */
        layer_error(l, "DIRECTION", d, "Move this Decl to rules/schema.",
                    "only rules/schema may say what clients send and actions tell");
    if (!mgi_is_identifier(str_of(pred_of(p, pred).name), 128))
        layer_error(l, "BAD_NAME", d, NULL,
                    "a predicate with a direction is named [a-z][a-z0-9_]*, at most 128 "
                    "characters");
}

/* Permission must not hang on what the asking client claims, and cannot on what is seen only when
 * something has run: walk up from permitted_intent. */
static bool check_permission(struct loading *l, const mangle_program *p)
{
    size_t preds = mangle_program_pred_count(p), rules = mangle_program_rule_count(p);
    bool *reached = mgi_arena_calloc(l->yaml.arena, preds + 1, sizeof *reached);
    mangle_pred start = mangle_pred_find(p, "permitted_intent", 2);
    if (!reached)
        return false;
    if (start == MANGLE_NO_PRED)
        return true;
    reached[start] = true;
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t i = 0; i < rules; i++) {
            struct mangle_rule_view r = mangle_program_rule(p, i);
            for (size_t k = 0; reached[r.head] && k < r.body_count; k++)
                if (!reached[r.body[k]])
                    reached[r.body[k]] = grew = true;
        }
    }
    struct mangle_rule_view first = { .file = "rules/policy" };
    for (size_t i = 0; i < rules && first.line == 0; i++)
        if (mangle_program_rule(p, i).head == start)
            first = mangle_program_rule(p, i);
    for (mangle_pred q = 0; q < preds; q++)
        if (reached[q] && (is_input(p, q) || is_evidence(p, q)))
            mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "PERMISSION", first.file, first.line,
                             1, "Decide it from client_identity and facts of the server.",
                             "permitted_intent depends on %s, which %s", pred_of(p, q).name,
                             is_input(p, q) ? "clients may claim"
                                            : "actions tell when it has long been decided");
    return true;
}

/* ---- the whole --------------------------------------------------------------------------- */

static void find_interface(struct snapshot *s)
{
#define FIND(name, arity) s->pred.name = mangle_pred_find(s->program, #name, arity);
    INTERFACE_PREDS(FIND)
#undef FIND
}

/* A rule, or a fact in a file of rules. */
static bool has_clause_for(const mangle_program *p, mangle_pred head)
{
    size_t count = mangle_program_clause_count(p);
    for (size_t i = 0; head != MANGLE_NO_PRED && i < count; i++) {
        struct mangle_clause_view c = mangle_program_clause(p, i);
        if (c.head == head && !c.declaration)
            return true;
    }
    return false;
}

static bool list_privileged(struct snapshot *s)
{
    size_t preds = mangle_program_pred_count(s->program);
    mangle_pred *list = mgi_arena_calloc(&s->arena, preds + 1, sizeof *list);
    for (mangle_pred i = 0; list && i < preds; i++)
        if (mangle_pred_claimed(s->program, i) != MANGLE_NO_PRED)
            list[s->privileged_count++] = i;
    s->privileged = list;
    return list != NULL;
}

bool mgi_load_version(struct loading *l)
{
    uint8_t bytes[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    struct sha256 *h = mgi_sha256_new();
    if (!h)
        return false;
    const struct file_list *lists[] = { &l->rules, &l->templates };
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            mgi_sha256_add(h, lists[k]->items[i].path, strlen(lists[k]->items[i].path) + 1);
            mgi_sha256_add(h, lists[k]->items[i].text.ptr, lists[k]->items[i].text.len);
            mgi_sha256_add(h, "", 1);
        }
    if (!mgi_sha256_end(h, bytes))
        return false;
    mgi_hex(bytes, sizeof bytes, hex);
    l->s->rules_version = mgi_arena_str(&l->s->arena, (struct str){ hex, 32 });
    return l->s->rules_version.ptr != NULL;
}

bool mgi_load_rules(struct loading *l)
{
    l->s->zones = mangle_zone_folder_new(MANGLE_ZONE_FOLDER);
    bool whole;
    if (!l->s->zones || !collect_sources(l, &whole))
        return false;
    if (!whole)
        return true; /* what is undefined may stand in what could not be read */
    enum mangle_status st = compile(l, &l->s->program);
    if (st)
        return st == MANGLE_ERR_PROGRAM;
    const mangle_program *p = l->s->program;
    enum layer *owner;
    if (!find_owners(l, p, &owner))
        return false;
    for (size_t i = 0; i < mangle_program_clause_count(p); i++) {
        struct mangle_clause_view c = mangle_program_clause(p, i);
        if (c.head != MANGLE_NO_PRED && c.declaration)
            check_decl(l, p, &c);
        else if (c.head != MANGLE_NO_PRED)
            check_clause(l, p, owner, &c);
    }
    l->s->pred_layers = owner;
    find_interface(l->s);
    l->s->rules_answer = has_clause_for(l->s->program, l->s->pred.result_member);
    return list_privileged(l->s) && check_permission(l, p);
}
