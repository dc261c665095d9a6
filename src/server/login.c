/* Tokens of another issuer.
 *
 *     begin ──JWT──> a worker judges it ──> told
 *       │                └─no key has its id─> the keys are fetched ──> judged once more ──> told
 *       └──opaque──> the issuer is asked ──> told
 *
 * 1. The loop digests a token and looks it up; signatures and what comes from the issuer are judged
 *    on workers.
 * 2. Keys are fetched once for all who wait for them, and not again for KEYS_PAUSE_NS, so that
 *    tokens with invented key ids cost the issuer nothing. When they are stale they are fetched
 *    beside the requests, and believed for a day while that fails.
 * 3. What is remembered goes when the keys change: a key that was withdrawn stands for nothing. */
#include "base/alloc.h"
#include "base/time.h"
#include "base/url.h"
#include "server/server_int.h"
#include "sys/digest.h"

#define KEYS_PAUSE_NS   (10 * NS_PER_SEC)
#define KEYS_LEAST_S    60 /* of what a max-age may say */
#define KEYS_USUAL_S    3600
#define KEYS_MOST_S     86400
#define KEYS_BELIEVED_S 86400                /* when they cannot be fetched again */
#define JUDGING_KIND    UINT64_C(0x6a756467) /* all take about as long */

struct login {
    struct server *server;
    struct login *next, *prev;
    void (*told)(void *context, enum auth_result result, const struct principal *who);
    void *context;
    struct buf token;
    uint8_t digest[SHA256_BYTES];
    bool on_worker;
    bool waits;           /* for keys */
    bool asked_again;     /* newer keys were fetched for it, or could not be */
    struct fetch *asking; /* of an opaque token */
    struct jwks *keys;    /* a reference, while a worker judges */
    struct buf answer;    /* the issuer's */
    bool is_answer;
    int64_t now_ns;
    enum jwt_verdict verdict;
    struct principal *who;
    struct task task;
};

/* ---- what is remembered ---------------------------------------------------------------------- */

static struct remembered *set_of(const struct server *s, const uint8_t digest[SHA256_BYTES])
{
    return s->logins.known[digest[0] % LOGIN_SETS];
}

/* Digests are looked up, and not the tokens: how long it takes tells nothing of one. */
static const struct principal *recall(const struct server *s, const uint8_t digest[SHA256_BYTES])
{
    struct remembered *set = set_of(s, digest);
    int64_t now_ns = mgi_server_clock_ns(s);
    for (int i = 0; i < LOGIN_WAYS; i++)
        if (set[i].who && memcmp(set[i].digest, digest, SHA256_BYTES) == 0 &&
            now_ns < set[i].until_ns && !mgi_principal_expired(set[i].who, now_ns))
            return mgi_principal_ref(set[i].who);
    return NULL;
}

/* In place of what is over soonest. */
static void remember(struct server *s, const struct login *l)
{
    struct remembered *set = set_of(s, l->digest), *place = &set[0];
    int64_t until_ns = l->who->expires_ns;
    int64_t brief_ns = s->options.issuer->remembered_ms * NS_PER_MS;
    if (l->is_answer && (brief_ns == 0 || until_ns - brief_ns > l->now_ns))
        until_ns = l->now_ns + brief_ns;
    for (int i = 0; i < LOGIN_WAYS && place->who; i++)
        if (!set[i].who || set[i].until_ns < place->until_ns)
            place = &set[i];
    mgi_principal_unref(place->who);
    memcpy(place->digest, l->digest, SHA256_BYTES);
    place->who = mgi_principal_ref(l->who);
    place->until_ns = until_ns;
}

static void forget_all(struct server *s)
{
    for (int i = 0; s->logins.known && i < LOGIN_SETS; i++)
        for (int j = 0; j < LOGIN_WAYS; j++) {
            mgi_principal_unref(s->logins.known[i][j].who);
            s->logins.known[i][j].who = NULL;
        }
}

/* ---- one login ------------------------------------------------------------------------------- */

static void free_login(struct login *l)
{
    mgi_buf_wipe(&l->token);
    mgi_buf_fini(&l->answer);
    mgi_jwks_unref(l->keys);
    mgi_principal_unref(l->who);
    mgi_free(l);
}

static void unlink_login(struct login *l)
{
    struct logins *all = &l->server->logins;
    if (l->prev)
        l->prev->next = l->next;
    else
        all->first = l->next;
    if (l->next)
        l->next->prev = l->prev;
    all->count--;
}

