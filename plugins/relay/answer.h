/* The lines of a program: events and answers (toolhost.md 3.4; T-REQ-6). Decoders; what they find
 * points into the line or lives in the arena. */
#ifndef RELAY_ANSWER_H
#define RELAY_ANSWER_H

#include "base/arena.h"
#include "base/json.h"
#include "toolhost.h"

#define RELAY_MAX_LINE (1048576u - 1) /* bytes of one line without its end */

enum relay_line { RELAY_EVENT, RELAY_ANSWER, RELAY_WRONG };

struct relay_answer {
    /* RELAY_EVENT: progress */
    bool has_progress;
    double percent; /* below 0: not known */
    struct str detail;

    /* RELAY_ANSWER */
    th_status status;
    struct str output; /* JSON text; ptr NULL: none was given */
    struct str error;
    struct str trace;  /* of a failure: where it was, in lines; "": not told */
    uint32_t lost;     /* TH_LOST_...: it says itself that what it did is not known; or 0 */
    struct json state; /* an object, or JSON_NULL: nothing changed */
};

/* One line. `request_id` is the id of the running call: an answer has to carry it. RELAY_WRONG:
 * *why says what is wrong, static or in the arena. */
enum relay_line relay_line_read(struct arena *arena, struct str line, struct str request_id,
                                struct relay_answer *out, const char **why);

#endif
