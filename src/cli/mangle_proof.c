/* Proofs as facts, JSON and Graphviz: the nodes of all proofs, each written once. */
#include "cli/mangle_proof.h"

#include <string.h>

#include "base/alloc.h"
#include "protocol/fact.h"

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool is_known(const struct proof_nodes *n, const struct mangle_proof *proof)
{
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->items[i]->id, proof->id) == 0)
            return true;
    return false;
}

/* As deep as the proof, whose depth the engine limits. */
bool mgi_proof_nodes_add(struct proof_nodes *n, const struct mangle_proof *proof)
{
    if (is_known(n, proof))
        return true;
    if (!mgi_grow(&n->items, &n->cap, n->count + 1, sizeof(struct mangle_proof *)))
        return false;
    n->items[n->count++] = proof;
    for (size_t i = 0; i < proof->premise_count; i++)
        if (!mgi_proof_nodes_add(n, proof->premises[i]))
            return false;
    return true;
}

void mgi_proof_nodes_fini(struct proof_nodes *n)
{
    mgi_free(n->items);
    *n = (struct proof_nodes){ 0 };
}

static bool is_leaf(const struct mangle_proof *p)
{
    return p->rule == SIZE_MAX;
}

static const char *rule_text(const struct proof_nodes *n, const struct mangle_proof *p)
{
    return mangle_program_rule(n->program, p->rule).text;
}

/* Is this the first node that was made by its rule? */
static bool is_first_of_rule(const struct proof_nodes *n, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (n->items[i]->rule == n->items[at]->rule)
            return false;
    return true;
}

static void put_atom(struct buf *out, const struct proof_nodes *n, const struct mangle_proof *p)
{
    size_t len;
    char *text = mangle_fact_print(n->program, n->values, &p->fact, MANGLE_CANONICAL, &len);
    out->oom |= !text;
    mgi_buf_append(out, text ? text : "", text ? len : 0);
    mangle_free(text);
}

/* ---- facts ----------------------------------------------------------------------------------- */

static void put_text(struct buf *out, const struct proof_nodes *n, const char *text, size_t len)
{
    size_t length;
    mangle_value v = mangle_string(n->values, text, len);
    char *quoted = v ? mangle_value_print(n->values, v, MANGLE_CANONICAL, &length) : NULL;
    out->oom |= !quoted;
    mgi_buf_append(out, quoted ? quoted : "", quoted ? length : 0);
    mangle_free(quoted);
}

static void put_value(struct buf *out, const struct proof_nodes *n, mangle_value v)
{
    size_t len;
    char *text = mangle_value_print(n->values, v, MANGLE_CANONICAL, &len);
    out->oom |= !text;
    mgi_buf_append(out, text ? text : "", text ? len : 0);
    mangle_free(text);
}

/* [/pred, arg, ...]; what a negated premise leaves open is the string "_". */
static void put_fact_list(struct buf *out, const struct proof_nodes *n, const struct mangle_fact *f)
{
    mgi_buf_printf(out, "[/%s", mangle_program_pred(n->program, f->pred).name);
    for (uint32_t i = 0; i < f->count; i++) {
        mgi_buf_puts(out, ", ");
        if (f->args[i] == MANGLE_NONE)
            mgi_buf_puts(out, "\"_\"");
        else
            put_value(out, n, f->args[i]);
    }
    mgi_buf_putc(out, ']');
}

static void put_about(struct buf *out, const struct proof_nodes *n, const char *pred,
                      const struct mangle_proof *p)
{
    mgi_buf_printf(out, "%s(%s,", pred, p->id);
    put_fact_list(out, n, &p->fact);
    mgi_buf_puts(out, ").\n");
}

static void put_rule_facts(struct buf *out, const struct proof_nodes *n, size_t at)
{
    const struct mangle_proof *p = n->items[at];
    mgi_buf_printf(out, "uses_rule(%s,%s).\n", p->id, p->rule_id);
    if (!is_first_of_rule(n, at))
        return;
    mgi_buf_printf(out, "rule_source(%s,", p->rule_id);
    put_text(out, n, rule_text(n, p), strlen(rule_text(n, p)));
    mgi_buf_puts(out, ").\n");
}

static void put_node_facts(struct buf *out, const struct proof_nodes *n, size_t at)
{
    const struct mangle_proof *p = n->items[at];
    if (p->kind == MANGLE_PROOF_ABSENT) {
        put_about(out, n, "absence_leaf", p);
        return;
    }
    put_about(out, n, "proves", p);
    if (p->kind == MANGLE_PROOF_GIVEN || p->kind == MANGLE_PROOF_SESSION)
        put_about(out, n, "edb_leaf", p);
    if (!is_leaf(p))
        put_rule_facts(out, n, at);
    for (size_t i = 0; i < p->binding_count; i++) {
        mgi_buf_printf(out, "binding(%s,\"%s\",", p->id, p->bindings[i].name);
        put_value(out, n, p->bindings[i].value);
        mgi_buf_puts(out, ").\n");
    }
    for (size_t i = 0; i < p->premise_count; i++)
        mgi_buf_printf(out, "premise(%s,%zu,%s).\n", p->id, i, p->premises[i]->id);
    if (p->transform) {
        mgi_buf_printf(out, "uses_transform(%s,", p->id);
        put_text(out, n, p->transform, strlen(p->transform));
        mgi_buf_puts(out, ").\n");
    }
    for (size_t i = 0; i < p->group_key_count; i++) {
        mgi_buf_printf(out, "group_key(%s,%zu,", p->id, i);
        put_value(out, n, p->group_key[i]);
        mgi_buf_puts(out, ").\n");
    }
}

