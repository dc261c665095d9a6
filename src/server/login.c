/* Tokens of another issuer.
 *
 *     begin ──JWT──> a worker judges it ──> told
 *       │                └─no key has its id─> the keys are fetched ──> judged once more ──> told
 *       └──opaque──> the issuer is asked ──> told
 *
 * The loop digests a token and looks it up; signatures and what comes from the issuer are judged on
 * workers. All that are under way are few, and those of one place a part of them, so that nobody's
 * flood keeps others from logging in. */
#include "base/alloc.h"
#include "base/time.h"
#include "base/url.h"
#include "server/login_int.h"

#define JUDGING_KIND UINT64_C(0x6a756467) /* all take about as long */

struct login {
    struct server *server;
    struct login *next, *prev;
    void (*told)(void *context, enum auth_result result, const struct principal *who);
    void *context;
    struct buf token;
    char place[LOGIN_PLACE_BYTES]; /* where it comes from; "": not known */
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

static int64_t believed_until(const struct login *l)
{
    int64_t until_ns = l->who->expires_ns;
    int64_t brief_ns = l->server->options.issuer->remembered_ms * NS_PER_MS;
    if (l->is_answer && (brief_ns == 0 || until_ns - brief_ns > l->now_ns))
        until_ns = l->now_ns + brief_ns;
    return until_ns;
}

static void end_login(struct login *l, enum auth_result result)
{
    const struct principal *who = NULL;
    unlink_login(l);
    if (result == AUTH_GOOD) {
        mgi_login_remember(l->server, l->digest, l->who, believed_until(l));
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
    if (l->told && l->verdict == JWT_NO_KEY && !l->asked_again && mgi_login_fetch_keys(l->server)) {
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

/* ---- those who wait for keys ------------------------------------------------------------------
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
                                  const struct principal **who, int64_t *until_ns)
{
    const struct issuer *i = s->options.issuer;
    uint8_t digest[SHA256_BYTES];
    if (!i || token.len == 0 || token.len > AUTH_TOKEN_MAX ||
        !(i->introspection || is_for_keys(s, token)))
        return AUTH_REJECTED;
    if (!mgi_sha256(token.ptr, token.len, digest))
        return AUTH_UNREACHABLE;
    *who = mgi_login_known(s, digest, until_ns);
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
        l->asked_again = l->waits = mgi_login_fetch_keys(s);
        if (l->waits)
            return true;
    }
    return hand_to_worker(l);
}

/* Is there room for one more, from there? */
static bool has_room(const struct logins *all, const char *place)
{
    size_t from_there = 0;
    for (const struct login *l = all->first; l && place[0]; l = l->next)
        from_there += strcmp(l->place, place) == 0;
    return all->count < LOGINS_MOST && from_there < LOGINS_PLACE;
}

struct login *mgi_server_judge(struct server *s, struct str token, const char *place,
                               void (*told)(void *context, enum auth_result result,
                                            const struct principal *who),
                               void *context)
{
    struct logins *all = &s->logins;
    struct login *l = has_room(all, place) ? mgi_calloc(1, sizeof *l) : NULL;
    if (!l)
        return NULL;
    snprintf(l->place, sizeof l->place, "%s", place);
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
    s->logins.resume = resume_waiting;
    if (s->options.issuer)
        mgi_login_keys_begin(s);
}

/* Take back what has not begun; what runs is over when the workers are. */
void mgi_logins_stop(struct server *s)
{
    struct task_runner runner = mgi_work_runner(s->work);
    for (struct login *l = s->logins.first; l; l = l->next)
        if (l->on_worker)
            (void)runner.take_back(runner.self, &l->task);
    mgi_login_keys_stop(s);
}

void mgi_logins_free(struct server *s)
{
    struct logins *all = &s->logins;
    for (struct login *l = all->first, *next; l; l = next) {
        next = l->next;
        free_login(l);
    }
    mgi_login_forget_all(s);
    mgi_login_keys_free(s);
    mgi_free(all->known);
    *all = (struct logins){ 0 };
}
