/* gather_evidence: the capture as facts for the rules that find causes. They travel as an artifact
 * that the server tells to the rules of this invocation, and to nobody else. */
#include "facts.h"
#include "live.h"

#define ADDRESS_BYTES 500 /* as observe_page has it in its facts */

/* What was there before the page was opened anew, which its evidence knows nothing of. */
static bool put_past(struct job *job)
{
    struct str part = { 0 };
    if (!mgi_job_string(job, "contains", &part))
        return false;
    const char *wanted = mgi_arena_printf(job->arena, "%.*s", STR_ARG(part));
    if (part.len > 0 && wanted && mgi_seen_ever(wanted))
        mgi_jw_member_bool(&job->out, "seen_before", true);
    if (mgi_is_live(job))
        mgi_seen_put_gone(job, "gone");
    return true;
}

static bool gather_evidence(struct job *job)
{
    int64_t most = EVIDENCE_MOST, written = 0, lost = 0;
    if (!mgi_job_integer(job, "max_facts", 1, EVIDENCE_MOST, &most))
        return false;
    if (!mgi_evidence_write(job, &job->evidence, most, &written, &lost))
        return false;
    mgi_jw_member_int(&job->out, "facts", written);
    mgi_jw_member_int(&job->out, "facts_left_out", lost);
    mgi_jw_member_int(&job->out, "requests", (int64_t)job->capture.request_count);
    mgi_jw_member_int(&job->out, "errors", (int64_t)job->capture.error_count);
    mgi_put_text(job, "url", job->capture.url);
    mgi_put_text(job, "session_id", job->capture.session);
    if (job->capture.url.len > 0)
        mgi_jw_member_str(&job->out, "address", mgi_utf8_prefix(job->capture.url, ADDRESS_BYTES));
    if (!put_past(job))
        return false;
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "%lld facts of %zu requests and %zu messages",
                                        (long long)written, job->capture.request_count,
                                        job->capture.message_count));
    return true;
}

static const struct browser_action gather_actions[] = {
    { "AID.BROWSER.GATHER.v1", "gather_evidence",
      "What was seen of the page, as evidence for the rules that find causes.", "browser.capture",
      "none",
      "\"open\":{\"type\":\"string\",\"description\":\"An address to open first; its host must be "
      "allowed\"},"
      "\"contains\":{\"type\":\"string\",\"description\":\"Was anything that says so ever seen?\"},"
      "\"max_facts\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1500,\"default\":1500}",
      gather_evidence },
};
const struct browser_actions mgi_gather_actions = { gather_actions, sizeof gather_actions /
                                                                        sizeof gather_actions[0] };
