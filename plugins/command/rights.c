/* Rights of commands as plans of confinement: see rights.h. */
#include "rights.h"

#include "confine/confine.h"

static unsigned may_of_command(const struct command *c)
{
    static const struct {
        const char *name;
        unsigned may;
    } rows[] = { { "file_read", CONFINE_READ },
                 { "file_write", CONFINE_WRITE },
                 { "network", CONFINE_NETWORK } };
    unsigned may = CONFINE_SPAWN; /* it has to be started, and may start others */
    for (size_t i = 0; i < c->may_count; i++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            if (str_is(c->may[i], rows[k].name))
                may |= rows[k].may;
    return may;
}

static bool same_paths(const struct str *a, size_t a_count, const struct str *b, size_t b_count)
{
    bool same = a_count == b_count;
    for (size_t i = 0; same && i < a_count; i++)
        same = str_eq(a[i], b[i]);
    return same;
}

static bool is_of_system(const char *path)
{
    return mgi_str_starts(str_of(path), STR_LIT("/usr/")) ||
           mgi_str_starts(str_of(path), STR_LIT("/bin/"));
}

static bool same_rights(const struct command *a, const struct command *b)
{
    bool same_program = strcmp(a->program, b->program) == 0 ||
                        (is_of_system(a->program) && is_of_system(b->program));
    return same_program && may_of_command(a) == may_of_command(b) &&
           same_paths(a->read, a->read_count, b->read, b->read_count) &&
           same_paths(a->write, a->write_count, b->write, b->write_count);
}

static const char **paths_of(struct arena *arena, const struct str *list, size_t count,
                             const char *more)
{
    const char **paths = mgi_arena_calloc(arena, count + 2, sizeof *paths);
    for (size_t i = 0; paths && i < count; i++)
        paths[i] = list[i].ptr;
    if (paths)
        paths[count] = more;
    return paths;
}

/* Where a capability reaches everywhere, that is wherever the worker's does: whatever is granted
 * here comes on top of what confines the worker, and cannot widen it. */
static const char *make_plan(struct arena *arena, struct command *c, unsigned within,
                             const char *temporary, const struct confine_features *features)
{
    unsigned may = may_of_command(c);
    bool reads_all = may & CONFINE_READ && c->read_count == 0;
    bool writes_all = may & CONFINE_WRITE && c->write_count == 0;
    struct confine_plan *plan = mgi_arena_calloc(arena, 1, sizeof *plan);
    const char **read = paths_of(arena, c->read, c->read_count, reads_all ? "/" : c->program);
    const char **write = paths_of(arena, c->write, c->write_count, writes_all ? "/" : NULL);
    if (!plan || !read || !write)
        return "out of memory";
    const struct confinement wanted = {
        .may = may & ~(unsigned)(CONFINE_READ | CONFINE_WRITE),
        .within = within,
        .read = read,
        .read_count = c->read_count + 1,
        .write = write,
        .write_count = c->write_count + writes_all,
        .private_folder = temporary,
    };
    const char *why = mgi_confine_plan_init(plan, &wanted, features, arena);
    c->plan = plan;
    return why;
}

/* What any of them may; as for calls, where some paths may be written is somewhere. */
static unsigned may_of_all(const struct command_table *table)
{
    unsigned may = 0;
    for (size_t i = 0; i < table->count; i++)
        may |= may_of_command(&table->items[i]) |
               (table->items[i].write_count > 0 ? CONFINE_WRITE : 0);
    return may;
}

/* The worker itself may no more calls than that, whatever it was given: what is narrowed for its
 * programs stands on it. */
static const char *narrow_worker(struct arena *arena, unsigned may,
                                 const struct confine_features *features)
{
    const struct confine_features calls_alone = { .seccomp = features->seccomp };
    const struct confine_entry entry = { .parent = 0 };
    const struct confinement wanted = {
        .may = may, .within = CONFINE_SPAWN | CONFINE_READ | CONFINE_WRITE | CONFINE_NETWORK
    };
    struct confine_plan plan;
    const char *why = mgi_confine_plan_init(&plan, &wanted, &calls_alone, arena);
    if (!why && mgi_confine_enter(&plan, &entry))
        why = "the worker cannot be confined to what its commands may";
    mgi_confine_plan_fini(&plan);
    return why;
}

const char *mgi_rights_prepare(struct arena *arena, struct command_table *table,
                               const char *temporary)
{
    struct confine_features features;
    const unsigned within = may_of_all(table);
    bool differ = false;
    if (!table->confined)
        return NULL;
    for (size_t i = 1; i < table->count; i++)
        differ |= !same_rights(&table->items[0], &table->items[i]);
    mgi_confine_probe(&features);
    const char *why = narrow_worker(arena, within, &features);
    for (size_t i = 0; differ && !why && i < table->count; i++) {
        struct command *c = &table->items[i];
        for (size_t k = 0; k < i && !c->plan; k++)
            if (same_rights(&table->items[k], c))
                c->plan = table->items[k].plan;
        if (!c->plan)
            why = make_plan(arena, c, within, temporary, &features);
    }
    return why;
}
