/* The rows of the matrix, and why some of them cannot be shown by speaking to a server
 * (requirements.h). */
#include "conformance/requirements.h"

const struct requirement mgi_requirements[] = {
#include "conformance/requirement_rows.inc"
};
const size_t mgi_requirement_count = sizeof mgi_requirements / sizeof *mgi_requirements;

#define CLIENT   "of a client: --client shows it"
#define ASIDE    "of a client, and in no scene: "
#define INSIDE   "cannot be seen on the wire"
#define RESTART  "the server has to be started in another way"
#define VARIANT  "over standard input and output, with the word {} for the folder"
#define DEPLOYED "of a deployment, not of a program"

static const struct unseen_row {
    const char *id, *why;
} unseen_rows[] = {
    { "P-ENV-4", CLIENT },
    { "P-ENV-5", CLIENT },
    { "P-WS-2", CLIENT },
    { "P-WS-7", ASIDE "wants a connection that is lost" },
    { "P-WS-8", ASIDE "wants a connection that is lost" },
    { "P-WS-10", "a silence of 65 s: tests/server/rows.py holds the setting" },
    { "P-HTTP-4", CLIENT },
    { "P-HTTP-16", RESTART ", with a low rate" },
    { "P-HTTP-18", RESTART ", and be caught while it boots" },
    { "P-HTTP-19", "over HTTP, with --origin" },
    { "P-DISC-1", CLIENT },
    { "P-DISC-2", CLIENT },
    { "P-DISC-3", CLIENT },
    { "P-DISC-4", CLIENT },
    { "P-DISC-5", "DNS-SD is not looked for" },
    { "P-DISC-6", "DNS-SD is not looked for" },
    { "P-CONC-4", CLIENT },
    { "P-CONC-9", "of HTTP" },
    { "P-TIME-12", CLIENT },
    { "P-PROV-4", "no answer tells what a fact's source was taken for" },
    { "P-PROV-9", ASIDE "wants facts that a server derives itself" },
    { "P-PROV-10", CLIENT },
    { "P-SCHEMA-9", ASIDE "wants a client that is given bad facts" },
    { "P-SCHEMA-11", "no message of this draft carries clauses (D-69)" },
    { "P-MAN-20", "no server here gives a schema_uri" },
    { "P-MAN-26", ASIDE "wants a client that is given too many facts" },
    { "P-MAN-30", VARIANT },
    { "P-MAN-31", CLIENT },
    { "P-READY-1", CLIENT },
    { "P-READY-2", VARIANT },
    { "P-READY-3", CLIENT },
    { "P-READY-4", VARIANT },
    { "P-READY-5", CLIENT },
    { "P-READY-6", RESTART ", with something amiss" },
    { "P-READY-7", RESTART ", with something amiss" },
    { "P-READY-8", CLIENT },
    { "P-READY-9", VARIANT },
    { "P-READY-10", VARIANT },
    { "P-EVAL-7", VARIANT },
    { "P-EVAL-9", CLIENT },
    { "P-EVAL-11", "any method is allowed" },
    { "P-EVAL-15", VARIANT },
    { "P-EVAL-16", VARIANT },
    { "P-EVAL-17", INSIDE },
    { "P-DISC-LVL-8", VARIANT },
    { "P-TOOL-15", CLIENT },
    { "P-TOOL-18", CLIENT },
    { "P-TOOL-20", CLIENT },
    { "P-SKILL-9", INSIDE },
    { "P-SKILL-10", "no request of this draft fetches a skill" },
    { "P-CTX-3", ASIDE "wants a client that opens resources" },
    { "P-INV-10", ASIDE "any behaviour is allowed" },
    { "P-INV-11", ASIDE "wants a client that is given bad arguments" },
    { "P-CACHE-1", RESTART ", with another clock" },
    { "P-CACHE-3", "would take five minutes: tests/server/rows.py moves the clock" },
    { "P-CACHE-4", RESTART ", with little memory" },
    { "P-CACHE-5", RESTART ", with little memory" },
    { "P-CACHE-6", CLIENT },
    { "P-DELTA-4", CLIENT },
    { "P-DELTA-5", CLIENT },
    { "P-DELTA-6", CLIENT },
    { "P-NEXT-5", CLIENT },
    { "P-PROG-2", CLIENT },
    { "P-PROG-6", CLIENT },
    { "P-AUTH-12", "of a server that wants no credentials" },
    { "P-AUTH-16", ASIDE "wants an authorisation server" },
    { "P-CONF-3", CLIENT },
    { "P-POLICY-1", VARIANT },
    { "P-POLICY-2", VARIANT },
    { "P-MIN-1", ASIDE "wants a client that knows more than it needs" },
    { "P-MIN-2", ASIDE "wants a client that knows more than it needs" },
    { "P-MIN-3", ASIDE "wants a client that knows secrets" },
    { "P-MIN-4", ASIDE "what a client could have said is not known" },
    { "P-TLS-3", DEPLOYED },
    { "P-TLS-4", DEPLOYED },
    { "P-ERR-11", CLIENT },
    { "P-ERR-12", CLIENT },
    { "P-ERR-13", CLIENT },
    { "P-ERR-14", CLIENT },
    { "P-ERR-15", CLIENT },
    { "P-COV-2", ASIDE "wants the same conversation twice" },
    { "P-COV-3", VARIANT },
    { "P-LEVEL-2", "follows from a whole run" },
    { "P-LEVEL-3", "of a server that states level 1" },
    { "P-LEVEL-4", "follows from a whole run of a server that states level 2" },
    { "P-LEVEL-5", "follows from a whole run over each of the three transports" },
    { "P-LEVEL-7", "a matter of documentation" },
    { "P-LEVEL-8", "no version is deprecated yet" },
    { "P-LEVEL-9", "no version is deprecated yet" },
    { "P-LEVEL-11", "no version is final yet" },
};

const struct requirement *mgi_requirement(struct str id)
{
    for (size_t i = 0; i < mgi_requirement_count; i++)
        if (str_is(id, mgi_requirements[i].id))
            return &mgi_requirements[i];
    return NULL;
}

const char *mgi_requirement_unseen(const char *id)
{
    for (size_t i = 0; i < sizeof unseen_rows / sizeof *unseen_rows; i++)
        if (strcmp(unseen_rows[i].id, id) == 0)
            return unseen_rows[i].why;
    return NULL;
}
