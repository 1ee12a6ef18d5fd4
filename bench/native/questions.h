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

/* A sphere, a box, an upright capsule, a hull or an upright cylinder: src/inputs/moves.rs. */
typedef struct {
    uint32_t kind;
    float half;
} Solid;

/* A shape's move while t goes from 0 to 1. */
typedef struct {
    float middle[3];
    float motion[3];
    float length;
} Move;

/* A first contact; the distance is infinite where there is none. */
typedef struct {
    float distance;
    float normal[3];
} RawTouch;

#endif
