/* Answers that are made up: requests whose address fits a pattern get one from here, and never
 * reach the network. So it is seen how a page copes with an answer that its server does not give.
 *
 * The patterns are set on the worker's thread and looked for on the reader's. Documents are asked
 * about there anyway (live_policy.c), so what is decided of them stays decided: only what a page
 * itself asks for is mocked. */
#include "act.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"

#define MOCKS_MOST      20
#define MOCK_BODY_MOST  65536
#define MOCK_BYTES_MOST 262144 /* of all together */

struct mock {
    struct str pattern, answer; /* the members behind requestId, as JSON */
};

static struct {
    pthread_mutex_t lock;
    struct arena arena; /* of the mocks */
    struct mock mocks[MOCKS_MOST];
    size_t count;
} made = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool mgi_act_mocked(struct str url, struct str request, struct buf *answer)
{
    bool found = false;
    pthread_mutex_lock(&made.lock);
    for (size_t i = 0; i < made.count && !found; i++) {
        if (!mgi_str_fits(url, made.mocks[i].pattern))
            continue;
        mgi_buf_printf(answer, "{\"requestId\":\"%.*s\",%.*s}", STR_ARG(request),
                       STR_ARG(made.mocks[i].answer));
        found = true;
    }
    pthread_mutex_unlock(&made.lock);
    return found;
}

void mgi_act_unmock(void)
{
    pthread_mutex_lock(&made.lock);
    made.count = 0;
    mgi_arena_fini(&made.arena);
    made.arena = (struct arena){ 0 };
    pthread_mutex_unlock(&made.lock);
}

/* ---- setting them ---------------------------------------------------------------------------- */

static void put_header(struct json_writer *w, const char *name, struct str value)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "name", name);
    mgi_jw_member_str(w, "value", value);
    mgi_jw_end_object(w);
}

/* "responseCode":200,... without the braces. */
static struct str answer_of(struct job *job, const struct json *mock)
{
    struct act_json j;
    const struct json *status = mgi_json_get(mock, "status"), *body = mgi_json_get(mock, "body");
    struct str type = mgi_member_string(mock, "type");
    struct str text = !body                       ? STR_LIT("")
                      : body->type == JSON_STRING ? body->string
                                                  : body->text; /* JSON may stand there as itself */
    if (text.len > MOCK_BODY_MOST) {
        mgi_job_fail(job, "a body has %zu bytes, it may have %d", text.len, MOCK_BODY_MOST);
        return (struct str){ 0 };
    }
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    mgi_jw_member_int(&j.w, "responseCode",
                      status && status->type == JSON_INT ? status->integer : 200);
    mgi_jw_key(&j.w, "responseHeaders");
    mgi_jw_begin_array(&j.w);
    put_header(&j.w, "Content-Type", type.len ? type : STR_LIT("application/json"));
    put_header(&j.w, "Access-Control-Allow-Origin", STR_LIT("*"));
    mgi_jw_end_array(&j.w);
    const char *coded = mgi_act_base64(job, text);
    mgi_jw_member_cstr(&j.w, "body", coded ? coded : "");
    mgi_jw_end_object(&j.w);
    struct str whole = mgi_act_json_end(&j, job);
    if (!coded || job->arena->oom) {
        mgi_job_no_memory(job);
        return (struct str){ 0 };
    }
    return (struct str){ whole.ptr + 1, whole.len - 2 };
}

static bool keep_mock(struct str pattern, struct str answer)
{
    pthread_mutex_lock(&made.lock);
    struct mock mock = { mgi_arena_str(&made.arena, pattern), mgi_arena_str(&made.arena, answer) };
    bool kept = mock.pattern.ptr && mock.answer.ptr;
    if (kept)
        made.mocks[made.count++] = mock;
    pthread_mutex_unlock(&made.lock);
    return kept;
}

static bool check_mocks(struct job *job, const struct json *mocks)
{
    if (!mocks)
        return true;
    if (mocks->type != JSON_ARRAY || mocks->count > MOCKS_MOST)
        return mgi_job_fail(job, "mocks is a list of at most %d of {pattern, status, body}",
                            MOCKS_MOST);
    for (uint32_t i = 0; i < mocks->count; i++) {
        const struct json *status = mgi_json_get(&mocks->items[i], "status");
        if (mgi_member_string(&mocks->items[i], "pattern").len == 0)
            return mgi_job_fail(job, "a mock has a pattern: */api/users*");
        if (status && (status->type != JSON_INT || status->integer < 200 || status->integer > 599))
            return mgi_job_fail(job, "the status of a mock is 200 to 599");
    }
    return true;
}

/* What the browser is to ask about: documents, as ever, and what is mocked. */
static bool ask_about(struct job *job, const struct json *mocks)
{
    struct act_json j;
    struct json ignored;
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    mgi_jw_key(&j.w, "patterns");
    mgi_jw_begin_array(&j.w);
    for (uint32_t i = 0; i <= (mocks ? mocks->count : 0); i++) {
        mgi_jw_begin_object(&j.w);
        mgi_jw_member_str(&j.w, "urlPattern",
                          i == 0 ? STR_LIT("*")
                                 : mgi_member_string(&mocks->items[i - 1], "pattern"));
        if (i == 0)
            mgi_jw_member_cstr(&j.w, "resourceType", "Document");
        mgi_jw_end_object(&j.w);
    }
    mgi_jw_end_array(&j.w);
    mgi_jw_end_object(&j.w);
    return mgi_live_call(job, "Fetch.enable", mgi_act_json_end(&j, job), &ignored);
}

static bool keep_all(struct job *job, const struct json *mocks)
{
    size_t bytes = 0;
    for (uint32_t i = 0; mocks && i < mocks->count; i++) {
        struct str answer = answer_of(job, &mocks->items[i]);
        bytes += answer.len;
        if (!answer.ptr || bytes > MOCK_BYTES_MOST)
            return mgi_job_fail(job, "the bodies are too large together");
        if (!keep_mock(mgi_member_string(&mocks->items[i], "pattern"), answer))
            return mgi_job_no_memory(job);
    }
    return true;
}

bool mgi_act_set_mocks(struct job *job, const struct json *mocks)
{
    if (!check_mocks(job, mocks))
        return false;
    mgi_act_unmock();
    if (keep_all(job, mocks))
        return true;
    mgi_act_unmock(); /* all of them or none */
    return false;
}

bool mgi_act_mock(struct job *job)
{
    const struct json *mocks = mgi_act_argument(job, "mocks");
    return mgi_act_set_mocks(job, mocks) && ask_about(job, mocks);
}