static void end_login(struct login *l, enum auth_result result)
{
    const struct principal *who = NULL;
    unlink_login(l);
    if (result == AUTH_GOOD) {
        remember(l->server, l);
        who = l->told ? mgi_principal_ref(l->who) : NULL;
    }
    if (l->told)
        l->told(l->context, result, who);
    free_login(l);
}

static enum auth_result result_of(const struct login *l)
{
    const struct logins *all = &l->server->logins;
    switch (l->verdict) {
    case JWT_GOOD:
        return AUTH_GOOD;
    case JWT_EXPIRED:
        return AUTH_EXPIRED;
    case JWT_EARLY:
        return AUTH_EARLY;
    case JWT_NO_KEY: /* whether there is one, the issuer knows */
        return !all->keys || all->failed ? AUTH_UNREACHABLE : AUTH_REJECTED;
    case JWT_NOMEM:
        return AUTH_UNREACHABLE;
    default:
        return AUTH_REJECTED;
    }
}

static void judge_on_worker(struct task *t)
{
    struct login *l = (struct login *)((char *)t - offsetof(struct login, task));
    const struct jwt_rules *rules = &l->server->options.issuer->rules;
    if (l->is_answer)
        l->verdict = mgi_introspection_judge(rules, mgi_buf_view(&l->answer), l->now_ns, &l->who);
    else
        l->verdict = mgi_jwt_judge(rules, l->keys, mgi_buf_view(&l->token), l->now_ns, &l->who);
}

static bool fetch_keys(struct server *s);
static bool hand_to_worker(struct login *l);

/* What was judged by keys that have gone since stands for nothing: once more, by those there are.
 */
static void judge_anew(struct login *l)
{
    mgi_principal_unref(l->who);
    l->who = NULL;
    if (!l->told || !hand_to_worker(l))
        end_login(l, AUTH_UNREACHABLE);
}

static void judged(struct task *t)
{
    struct login *l = (struct login *)((char *)t - offsetof(struct login, task));
    bool is_old = !l->is_answer && l->keys != l->server->logins.keys;
    l->on_worker = false;
    mgi_jwks_unref(l->keys);
    l->keys = NULL;
    if (is_old) {
        judge_anew(l);
        return;
    }
    if (l->told && l->verdict == JWT_NO_KEY && !l->asked_again && fetch_keys(l->server)) {
        l->asked_again = l->waits = true;
        return;
    }
    end_login(l, result_of(l));
}

/* False: the workers have no room. */
static bool hand_to_worker(struct login *l)
{
    struct server *s = l->server;
    struct task_runner runner = mgi_work_runner(s->work);
    l->task = (struct task){
        .run = judge_on_worker, .done = judged, .owner = (uintptr_t)s, .kind = JUDGING_KIND
    };
    l->now_ns = mgi_server_clock_ns(s);
    l->keys = mgi_jwks_ref(s->logins.keys);
    l->on_worker = runner.hand(runner.self, &l->task);
    return l->on_worker;
}

/* ---- keys --------------------------------------------------------------------------------------
 */

static struct login *first_waiting(const struct server *s)
{
    struct login *l = s->logins.first;
    while (l && !l->waits)
        l = l->next;
    return l;
}

/* Whoever waited is judged once more, by whatever keys there are. */
static void resume_waiting(struct server *s)
{
    struct login *l;
    while ((l = first_waiting(s)) != NULL) { /* who is told may forget others */
        l->waits = false;
        if (!hand_to_worker(l))
            end_login(l, AUTH_UNREACHABLE);
    }
}

static void use_keys(struct server *s, struct jwks *keys, int64_t max_age_s)
{
    struct logins *all = &s->logins;
    int64_t now_ns = mgi_mono_ns();
    int64_t age_s = max_age_s < 0              ? KEYS_USUAL_S
                    : max_age_s < KEYS_LEAST_S ? KEYS_LEAST_S
                    : max_age_s > KEYS_MOST_S  ? KEYS_MOST_S
                                               : max_age_s;
    mgi_jwks_unref(all->keys);
    all->keys = keys;
    all->failed = false;
    all->stale_ns = now_ns + age_s * NS_PER_SEC;
    all->useless_ns = all->stale_ns + KEYS_BELIEVED_S * NS_PER_SEC;
    forget_all(s);
}

