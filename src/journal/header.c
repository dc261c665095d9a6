/* See the header. */
#include "journal/header.h"

struct run_header mgi_run_header(struct str invocation_id, struct str request_id,
                                 bool deterministic)
{
    return (struct run_header){
        .spec_version = STR_LIT(RUN_SPEC_VERSION),
        .profile_id = STR_LIT(RUN_PROFILE_ID),
        .run_id = deterministic ? STR_LIT(RUN_ID_DETERMINISTIC) : invocation_id,
        .request_id = request_id,
    };
}

void mgi_run_header_write(struct json_writer *w, const struct run_header *h)
{
    mgi_jw_member_str(w, "spec_version", h->spec_version);
    mgi_jw_member_str(w, "profile_id", h->profile_id);
    mgi_jw_member_str(w, "run_id", h->run_id);
    if (h->request_id.len > 0)
        mgi_jw_member_str(w, "request_id", h->request_id);
}