void mgi_proof_write_facts(struct buf *out, const struct proof_nodes *n)
{
    for (size_t i = 0; i < n->count; i++)
        put_node_facts(out, n, i);
}

/* ---- Graphviz -------------------------------------------------------------------------------- */

/* Inside a quoted string of the DOT language: there '"' ends it and '\' begins an escape. */
static void put_escaped(struct buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            mgi_buf_putc(out, '\\');
        if (c == '\n')
            mgi_buf_puts(out, "\\l");
        else if (c >= ' ')
            mgi_buf_putc(out, (char)c);
    }
}

static size_t node_number(const struct proof_nodes *n, const struct mangle_proof *p)
{
    size_t i = 0;
    while (strcmp(n->items[i]->id, p->id) != 0)
        i++;
    return i;
}

static const char *dot_style(const struct mangle_proof *p)
{
    switch (p->kind) {
    case MANGLE_PROOF_GIVEN:
    case MANGLE_PROOF_SESSION:
        return "shape=box, style=filled, fillcolor=gray90";
    case MANGLE_PROOF_ABSENT:
        return "shape=box, style=dashed";
    case MANGLE_PROOF_PARTIAL:
        return "shape=box, style=dotted";
    default:
        return "shape=box";
    }
}

static void put_dot_node(struct buf *out, const struct proof_nodes *n, size_t at)
{
    const struct mangle_proof *p = n->items[at];
    struct buf atom = { 0 };
    put_atom(&atom, n, p);
    mgi_buf_printf(out, "  n%zu [%s, label=\"", at, dot_style(p));
    if (p->kind == MANGLE_PROOF_ABSENT)
        mgi_buf_putc(out, '!');
    put_escaped(out, mgi_buf_view(&atom).ptr, atom.len);
    if (!is_leaf(p)) {
        mgi_buf_puts(out, "\", tooltip=\"");
        put_escaped(out, rule_text(n, p), strlen(rule_text(n, p)));
    }
    mgi_buf_puts(out, "\"];\n");
    out->oom |= atom.oom;
    mgi_buf_fini(&atom);
}

void mgi_proof_write_dot(struct buf *out, const struct proof_nodes *n)
{
    mgi_buf_puts(out, "digraph proof {\n  rankdir=BT;\n  node [fontname=\"monospace\"];\n");
    for (size_t i = 0; i < n->count; i++)
        put_dot_node(out, n, i);
    for (size_t i = 0; i < n->count; i++) {
        const struct mangle_proof *p = n->items[i];
        for (size_t k = 0; k < p->premise_count; k++)
            mgi_buf_printf(out, "  n%zu -> n%zu;\n", node_number(n, p->premises[k]), i);
    }
    mgi_buf_puts(out, "}\n");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_value(struct json_writer *w, const mangle_values *values, mangle_value v)
{
    if (v == MANGLE_NONE)
        mgi_jw_null(w);
    else
        mgi_value_to_json(w, values, v);
}

static void write_text(struct json_writer *w, const char *name, const mangle_program *program,
                       const mangle_values *values, const struct mangle_fact *fact)
{
    size_t len;
    char *text = mangle_fact_print(program, values, fact, MANGLE_CANONICAL, &len);
    w->out->oom |= !text;
    mgi_jw_member_str(w, name, (struct str){ text ? text : "", text ? len : 0 });
    mangle_free(text);
}

/* {"text": …, "pred": …, "args": […]}; null stands for what is open. */
static void write_fact(struct json_writer *w, const mangle_program *program,
                       const mangle_values *values, const struct mangle_fact *fact)
{
    mgi_jw_begin_object(w);
    write_text(w, "text", program, values, fact);
    mgi_jw_member_cstr(w, "pred", mangle_program_pred(program, fact->pred).name);
    mgi_jw_key(w, "args");
    mgi_jw_begin_array(w);
    for (uint32_t i = 0; i < fact->count; i++)
        write_value(w, values, fact->args[i]);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

static void write_bindings(struct json_writer *w, const mangle_values *values,
                           const struct mangle_binding *bindings, size_t count)
{
    mgi_jw_key(w, "bindings");
    mgi_jw_begin_object(w);
    for (size_t i = 0; i < count; i++) {
        mgi_jw_key(w, bindings[i].name);
        write_value(w, values, bindings[i].value);
    }
    mgi_jw_end_object(w);
}

static const char *kind_name(enum mangle_proof_kind kind)
{
    switch (kind) {
    case MANGLE_PROOF_GIVEN:
    case MANGLE_PROOF_SESSION:
        return "given";
    case MANGLE_PROOF_DERIVED:
        return "derived";
    case MANGLE_PROOF_AGGREGATE:
        return "aggregate";
    case MANGLE_PROOF_LET:
        return "let";
    case MANGLE_PROOF_ABSENT:
        return "absent";
    case MANGLE_PROOF_PARTIAL:
        return "partial";
    }
    return "";
}

static void write_derivation(struct json_writer *w, const struct proof_nodes *n,
                             const struct mangle_proof *p)
{
    mgi_jw_member_cstr(w, "rule", p->rule_id);
    if (p->kind == MANGLE_PROOF_DERIVED)
        write_bindings(w, n->values, p->bindings, p->binding_count);
    if (p->transform)
        mgi_jw_member_cstr(w, "transform", p->transform);
    if (p->kind == MANGLE_PROOF_AGGREGATE) {
        mgi_jw_key(w, "group_key");
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < p->group_key_count; i++)
            write_value(w, n->values, p->group_key[i]);
        mgi_jw_end_array(w);
    }
    mgi_jw_key(w, "premises");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < p->premise_count; i++)
        mgi_jw_cstring(w, p->premises[i]->id);
    mgi_jw_end_array(w);
}