static void keys_failed(struct server *s, const char *why)
{
    struct logins *all = &s->logins;
    all->failed = true;
    mgi_log(&s->log, LOG_WARN, "the issuer's keys cannot be fetched from %s: %s",
            s->options.issuer->keys_url, why);
    if (all->keys && mgi_mono_ns() >= all->useless_ns) {
        mgi_jwks_unref(all->keys);
        all->keys = NULL;
        forget_all(s);
    }
    s->on_keys(s, "the issuer's keys cannot be fetched");
}

static void read_on_worker(struct task *t)
{
    struct logins *all = (struct logins *)((char *)t - offsetof(struct logins, task));
    all->read = mgi_jwks_new(mgi_buf_view(&all->fetched), &all->why);
}

static void keys_read(struct task *t)
{
    struct logins *all = (struct logins *)((char *)t - offsetof(struct logins, task));
    struct server *s = (struct server *)((char *)all - offsetof(struct server, logins));
    all->reading = false;
    mgi_buf_fini(&all->fetched);
    if (all->read) {
        use_keys(s, all->read, all->max_age_s);
        s->on_keys(s, NULL);
    } else {
        keys_failed(s, all->why);
    }
    all->read = NULL;
    resume_waiting(s);
}

static void keys_came(void *context, const struct fetch_answer *answer)
{
    struct server *s = context;
    struct logins *all = &s->logins;
    struct task_runner runner = mgi_work_runner(s->work);
    char why[64];
    all->fetching = NULL;
    if (answer->status != 200) {
        snprintf(why, sizeof why, "it answers %d", answer->status);
        keys_failed(s, answer->status ? why : answer->why);
        resume_waiting(s);
        return;
    }
    mgi_buf_str(&all->fetched, answer->body);
    all->max_age_s = answer->max_age_s;
    all->task = (struct task){
        .run = read_on_worker, .done = keys_read, .owner = (uintptr_t)s, .promised = true
    };
    all->reading = !all->fetched.oom && runner.hand(runner.self, &all->task);
    if (!all->reading) {
        mgi_buf_fini(&all->fetched);
        keys_failed(s, "out of memory");
        resume_waiting(s);
    }
}

/* Is there a fetch that may be waited for? Begins one, if it is time. */
static bool fetch_keys(struct server *s)
{
    struct logins *all = &s->logins;
    const struct issuer *i = s->options.issuer;
    int64_t now_ns = mgi_mono_ns();
    if (all->fetching || all->reading)
        return true;
    if (!i->keys_url || now_ns < all->next_ns)
        return false;
    const struct fetch_order order = { .url = i->keys_url,
                                       .ca_file = i->ca_file,
                                       .max_bytes = JWKS_MAX_BYTES,
                                       .timeout_ms = i->timeout_ms };
    all->fetching = s->options.fetcher.begin(s->options.fetcher.self, &order, keys_came, s);
    if (all->fetching) /* what was not asked costs the issuer nothing */
        all->next_ns = now_ns + KEYS_PAUSE_NS;
    return all->fetching != NULL;
}

void mgi_server_set_issuer_keys(struct server *s, struct jwks *keys)
{
    use_keys(s, mgi_jwks_ref(keys), KEYS_MOST_S);
}

/* ---- opaque tokens ------------------------------------------------------------------------------
 */

static void issuer_answered(void *context, const struct fetch_answer *answer)
{
    struct login *l = context;
    l->asking = NULL;
    if (answer->status != 200) {
        if (answer->status)
            mgi_log(&l->server->log, LOG_WARN, "the issuer answers %d about a token",
                    answer->status);
        else
            mgi_log(&l->server->log, LOG_WARN, "the issuer does not answer about a token: %s",
                    answer->why);
        end_login(l, AUTH_UNREACHABLE);
        return;
    }
    l->is_answer = true;
    mgi_buf_str(&l->answer, answer->body);
    if (l->answer.oom || !hand_to_worker(l))
        end_login(l, AUTH_UNREACHABLE);
}

