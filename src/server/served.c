/* What is served: a snapshot and the pool for its actions, held by the server and by each request
 * that began with them. A pool may outlive a snapshot, so it is counted by itself. */
#include "base/alloc.h"
#include "select/policy.h"
#include "server/server_int.h"

static struct pool_use *pool_use_new(struct toolpool *pool)
{
    struct pool_use *u = mgi_calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->pool = pool;
    u->refs = 1;
    return u;
}

static void free_policies(struct served *served, size_t count)
{
    for (size_t i = 0; served->policies && i < count; i++)
        mgi_policy_free(served->policies[i]);
    mgi_free(served->policies);
}

/* Each has its own breaker and its own processes. False: memory. */
static bool make_policies(struct server *s, struct served *served, const struct snapshot *snapshot)
{
    size_t count = snapshot->policy_count;
    if (count == 0)
        return true;
    served->policies = mgi_calloc(count, sizeof *served->policies);
    for (size_t i = 0; served->policies && i < count; i++) {
        served->policies[i] =
            mgi_policy_new(s->options.loop, &snapshot->policies[i].settings, &s->log);
        if (!served->policies[i]) {
            free_policies(served, i);
            return false;
        }
    }
    served->pickers.policies = served->policies;
    return served->policies != NULL;
}

struct served *mgi_served_new(struct server *s, struct snapshot *snapshot, struct toolpool *pool,
                              struct served *before)
{
    struct served *served = mgi_calloc(1, sizeof *served);
    if (!served)
        return NULL;
    if (!make_policies(s, served, snapshot)) {
        mgi_free(served);
        return NULL;
    }
    if (pool && before && before->pool && before->pool->pool == pool) {
        served->pool = before->pool;
        served->pool->refs++;
    } else if (pool) {
        served->pool = pool_use_new(pool);
        if (!served->pool) {
            free_policies(served, snapshot->policy_count);
            mgi_free(served);
            return NULL;
        }
    }
    served->refs = 1;
    served->snapshot = mgi_snapshot_ref(snapshot);
    return served;
}

struct served *mgi_served_ref(struct served *served)
{
    served->refs++;
    return served;
}

static void pool_use_unref(struct server *s, struct pool_use *u)
{
    if (!u || --u->refs > 0)
        return;
    u->next = s->retiring;
    s->retiring = u;
    mgi_server_tick_soon(s);
}

void mgi_served_unref(struct server *s, struct served *served)
{
    if (!served || --served->refs > 0)
        return;
    if (s->work) /* a thread that served the last request of this one holds its snapshot */
        mgi_work_refresh(s->work);
    free_policies(served, served->snapshot->policy_count);
    mgi_snapshot_unref(served->snapshot);
    pool_use_unref(s, served->pool);
    mgi_free(served);
}

void mgi_served_tell_retired(struct server *s)
{
    while (s->retiring) {
        struct pool_use *u = s->retiring;
        s->retiring = u->next;
        if (u->retired)
            u->retired(u->context, u->pool);
        mgi_free(u);
    }
}
