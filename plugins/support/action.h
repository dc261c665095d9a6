/* What the product's own plugins share: a call as an object that owns its memory, arguments read
 * from the input with every fault told, an answer that is written as it goes, and descriptors of
 * actions that are files (plugins/NAME/actions/X.json) rather than strings in C.
 *
 *   memory    Everything of a call is in its arena and goes with it. Nothing outlives a call.
 *   errors    mgi_action_fail() keeps what it is told, one fault after the other, and the call ends
 * with all of them; nothing may have been changed before the arguments are known to be good.
 *   threads   One call at a time (toolhost.h).
 *
 * Arguments are read with toolhost_json.h alone, as an author's plugin would read them. */
#ifndef PLUGINS_SUPPORT_ACTION_H
#define PLUGINS_SUPPORT_ACTION_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "toolhost.h"
#include "toolhost_json.h"

/* An answer may have 1 048 576 bytes (T-ABI-16), and so may the response (T-RSP-7), in which it is
 * a string: there every quote and backslash of it takes two. What is cut to fit is cut here, so
 * that what follows the long part still finds room. */
#define ANSWER_ROOM_BYTES (1000u * 1000)

/* A file of plugins/NAME/actions, embedded: a JSON object with aid, name, description, tags,
 * side_effects, flags, input_schema, output_schema and, where the host's are not right, timeout_ms
 * and min_tier. */
struct action_file {
    const char *path;
    const char *text;
    size_t len;
};
extern const struct action_file mgi_action_files[];
extern const size_t mgi_action_files_count;

/* One call. */
struct action {
    const th_host *host;
    th_call *call;
    th_str input;
    const void *settings; /* of the plugin; struct action_plugin */
    struct arena arena;
    struct buf answer;
    struct json_writer out; /* inside the object that is the answer */
    struct buf error;
    size_t faults;
    size_t counted, escapes; /* bytes of the answer that were looked at; how many take two */
    bool stopped;            /* it was told that it must stop */
};

/* The action whose descriptor is actions/<file>.json. `run` writes members of the answer and
 * returns true, or says why not with mgi_action_fail(). */
struct action_row {
    const char *file;
    bool (*run)(struct action *a);
    bool writes; /* offered only if the settings allow writing */
};

struct action_plugin {
    const struct action_row *rows;
    size_t count;
    /* Read the settings (a JSON object) into what the actions know as `settings`. False with what
     * is wrong in `why`, all of it. `*may_write` tells whether rows that write are offered. */
    bool (*configure)(struct action *settings, bool *may_write);
    const void *settings; /* as `configure` left them */
};

/* The whole of toolhost_plugin_init: settings, then every row with its file. Not zero with a text
 * for init_error: settings that are wrong, a row without a file, a file without a row. */
int mgi_plugin_init(const th_host *host, th_reg *reg, const struct action_plugin *plugin);

/* ---- the course of a call ------------------------------------------------------------------- */

/* Always false, so that an action may return it. */
bool mgi_action_fail(struct action *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for what the arena or a buffer could not hold. */
bool mgi_action_nomem(struct action *a);

/* True, and the call has failed, if the caller does not want it any more or its time is over. Costs
 * two memory reads and a clock: ask every few hundred microseconds of work. */
bool mgi_action_stops(struct action *a);

/* Room for so many bytes of answer, before something is changed that the answer is about: what is
 * done is not to be reported as failed for want of memory. */
bool mgi_action_reserve(struct action *a, size_t bytes);

/* Bytes of a response that the answer may still take. */
size_t mgi_action_room(struct action *a);

/* Lists whose elements nobody can measure before they are written: take a mark, write one, and ask
 * whether it fits. If not, so that less than ACTION_TAIL_BYTES would be left for what follows, it
 * is taken back. */
#define ACTION_TAIL_BYTES 16384
struct action_mark {
    size_t len, escapes;
    struct json_writer out;
};
struct action_mark mgi_action_mark(struct action *a);
bool mgi_action_fits(struct action *a, struct action_mark mark);
void mgi_action_take_back(struct action *a, struct action_mark mark);

/* ---- arguments (args.c) --------------------------------------------------------------------- */

/* Every reader leaves *value alone if the argument is absent or null, and fails the call if it is
 * of another type or out of its range; the call goes on, so that all faults are found. True if the
 * argument is there and good. Names may be paths into objects that were read with mgi_arg_object.
 */
bool mgi_arg_text(struct action *a, const char *name, size_t most_bytes, struct str *value);
bool mgi_arg_int(struct action *a, const char *name, int64_t least, int64_t most, int64_t *value);
bool mgi_arg_bool(struct action *a, const char *name, bool *value);
/* One of `words`, which ends with NULL; *value is its place. */
bool mgi_arg_word(struct action *a, const char *name, const char *const *words, size_t *value);
/* The JSON text of the argument, whatever it is. */
bool mgi_arg_raw(struct action *a, const char *name, th_str *value);

bool mgi_arg_given(const struct action *a, const char *name);
/* Fails the call if the argument is missing, or null. */
bool mgi_arg_need(struct action *a, const char *name);

/* Fails the call for each member that is none of `names` (ends with NULL): a misspelt option must
 * not be taken for one that was left out. */
void mgi_arg_known(struct action *a, const char *const *names);

/* Walk an array or an object: *at is 0 first. False at the end. `name` is the member's name with
 * its quotes, empty in arrays. */
bool mgi_arg_each(th_str container, size_t *at, th_str *name, th_str *value);

/* The text of a JSON string in the arena; NUL is allowed inside. ptr NULL: it is none, or memory is
 * short. */
struct str mgi_arg_string(struct arena *arena, th_str value);

/* ---- bytes as text (bytes.c) ---------------------------------------------------------------- */

#define SHA256_TEXT_BYTES 65

/* Lower-case hexadecimal, with a NUL. */
void mgi_sha256_text(struct str bytes, char out[SHA256_TEXT_BYTES]);

/* Base64 with padding (RFC 4648 section 4). Decoding refuses white space and what is not canonical.
 */
void mgi_base64_put(struct buf *out, struct str bytes);
bool mgi_base64_read(struct arena *arena, struct str text, struct str *bytes);

/* How many bytes of a text, cut between characters, take at most `room` bytes of a response as a
 * JSON string of the answer, where each that is no UTF-8 becomes U+FFFD. */
size_t mgi_json_fit(struct str text, size_t room);

/* A member of the answer: RFC 3339, UTC. */
void mgi_put_time(struct action *a, const char *name, int64_t ns);
/* A member of the answer: bytes, as base64. */
void mgi_put_base64(struct action *a, const char *name, struct str bytes);

#endif