void mgi_proof_write_json(struct json_writer *w, const struct proof_nodes *n)
{
    mgi_jw_key(w, "nodes");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < n->count; i++) {
        const struct mangle_proof *p = n->items[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "id", p->id);
        mgi_jw_key(w, "fact");
        write_fact(w, n->program, n->values, &p->fact);
        mgi_jw_member_cstr(w, "kind", kind_name(p->kind));
        mgi_jw_member_bool(w, "partial", p->partial);
        if (!is_leaf(p))
            write_derivation(w, n, p);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    mgi_jw_key(w, "rules");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < n->count; i++) {
        if (is_leaf(n->items[i]) || !is_first_of_rule(n, i))
            continue;
        struct mangle_rule_view rule = mangle_program_rule(n->program, n->items[i]->rule);
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "id", n->items[i]->rule_id);
        mgi_jw_member_cstr(w, "text", rule.text);
        mgi_jw_member_cstr(w, "file", rule.file);
        mgi_jw_member_int(w, "line", rule.line);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

/* ---- why not --------------------------------------------------------------------------------- */

static void write_facts(struct json_writer *w, const char *name, const mangle_program *program,
                        const mangle_values *values, const struct mangle_fact *facts, size_t count)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++)
        write_fact(w, program, values, &facts[i]);
    mgi_jw_end_array(w);
}

static const char *failure_name(enum mangle_failure kind)
{
    static const char *const names[] = { "no_fact", "present", "interval", "test",
                                         "head",    "group",   "error" };
    return names[kind];
}

static void write_rule(struct json_writer *w, const mangle_program *program,
                       const mangle_values *values, const struct mangle_failed_rule *r)
{
    struct mangle_rule_view rule = mangle_program_rule(program, r->rule);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "rule", rule.text);
    mgi_jw_member_cstr(w, "file", rule.file);
    mgi_jw_member_int(w, "line", rule.line);
    mgi_jw_member_cstr(w, "failure", failure_name(r->kind));
    if (r->premise) {
        mgi_jw_member_int(w, "premise", (int64_t)r->premise);
        mgi_jw_member_cstr(w, "text", r->premise_text);
        mgi_jw_member_cstr(w, "with", r->premise_with);
    }
    write_bindings(w, values, r->bindings, r->binding_count);
    mgi_jw_member_cstr(w, "why", r->why);
    write_facts(w, "facts", program, values, r->facts, r->fact_count);
    mgi_jw_member_int(w, "more_facts", (int64_t)r->more_facts);
    mgi_jw_member_bool(w, "incomplete", r->incomplete);
    mgi_jw_end_object(w);
}

void mgi_why_not_write_json(struct json_writer *w, mangle_overlay *overlay,
                            const mangle_program *program, const struct mangle_why_not *why)
{
    const mangle_values *values = mangle_overlay_values(overlay);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "goal", why->goal);
    mgi_jw_member_bool(w, "holds", why->answer_count > 0);
    if (why->answer_count) {
        write_facts(w, "answers", program, values, why->answers, why->answer_count);
        mgi_jw_end_object(w);
        return;
    }
    mgi_jw_member_cstr(w, "why", why->why);
    write_facts(w, "near", program, values, why->near, why->near_count);
    mgi_jw_key(w, "rules");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < why->rule_count; i++)
        write_rule(w, program, values, &why->rules[i]);
    mgi_jw_end_array(w);
    mgi_jw_member_int(w, "other_rules", (int64_t)why->other_rules);
    mgi_jw_end_object(w);
}
