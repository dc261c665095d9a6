/* Does work grow with its input, or with its square? Four times the input may take up to nine times
 * the processor time (of the best of three runs each): near-linear work takes four to five times,
 * quadratic work sixteen. Sizes are to be chosen so that the smaller run takes milliseconds. */
#ifndef TEST_SUPPORT_GROWTH_H
#define TEST_SUPPORT_GROWTH_H

#include <time.h>

typedef void growth_work(size_t size);

static inline double growth_seconds(growth_work *work, size_t size)
{
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        clock_t begun = clock();
        work(size);
        double spent = (double)(clock() - begun) / CLOCKS_PER_SEC;
        best = spent < best ? spent : best;
    }
    return best;
}

#define assert_near_linear(work, size)                                                             \
    do {                                                                                           \
        double one_ = growth_seconds((work), (size)), four_ = growth_seconds((work), 4 * (size));  \
        if (four_ > 9 * one_ + 0.02)                                                               \
            fail_msg("%s: %g s for %zu, %g s for four times as many", #work, one_, (size_t)(size), \
                     four_);                                                                       \
    } while (0)

#endif
