/* Consent that is given out of band: challenges that wait for a person, what the person is shown,
 * and what was decided. The program that asks and the one that approves are two.
 *
 *     waiting ──approved──> given ──refused──> refused
 *        `──────────────refused─────────────────^
 *
 * What is shown is what the server knows of the call, never what somebody says of a challenge. It
 * is kept in memory, as the key that makes challenges is, and bounded: of one caller the newest
 * APPROVALS_OF_ONE, of all the newest APPROVALS_OF_ALL, each until its time is over. What is not
 * kept cannot be approved, and may be asked for anew. Thread-safe; times are given by the caller.
 */
#ifndef MGI_SECURITY_APPROVALS_H
#define MGI_SECURITY_APPROVALS_H

#include "base/buf.h"
#include "security/principal.h"

#define APPROVALS_OF_ONE    16
#define APPROVALS_OF_ALL    256
#define APPROVALS_MAX_BYTES ((size_t)64 * 1024) /* of what is shown */

struct approvals;

enum approval {
    APPROVAL_UNKNOWN, /* never asked for here, over, or given way to newer ones */
    APPROVAL_OWN,     /* asked for with the credential that now looks at it */
    APPROVAL_WAITING,
    APPROVAL_GIVEN,
    APPROVAL_REFUSED
};

struct approvals *mgi_approvals_new(void);    /* NULL when memory is short */
void mgi_approvals_free(struct approvals *a); /* NULL is fine */

/* `who` asks for consent to `shown`, a JSON object. Nothing is kept where memory is short, or
 * `shown` is too large. */
void mgi_approvals_ask(struct approvals *a, const struct principal *who, struct str challenge,
                       struct str shown, int64_t now_ns, int64_t until_ns);

/* How does it stand, in the eyes of `by`? What the person is shown is appended to `shown` (may be
 * NULL) unless it is unknown or its own. */
enum approval mgi_approvals_look(struct approvals *a, const struct principal *by,
                                 struct str challenge, int64_t now_ns, struct buf *shown);

/* `by` approves or refuses, and how it stands then. What was refused stays so; where memory is too
 * short to keep who approved, it goes on waiting. */
enum approval mgi_approvals_decide(struct approvals *a, const struct principal *by,
                                   struct str challenge, bool approve, int64_t now_ns);

/* Was it approved? By whom, is appended to `by` (may be NULL). Whether its time is over, or it was
 * used, is for the caller to judge. */
bool mgi_approvals_given(struct approvals *a, struct str challenge, struct buf *by);

#endif
