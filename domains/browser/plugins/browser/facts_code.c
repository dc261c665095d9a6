/* Errors beside the code that failed: what it awaited. */
#include "facts.h"

void mgi_facts_code(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->message_count; i++) {
        const struct message *m = &c->messages[i];
        if (m->error_number > 0 && m->request_id.len == 0 && !str_is(m->source, "network"))
            mgi_facts_await(list, m);
    }
}
