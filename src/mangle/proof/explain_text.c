/* Proofs as text: content addresses (M-PROV-10) and the tree (M-PROV-41, M-PROV-42). */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/content_hash.h"
#include "base/encode.h"
#include "mangle/proof/explain.h"

/* ---- ids ------------------------------------------------------------------------------------- */

static void add_part(struct buf *out, const char *text, size_t len)
{
    mgi_buf_printf(out, "%zu:", len);
    mgi_buf_append(out, text, len);
    mgi_buf_putc(out, '\n');
}

static void add_text(struct buf *out, const char *text)
{
    add_part(out, text, strlen(text));
}

/* Takes the parts over. */
static bool make_id(struct buf *parts, const char *prefix, char *out, size_t size)
{
    uint8_t digest[CONTENT_HASH_BYTES];
    char hex[33];
    bool ok = !parts->oom;
    if (ok)
        mgi_content_hash(parts->ptr, parts->len, digest);
    mgi_buf_fini(parts);
    if (!ok)
        return false;
    mgi_hex(digest, 16, hex);
    snprintf(out, size, "%s%s", prefix, hex);
    return true;
}

bool mgi_rule_id(const mangle_program *p, size_t rule, char *out, size_t size)
{
    struct buf parts;
    mgi_buf_init(&parts);
    add_text(&parts, "rule");
    add_text(&parts, p->rule_texts[rule]);
    return make_id(&parts, "/rule/", out, size);
}

bool mgi_proof_id(mangle_overlay *o, struct proof *proof)
{
    struct mangle_proof *node = &proof->seen;
    size_t len;
    char *atom =
        mangle_fact_print(o->base->program, o->values, &node->fact, MANGLE_CANONICAL, &len);
    if (!atom)
        return false;
    struct buf parts;
    mgi_buf_init(&parts);
    switch (node->kind) {
    case MANGLE_PROOF_GIVEN:
    case MANGLE_PROOF_SESSION:
        add_text(&parts, "edb");
        break;
    case MANGLE_PROOF_ABSENT:
        add_text(&parts, "absence");
        break;
    case MANGLE_PROOF_PARTIAL:
        add_text(&parts, "partial");
        break;
    case MANGLE_PROOF_DERIVED:
    case MANGLE_PROOF_AGGREGATE:
    case MANGLE_PROOF_LET:
        add_text(&parts, "derived");
        add_text(&parts, node->rule_id);
        break;
    }
    add_part(&parts, atom, len);
    mangle_free(atom);
    for (size_t i = 0; i < node->premise_count; i++)
        add_text(&parts, node->premises[i]->id);
    bool partial = node->kind == MANGLE_PROOF_PARTIAL;
    return make_id(&parts, partial ? "/proof/partial/" : "/proof/", node->id, sizeof node->id);
}

/* ---- the tree -------------------------------------------------------------------------------- */

struct tree {
    mangle_overlay *o;
    struct buf out;
    const struct proof **printed;
    size_t printed_count, printed_cap;
    bool oom;
};

static void indent(struct tree *t, int by)
{
    mgi_buf_printf(&t->out, "%*s", by, "");
}

static void put_atom(struct tree *t, const struct mangle_fact *fact)
{
    size_t len;
    char *text = mangle_fact_print(t->o->base->program, t->o->values, fact, MANGLE_CANONICAL, &len);
    if (!text) {
        t->oom = true;
        return;
    }
    mgi_buf_append(&t->out, text, len);
    mangle_free(text);
}

static bool was_printed(struct tree *t, const struct proof *proof)
{
    for (size_t i = 0; i < t->printed_count; i++)
        if (strcmp(t->printed[i]->seen.id, proof->seen.id) == 0)
            return true;
    if (!mgi_grow(&t->printed, &t->printed_cap, t->printed_count + 1, sizeof(struct proof *))) {
        t->oom = true;
        return true;
    }
    t->printed[t->printed_count++] = proof;
    return false;
}

