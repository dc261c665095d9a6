/* What the finished nodes of a schema are like: whether they lead in circles, how much work one
 * value may cost, and which of them must note what they judge.
 *
 * Where a $dynamicRef leads is known only while an instance is checked. It counts as no way here
 * when circles are sought (the bound on depth ends those), and as all of its ways when it is asked
 * who may have to take notes. */
#include "protocol/schema_int.h"

#define BRIEF_WORK 32768 /* bytes of instance times checks: a third of a millisecond at worst */

static bool in_place(const struct schema_check *check)
{
    return check->kind >= CHECK_DEPENDENT_SCHEMAS;
}

/* ---- circles -------------------------------------------------------------------------------- */

enum { WHITE, GREY, BLACK };

/* True if a cycle (or too long a chain) of in-place keywords starts at `node`. */
static bool turns_in_circles(struct schema_node *node, unsigned depth)
{
    if (node->colour != WHITE)
        return node->colour == GREY;
    if (depth > SCHEMA_MAX_DEPTH)
        return true;
    node->colour = GREY;
    bool found = false;
    for (const struct schema_check *k = node->first; k && !found; k = k->next) {
        if (!in_place(k) || k->kind == CHECK_DYNAMIC_REF)
            continue;
        for (size_t i = 0; i < k->node_count && !found; i++)
            found = k->nodes[i] && turns_in_circles(k->nodes[i], depth + 1);
        for (size_t i = 0; i < k->property_count && !found; i++)
            found = turns_in_circles(k->properties[i].node, depth + 1);
    }
    if (!found)
        node->colour = BLACK;
    return found;
}

bool mgi_schema_is_endless(const struct schema *s)
{
    for (struct schema_node *node = s->newest; node; node = node->made_before)
        if (node->colour == WHITE && turns_in_circles(node, 0))
            return true;
    return false;
}

/* ---- how much work -------------------------------------------------------------------------- */

/* Where every value of the instance is judged by one node at most, the work is the number of values
 * times what the heaviest node asks of one. Whatever judges a value more than once, or in more than
 * linear time, has no such bound. */
static bool has_bound(const struct schema_check *k)
{
    switch (k->kind) {
    case CHECK_PATTERN:
    case CHECK_UNIQUE_ITEMS:
    case CHECK_CONTAINS:
    case CHECK_PROPERTY_NAMES:
        return false;
    default:
        return !in_place(k) && k->pattern_count == 0;
    }
}

size_t mgi_schema_weigh(const struct schema *s)
{
    size_t heaviest = 1;
    for (const struct schema_node *node = s->newest; node; node = node->made_before) {
        size_t weight = 1;
        if (node->unevaluated)
            return SIZE_MAX;
        for (const struct schema_check *k = node->first; k; k = k->next) {
            if (!has_bound(k))
                return SIZE_MAX;
            weight += 1 + k->name_count + k->property_count / 8 + k->value.text.len / 8;
            for (size_t i = 0; k->kind == CHECK_DEPENDENT_REQUIRED && i < k->property_count; i++)
                weight += 1 + k->properties[i].name_count;
        }
        heaviest = weight > heaviest ? weight : heaviest;
    }
    return heaviest;
}

bool mgi_schema_is_brief(const struct schema *s, size_t instance_bytes)
{
    return s->weight <= BRIEF_WORK && instance_bytes <= BRIEF_WORK / s->weight;
}

/* ---- who takes notes ------------------------------------------------------------------------ */

struct noting {
    struct arena *arena;
    struct schema_node **waiting; /* noted, and what they lead to is not yet */
    size_t count, cap;
    bool nomem;
};

static void note_node(struct noting *n, struct schema_node *node)
{
    if (!node || node->special & NODE_NOTED)
        return;
    node->special |= NODE_NOTED;
    if (mgi_arena_grow(n->arena, &n->waiting, &n->cap, n->count + 1, sizeof(void *)))
        n->waiting[n->count++] = node;
    else
        n->nomem = true;
}

static void note_dynamic(struct noting *n, struct schema_dynamic_name *name)
{
    if (name->noted)
        return;
    name->noted = true;
    for (struct schema_dynamic *d = name->first; d; d = d->next_of_name)
        note_node(n, d->node);
}

/* `not` lets nothing through: what failed has judged nothing. */
static void note_below(struct noting *n, const struct schema_node *node)
{
    for (const struct schema_check *k = node->first; k; k = k->next) {
        if (!in_place(k) || k->kind == CHECK_NOT)
            continue;
        for (size_t i = 0; i < k->node_count; i++)
            note_node(n, k->nodes[i]);
        for (size_t i = 0; i < k->property_count; i++)
            note_node(n, k->properties[i].node);
        if (k->kind == CHECK_DYNAMIC_REF)
            note_dynamic(n, k->dynamic);
    }
}

bool mgi_schema_note(struct schema *s)
{
    struct noting n = { .arena = &s->arena };
    for (struct schema_node *node = s->newest; node; node = node->made_before)
        if (node->unevaluated)
            note_node(&n, node);
    while (n.count > 0 && !n.nomem)
        note_below(&n, n.waiting[--n.count]);
    return !n.nomem;
}
