/* See bell.h. Either the loop sees `rung` before it sleeps, or who rings sees `asleep` and writes:
 * each sets its own flag first and looks at the other's afterwards. */
#include "server/bell.h"

#include <sys/eventfd.h>
#include <unistd.h>

/* What was written has done its work: the loop is awake. */
static void written(uv_poll_t *poll, int status, int events)
{
    struct bell *b = poll->data;
    uint64_t count;
    (void)status, (void)events;
    ssize_t n = read(b->fd, &count, sizeof count);
    (void)n; /* nothing there: it was read before */
}

static void no_sleep(uv_idle_t *again)
{
    (void)again;
}

static void about_to_sleep(uv_prepare_t *prepare)
{
    struct bell *b = prepare->data;
    atomic_store(&b->asleep, true);
    if (!atomic_load(&b->rung))
        return;
    atomic_store(&b->asleep, false);
    uv_idle_start(&b->again, no_sleep);
}

static void is_awake(uv_check_t *check)
{
    struct bell *b = check->data;
    atomic_store(&b->asleep, false);
    uv_idle_stop(&b->again);
    if (atomic_exchange(&b->rung, false))
        b->heard(b->context);
}

void mgi_bell_ring(struct bell *b)
{
    static const uint64_t one = 1;
    atomic_store(&b->rung, true);
    if (!atomic_exchange(&b->asleep, false))
        return;
    ssize_t n = write(b->fd, &one, sizeof one);
    (void)n; /* fails only if there are 2^64 already, which wakes, too */
}

void mgi_bell_expect(struct bell *b, bool something)
{
    if (something)
        uv_ref((uv_handle_t *)&b->poll);
    else
        uv_unref((uv_handle_t *)&b->poll);
}

bool mgi_bell_open(struct bell *b, uv_loop_t *loop, void (*heard)(void *context), void *context)
{
    b->heard = heard;
    b->context = context;
    b->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (b->fd < 0 || uv_poll_init(loop, &b->poll, b->fd) != 0)
        return false;
    (void)uv_prepare_init(loop, &b->prepare); /* these three cannot fail */
    (void)uv_check_init(loop, &b->check);
    (void)uv_idle_init(loop, &b->again);
    uv_handle_t *const handles[] = { (uv_handle_t *)&b->poll, (uv_handle_t *)&b->prepare,
                                     (uv_handle_t *)&b->check, (uv_handle_t *)&b->again };
    for (; b->handles < sizeof handles / sizeof *handles; b->handles++) {
        handles[b->handles]->data = b;
        uv_unref(handles[b->handles]);
    }
    return uv_poll_start(&b->poll, UV_READABLE, written) == 0 &&
           uv_prepare_start(&b->prepare, about_to_sleep) == 0 &&
           uv_check_start(&b->check, is_awake) == 0;
}

static void bell_closed(struct bell *b)
{
    if (b->fd >= 0)
        close(b->fd);
    b->closed(b->context);
}

static void bell_handle_closed(uv_handle_t *handle)
{
    struct bell *b = handle->data;
    if (--b->handles == 0)
        bell_closed(b);
}

void mgi_bell_close(struct bell *b, void (*closed)(void *context))
{
    b->closed = closed;
    if (b->handles == 0) {
        bell_closed(b);
        return;
    }
    uv_close((uv_handle_t *)&b->poll, bell_handle_closed);
    uv_close((uv_handle_t *)&b->prepare, bell_handle_closed);
    uv_close((uv_handle_t *)&b->check, bell_handle_closed);
    uv_close((uv_handle_t *)&b->again, bell_handle_closed);
}
