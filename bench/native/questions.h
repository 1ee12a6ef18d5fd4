/* What passes between the bench and its C and C++ peers; src/peers/native.rs is the same in Rust. */
#ifndef HITSCAN_BENCH_QUESTIONS_H
#define HITSCAN_BENCH_QUESTIONS_H

#include <stddef.h>
#include <stdint.h>

/* A ray from t = 0 to t_max. */
typedef struct {
    float origin[3];
    float direction[3];
    float t_max;
} Question;

/* A hit; t is infinite where there is none. */
typedef struct {
    float t;
    uint32_t primitive;
} RawMet;

#endif
