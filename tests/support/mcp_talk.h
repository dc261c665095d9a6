/* A server with a bit of everything, and a conversation with it as lines: "> " goes in, "< " comes
 * out, "! " is done by the test's side. */
#ifndef TEST_SUPPORT_MCP_TALK_H
#define TEST_SUPPORT_MCP_TALK_H

#include "base/buf.h"
#include "mcp/server.h"

struct talk {
    struct mcp_server *server;
    struct mcp_peer *peer;
    struct buf out;    /* lines that came and were not looked at */
    struct buf actual; /* the conversation as it was */
    int64_t now_ms;
    struct mcp_call *held; /* of the tool "later" */
    int cancelled, released;
    bool drops;   /* what comes out is not kept */
    bool unheard; /* something was not kept, because memory was short */
};

void talk_init(struct talk *t);
void talk_fini(struct talk *t);
struct mcp_server *talk_server(struct talk *t, bool with_more); /* one tool more */
void talk_say(struct talk *t, const char *line);                /* one message in */
/* What came out since, a line each; valid until the next call. */
const char *talk_heard(struct talk *t);

/* Play a script; NULL: as written. Else what differed, as a text to free with mgi_free. */
char *talk_play(struct talk *t, const char *script);

#endif
