/* Whether the page in front answers at all. One that is held up by a script of its own, or by a
 * document that does not come, would keep each command until the call's time is over; so it is
 * asked for a sign of life first, and what holds it up is ended where none comes.
 *
 * That costs no waiting of its own where the first command can stand behind it in the page's queue:
 * both are sent at once, and where there is a sign, the answer follows. A page that answered a
 * moment ago is not asked. */
#include "live_int.h"

#define SIGN_MS  3000 /* a page that does not say 1 in this time does not say anything */
#define HEARD_MS 250  /* for so long an answer is a sign of life, too */

void mgi_live_heard(struct live *l)
{
    l->heard_ms = mgi_talk_now_ms();
}

bool mgi_live_is_silent(const struct live *l)
{
    return mgi_talk_now_ms() > l->heard_ms + HEARD_MS;
}

static void send_sign(struct live *l, struct buf *said, struct talk_question *sign)
{
    mgi_buf_clear(said);
    mgi_talk_send(l->talk, LIVE_SESSION(l), "Runtime.evaluate", STR_LIT("{\"expression\":\"1\"}"),
                  said, sign);
}

/* Does the sign that was sent come, or another one once the page was freed? */
static bool sign_comes(struct live *l, const struct job *job, struct buf *said,
                       struct talk_question *sign)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        if (attempt > 0)
            send_sign(l, said, sign);
        struct talk_patience patience = mgi_live_patience(job, SIGN_MS);
        bool came = mgi_talk_await(l->talk, sign, &patience) == TALK_ANSWERED;
        mgi_talk_forget(l->talk, sign);
        if (came) {
            mgi_live_heard(l);
            return true;
        }
        mgi_talk_tell(l->talk, LIVE_SESSION(l), "Runtime.terminateExecution", STR_LIT(""));
        mgi_live_stop_loading(l);
    }
    return false;
}

bool mgi_live_shows_life(struct live *l, const struct job *job)
{
    struct talk_question sign;
    struct buf said;
    mgi_buf_init(&said);
    send_sign(l, &said, &sign);
    bool lives = sign_comes(l, job, &said, &sign);
    mgi_buf_fini(&said);
    return lives;
}

enum talk_answer mgi_live_ask_behind(struct live *l, const struct job *job, const char *method,
                                     struct str params, int64_t most_ms, struct buf *reply,
                                     bool *lives)
{
    struct talk_question sign, asked;
    struct buf said;
    mgi_buf_init(&said);
    send_sign(l, &said, &sign);
    mgi_talk_send(l->talk, LIVE_SESSION(l), method, params, reply, &asked);
    *lives = sign_comes(l, job, &said, &sign);
    struct talk_patience patience = mgi_live_patience(job, most_ms);
    enum talk_answer answer = *lives ? mgi_talk_await(l->talk, &asked, &patience) : TALK_LATE;
    mgi_talk_forget(l->talk, &asked);
    mgi_buf_fini(&said);
    return answer;
}
