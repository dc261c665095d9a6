/* Requests that are over and wait to be one again, with what they hold. */
#include "base/alloc.h"
#include "server/server_int.h"

void mgi_request_free(struct request *r)
{
    mgi_buf_fini(&r->answer);
    mgi_buf_fini(&r->extensions);
    mgi_buf_fini(&r->record_text);
    mgi_arena_fini(&r->arena);
    mgi_free(r);
}

void mgi_requests_drop_spare(struct server *s)
{
    while (s->spare) {
        struct request *r = s->spare;
        s->spare = r->spare_next;
        mgi_request_free(r);
    }
    s->spare_count = 0;
}