static bool ask_issuer(struct login *l)
{
    const struct server_options *o = &l->server->options;
    struct buf form = { 0 };
    mgi_buf_puts(&form, "token_type_hint=access_token&token=");
    mgi_url_escape(&form, mgi_buf_view(&l->token));
    const struct fetch_order order = { .url = o->issuer->introspection,
                                       .ca_file = o->issuer->ca_file,
                                       .basic = o->issuer->basic,
                                       .form = mgi_buf_view(&form),
                                       .max_bytes = INTROSPECTION_MAX_BYTES,
                                       .timeout_ms = o->issuer->timeout_ms };
    if (!form.oom)
        l->asking = o->fetcher.begin(o->fetcher.self, &order, issuer_answered, l);
    mgi_buf_wipe(&form);
    return l->asking != NULL;
}

/* ---- the two questions
 * --------------------------------------------------------------------------- */

static bool is_for_keys(const struct server *s, struct str token)
{
    const struct issuer *i = s->options.issuer;
    return (i->keys_url || i->keys_given) && mgi_jwt_looks_like_one(token);
}

enum auth_result mgi_login_recall(const struct server *s, struct str token,
                                  const struct principal **who)
{
    const struct issuer *i = s->options.issuer;
    uint8_t digest[SHA256_BYTES];
    if (!i || token.len == 0 || token.len > AUTH_TOKEN_MAX ||
        !(i->introspection || is_for_keys(s, token)))
        return AUTH_REJECTED;
    if (!mgi_sha256(token.ptr, token.len, digest))
        return AUTH_UNREACHABLE;
    *who = recall(s, digest);
    return *who ? AUTH_GOOD : AUTH_UNSURE;
}

static bool start(struct login *l)
{
    struct server *s = l->server;
    struct str token = mgi_buf_view(&l->token);
    if (l->token.oom || !mgi_sha256(token.ptr, token.len, l->digest))
        return false;
    if (!is_for_keys(s, token))
        return ask_issuer(l);
    if (!s->logins.keys && s->options.issuer->keys_url) {
        l->asked_again = l->waits = fetch_keys(s);
        if (l->waits)
            return true;
    } else if (s->options.issuer->keys_url && mgi_mono_ns() >= s->logins.stale_ns) {
        (void)fetch_keys(s); /* for those who come later */
    }
    return hand_to_worker(l);
}

struct login *mgi_server_judge(struct server *s, struct str token,
                               void (*told)(void *context, enum auth_result result,
                                            const struct principal *who),
                               void *context)
{
    struct logins *all = &s->logins;
    struct login *l = all->count < LOGINS_MOST ? mgi_calloc(1, sizeof *l) : NULL;
    if (!l)
        return NULL;
    l->server = s;
    l->told = told;
    l->context = context;
    mgi_buf_str(&l->token, token);
    l->next = all->first;
    if (l->next)
        l->next->prev = l;
    all->first = l;
    all->count++;
    if (start(l))
        return l;
    unlink_login(l);
    free_login(l);
    return NULL;
}

/* A worker that has it goes on: it ends when that is done. */
void mgi_login_forget(struct login *l)
{
    l->told = NULL;
    if (l->on_worker)
        return;
    if (l->asking)
        l->server->options.fetcher.forget(l->server->options.fetcher.self, l->asking);
    unlink_login(l);
    free_login(l);
}

/* ---- beginning and end
 * --------------------------------------------------------------------------- */

void mgi_logins_begin(struct server *s)
{
    const struct issuer *i = s->options.issuer;
    if (!i)
        return;
    s->logins.keys = mgi_jwks_ref(s->options.issuer_keys);
    s->logins.stale_ns = s->logins.useless_ns = INT64_MAX;
    if (i->keys_url)
        (void)fetch_keys(s);
}

/* Take back what has not begun; what runs is over when the workers are. */
void mgi_logins_stop(struct server *s)
{
    struct task_runner runner = mgi_work_runner(s->work);
    struct logins *all = &s->logins;
    for (struct login *l = all->first; l; l = l->next)
        if (l->on_worker)
            (void)runner.take_back(runner.self, &l->task);
    if (all->reading)
        (void)runner.take_back(runner.self, &all->task);
    if (all->fetching)
        s->options.fetcher.forget(s->options.fetcher.self, all->fetching);
}

void mgi_logins_free(struct server *s)
{
    struct logins *all = &s->logins;
    for (struct login *l = all->first, *next; l; l = next) {
        next = l->next;
        free_login(l);
    }
    all->first = NULL;
    forget_all(s);
    mgi_free(all->known);
    mgi_buf_fini(&all->fetched);
    mgi_jwks_unref(all->read);
    mgi_jwks_unref(all->keys);
    *all = (struct logins){ 0 };
}