static void put_values(struct tree *t, const mangle_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mgi_buf_puts(&t->out, i ? ", " : "");
        mgi_value_print(&t->out, t->o->values, values[i], MANGLE_CANONICAL);
    }
}

static void put_bindings(struct tree *t, const struct mangle_proof *node, int by)
{
    if (node->binding_count == 0)
        return;
    indent(t, by);
    mgi_buf_puts(&t->out, "with ");
    for (size_t i = 0; i < node->binding_count; i++) {
        mgi_buf_printf(&t->out, "%s%s=", i ? ", " : "", node->bindings[i].name);
        mgi_value_print(&t->out, t->o->values, node->bindings[i].value, MANGLE_CANONICAL);
    }
    mgi_buf_putc(&t->out, '\n');
}

static void put_derived(struct tree *t, const struct mangle_proof *node, int by)
{
    const mangle_program *p = t->o->base->program;
    indent(t, by);
    mgi_buf_printf(&t->out, "by rule %s:  %s\n", node->rule_id, p->rule_texts[node->rule]);
    put_bindings(t, node, by);
    if (node->transform) {
        indent(t, by);
        mgi_buf_printf(&t->out, "transform: %s\n", node->transform);
    }
    if (node->group_key_count) {
        indent(t, by);
        mgi_buf_puts(&t->out, "group key: (");
        put_values(t, node->group_key, node->group_key_count);
        mgi_buf_puts(&t->out, ")\n");
    }
    if (node->premise_count == 0)
        return;
    indent(t, by);
    mgi_buf_puts(&t->out, node->kind == MANGLE_PROOF_AGGREGATE ? "input facts:\n" : "premises:\n");
}

/* As deep as the proof, whose depth explain.c limits. */
static void put_node(struct tree *t, const struct proof *proof, int by)
{
    const struct mangle_proof *node = &proof->seen;
    indent(t, by);
    put_atom(t, &node->fact);
    mgi_buf_printf(&t->out, "  (%s)%s\n", node->id, node->partial ? " [partial]" : "");
    if (was_printed(t, proof)) {
        indent(t, by + 2);
        mgi_buf_printf(&t->out, "... see %s\n", node->id);
        return;
    }
    switch (node->kind) {
    case MANGLE_PROOF_GIVEN:
    case MANGLE_PROOF_SESSION:
        indent(t, by + 2);
        mgi_buf_puts(&t->out, "[EDB]\n");
        break;
    case MANGLE_PROOF_ABSENT:
        indent(t, by + 2);
        mgi_buf_puts(&t->out, "[absent: !");
        put_atom(t, &node->fact);
        mgi_buf_puts(&t->out, "]\n");
        break;
    case MANGLE_PROOF_PARTIAL:
        break;
    case MANGLE_PROOF_DERIVED:
    case MANGLE_PROOF_AGGREGATE:
    case MANGLE_PROOF_LET:
        put_derived(t, node, by + 2);
        break;
    }
    for (size_t i = 0; i < node->premise_count; i++)
        put_node(t, (const struct proof *)node->premises[i], by + 4);
}

char *mangle_proofs_print(mangle_overlay *o, const struct mangle_proof *const *proofs, size_t count,
                          size_t *len)
{
    struct tree t = { .o = o };
    mgi_buf_init(&t.out);
    for (size_t i = 0; i < count; i++) {
        mgi_buf_printf(&t.out, "%sproof %zu of %zu:\n", i ? "\n" : "", i + 1, count);
        put_node(&t, (const struct proof *)proofs[i], 2);
    }
    mgi_free(t.printed);
    t.out.oom |= t.oom;
    return mgi_buf_take(&t.out, len);
}

char *mangle_proof_print(mangle_overlay *o, const struct mangle_proof *proof, size_t *len)
{
    return mangle_proofs_print(o, &proof, 1, len);
}
