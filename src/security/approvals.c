/* A list under a lock, oldest first: it is short, and asked by people. */
#include "security/approvals.h"

#include <pthread.h>

#include "base/alloc.h"

struct entry { /* one block of memory, with its texts behind it */
    enum approval state;
    int64_t until_ns;
    struct str challenge, shown;
    struct str caller, credential; /* of who asked */
    struct buf by;                 /* identity of who approved */
};

struct approvals {
    pthread_mutex_t lock;
    struct entry *entries[APPROVALS_OF_ALL];
    size_t count;
};

struct approvals *mgi_approvals_new(void)
{
    struct approvals *a = mgi_calloc(1, sizeof *a);
    if (a && pthread_mutex_init(&a->lock, NULL) != 0) {
        mgi_free(a);
        return NULL;
    }
    return a;
}

static void drop(struct approvals *a, size_t at)
{
    mgi_buf_fini(&a->entries[at]->by);
    mgi_free(a->entries[at]);
    a->count--;
    memmove(&a->entries[at], &a->entries[at + 1], (a->count - at) * sizeof *a->entries);
}

void mgi_approvals_free(struct approvals *a)
{
    if (!a)
        return;
    while (a->count > 0)
        drop(a, a->count - 1);
    pthread_mutex_destroy(&a->lock);
    mgi_free(a);
}

static void drop_over(struct approvals *a, int64_t now_ns)
{
    for (size_t i = a->count; i-- > 0;)
        if (now_ns > a->entries[i]->until_ns)
            drop(a, i);
}

/* Who asks a lot loses what is its own. */
static void make_room(struct approvals *a, struct str caller)
{
    size_t own = 0, oldest = 0;
    for (size_t i = a->count; i-- > 0;)
        if (str_eq(a->entries[i]->caller, caller)) {
            own++;
            oldest = i;
        }
    if (own >= APPROVALS_OF_ONE)
        drop(a, oldest);
    else if (a->count == APPROVALS_OF_ALL)
        drop(a, 0);
}

static struct str lay_down(char **end, struct str s)
{
    struct str copy = { *end, s.len };
    if (s.len > 0)
        memcpy(*end, s.ptr, s.len);
    *end += s.len;
    return copy;
}

static struct entry *make_entry(const struct principal *who, struct str challenge, struct str shown,
                                int64_t until_ns)
{
    struct str caller = mgi_principal_caller(who);
    struct entry *e =
        mgi_alloc(sizeof *e + challenge.len + shown.len + caller.len + who->credential.len);
    if (!e)
        return NULL;
    char *end = (char *)(e + 1);
    e->state = APPROVAL_WAITING;
    e->by = (struct buf){ 0 };
    e->until_ns = until_ns;
    e->challenge = lay_down(&end, challenge);
    e->shown = lay_down(&end, shown);
    e->caller = lay_down(&end, caller);
    e->credential = lay_down(&end, who->credential);
    return e;
}

void mgi_approvals_ask(struct approvals *a, const struct principal *who, struct str challenge,
                       struct str shown, int64_t now_ns, int64_t until_ns)
{
    if (shown.len > APPROVALS_MAX_BYTES)
        return;
    struct entry *e = make_entry(who, challenge, shown, until_ns);
    if (!e)
        return;
    pthread_mutex_lock(&a->lock);
    drop_over(a, now_ns);
    make_room(a, e->caller);
    a->entries[a->count++] = e;
    pthread_mutex_unlock(&a->lock);
}

static struct entry *find_approval(const struct approvals *a, struct str challenge)
{
    for (size_t i = 0; i < a->count; i++)
        if (str_eq(a->entries[i]->challenge, challenge))
            return a->entries[i];
    return NULL;
}

/* *out: the entry, unless `by` may not look at it. */
static enum approval find_for(const struct approvals *a, const struct principal *by,
                              struct str challenge, int64_t now_ns, struct entry **out)
{
    struct entry *e = find_approval(a, challenge);
    *out = NULL;
    if (!e || now_ns > e->until_ns)
        return APPROVAL_UNKNOWN;
    if (by->credential.len > 0 && str_eq(by->credential, e->credential))
        return APPROVAL_OWN;
    *out = e;
    return e->state;
}

enum approval mgi_approvals_look(struct approvals *a, const struct principal *by,
                                 struct str challenge, int64_t now_ns, struct buf *shown)
{
    struct entry *e;
    pthread_mutex_lock(&a->lock);
    enum approval state = find_for(a, by, challenge, now_ns, &e);
    if (e && shown)
        mgi_buf_str(shown, e->shown);
    pthread_mutex_unlock(&a->lock);
    return state;
}

static bool keep_giver(struct entry *e, const struct principal *by)
{
    mgi_buf_clear(&e->by);
    mgi_buf_str(&e->by, by->identity);
    bool kept = !e->by.oom;
    if (!kept)
        mgi_buf_fini(&e->by);
    return kept;
}

enum approval mgi_approvals_decide(struct approvals *a, const struct principal *by,
                                   struct str challenge, bool approve, int64_t now_ns)
{
    struct entry *e;
    pthread_mutex_lock(&a->lock);
    enum approval state = find_for(a, by, challenge, now_ns, &e);
    if (e && !approve)
        state = e->state = APPROVAL_REFUSED;
    else if (e && state == APPROVAL_WAITING && keep_giver(e, by))
        state = e->state = APPROVAL_GIVEN;
    pthread_mutex_unlock(&a->lock);
    return state;
}

bool mgi_approvals_given(struct approvals *a, struct str challenge, struct buf *by)
{
    pthread_mutex_lock(&a->lock);
    const struct entry *e = find_approval(a, challenge);
    bool given = e && e->state == APPROVAL_GIVEN;
    if (given && by)
        mgi_buf_str(by, mgi_buf_view(&e->by));
    pthread_mutex_unlock(&a->lock);
    return given;
}
