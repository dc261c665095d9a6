/* One snapshot under a lock, and its skills as the bridge wants them. */
#include "cli/manglecp_mcp_skills.h"

#include "base/json.h"

void mgi_served_init(struct served_domain *d)
{
    pthread_mutex_init(&d->lock, NULL);
    d->snapshot = NULL;
    d->loads = 0;
}

void mgi_served_fini(struct served_domain *d)
{
    mgi_snapshot_unref(d->snapshot);
    pthread_mutex_destroy(&d->lock);
}

void mgi_served_take(void *context, struct snapshot *snapshot)
{
    struct served_domain *d = context;
    pthread_mutex_lock(&d->lock);
    struct snapshot *before = d->snapshot;
    d->snapshot = mgi_snapshot_ref(snapshot);
    d->loads++;
    pthread_mutex_unlock(&d->lock);
    mgi_snapshot_unref(before);
}

uint64_t mgi_served_loads(void *context)
{
    struct served_domain *d = context;
    pthread_mutex_lock(&d->lock);
    uint64_t loads = d->loads;
    pthread_mutex_unlock(&d->lock);
    return loads;
}

static void write_skills(struct buf *out, const struct snapshot *s)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < s->skill_count; i++) {
        const struct skill *one = &s->skills[i];
        mgi_jw_begin_object(&w);
        mgi_jw_member_str(&w, "id", one->id);
        mgi_jw_member_str(&w, "name", one->name);
        mgi_jw_member_str(&w, "description", one->description);
        mgi_jw_member_str(&w, "content_type", one->content_type);
        mgi_jw_member_str(&w, "content", one->content);
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
}

void mgi_served_skills(void *context, struct buf *out)
{
    struct served_domain *d = context;
    pthread_mutex_lock(&d->lock);
    struct snapshot *s = d->snapshot ? mgi_snapshot_ref(d->snapshot) : NULL;
    pthread_mutex_unlock(&d->lock);
    if (s)
        write_skills(out, s);
    mgi_snapshot_unref(s);
}
