/* Asking the page in front for what it does not tell by itself, and what a capture is made of. */
#include "live_int.h"

static const char state_function[] =
    "()=>({url:location.href,title:document.title,ready:document.readyState,"
    "visibility:document.visibilityState,"
    "text:(document.body?document.body.innerText:'').slice(0,4000)})";

bool mgi_live_observe(struct job *job)
{
    struct json state;
    if (!mgi_live_run(job, state_function, STR_LIT(""), &state))
        return false;
    job->capture = (struct capture){ .dir = "",
                                     .session = STR_LIT("live"),
                                     .title = mgi_member_string(&state, "title"),
                                     .url = mgi_member_string(&state, "url"),
                                     .creator = STR_LIT("live page"),
                                     .browser = STR_LIT("Chromium") };
    return true;
}

bool mgi_live_file(struct job *job, const char *name, struct str *text)
{
    *text = STR_LIT("");
    return mgi_job_fail(job, "a live page has no %s", name);
}
