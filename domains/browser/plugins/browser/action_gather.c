/* gather_evidence: the capture as facts for the rules that find causes. They travel as an artifact
 * that the server tells to the rules of this invocation, and to nobody else. */
#include "facts.h"

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
      "\"max_facts\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1500,\"default\":1500}",
      gather_evidence },
};
const struct browser_actions mgi_gather_actions = { gather_actions, sizeof gather_actions /
                                                                        sizeof gather_actions[0] };
