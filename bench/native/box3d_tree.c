/* Box3D's tree over boxes that move. */

#include "box3d_shape.h"
#include <stdlib.h>

typedef struct {
    float min[3];
    float max[3];
} Box;

typedef struct {
    b3DynamicTree tree;
    int *proxies;
    Box *boxes;
} Box3dTree;

static b3AABB bounds_of(const Box *box) {
    return (b3AABB){vector_of(box->min), vector_of(box->max)};
}

Box3dTree *box3d_tree(const Box *boxes, size_t count) {
    Box3dTree *tree = calloc(1, sizeof *tree);
    tree->tree = b3DynamicTree_Create((int)count);
    tree->proxies = malloc(count * sizeof *tree->proxies);
    tree->boxes = malloc(count * sizeof *tree->boxes);
    for (size_t i = 0; i < count; ++i) {
        tree->boxes[i] = boxes[i];
        tree->proxies[i] = b3DynamicTree_CreateProxy(&tree->tree, bounds_of(boxes + i), 1, i);
    }
    b3DynamicTree_Rebuild(&tree->tree, true);
    return tree;
}

void box3d_tree_free(Box3dTree *tree) {
    b3DynamicTree_Destroy(&tree->tree);
    free(tree->proxies);
    free(tree->boxes);
    free(tree);
}

/* Each box is taken out and inserted again, as its world does. */
void box3d_tree_move(Box3dTree *tree, const Box *boxes, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        tree->boxes[i] = boxes[i];
        b3DynamicTree_MoveProxy(&tree->tree, tree->proxies[i], bounds_of(boxes + i));
    }
}

typedef struct {
    const Box3dTree *tree;
    b3Vec3 origin;
    b3Vec3 way;
} Asked;

/* The box is solid: a ray that starts in it hits it at once. */
static float cast_at_box(const b3RayCastInput *input, int proxy, uint64_t number, void *context) {
    (void)proxy;
    const Asked *asked = context;
    const Box *box = asked->tree->boxes + number;
    const float *from = &asked->origin.x, *way = &asked->way.x;
    float first = 0.0f, last = input->maxFraction;
    for (int axis = 0; axis < 3; ++axis) {
        float inverse = 1.0f / way[axis];
        float a = (box->min[axis] - from[axis]) * inverse;
        float b = (box->max[axis] - from[axis]) * inverse;
        first = fmaxf(first, fminf(a, b));
        last = fminf(last, fmaxf(a, b));
    }
    return first <= last ? first : input->maxFraction;
}

typedef struct {
    Asked asked;
    float nearest;
} Nearest;

static float keep_nearest(const b3RayCastInput *input, int proxy, uint64_t number, void *context) {
    Nearest *nearest = context;
    float found = cast_at_box(input, proxy, number, &nearest->asked);
    if (found < input->maxFraction) nearest->nearest = found;
    return found;
}

/* How far the nearest box is, in parts of the ray, which has an end. */
void box3d_tree_nearest(const Box3dTree *tree, const Question *questions, size_t count,
                        RawMet *answers) {
    for (size_t i = 0; i < count; ++i) {
        b3RayCastInput input = {vector_of(questions[i].origin), way_of(questions + i), 1.0f};
        Nearest nearest = {{tree, input.origin, input.translation}, INFINITY};
        b3DynamicTree_RayCast(&tree->tree, &input, UINT64_MAX, false, keep_nearest, &nearest);
        answers[i].t = nearest.nearest * end_of(questions + i);
        answers[i].primitive = UINT32_MAX;
    }
}

static bool count_one(int proxy, uint64_t number, void *context) {
    (void)proxy, (void)number;
    ++*(uint32_t *)context;
    return true;
}

/* How many boxes each box touches. */
void box3d_tree_touching(const Box3dTree *tree, const Box *boxes, size_t count, uint32_t *answers) {
    for (size_t i = 0; i < count; ++i) {
        answers[i] = 0;
        b3DynamicTree_Query(&tree->tree, bounds_of(boxes + i), UINT64_MAX, false, count_one,
                            answers + i);
    }
}
