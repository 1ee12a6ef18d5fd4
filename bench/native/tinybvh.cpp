// tinybvh's trees for CPUs behind a few plain functions.
//
// The header is the one that the crate tinybvh-rs vendors; its own interface lacks two of the trees
// and the any-hit query. Builds run on one thread, as the bench's rule is.

#define NO_THREADED_BUILDS
#define TINYBVH_IMPLEMENTATION
#include "tiny_bvh.h"

extern "C" {
#include "questions.h"
}

#include <limits>
#include <malloc.h>
#include <vector>

namespace {

using tinybvh::bvhvec4;
using tinybvh::Ray;

// What the process holds. Trees are built one at a time, so the difference is a tree's.
size_t held() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// One of the trees, whichever it is.
struct Tree {
    virtual ~Tree() = default;
    virtual void nearest(const Ray *rays, size_t count, RawMet *answers) const = 0;
    virtual void any(const Ray *rays, size_t count, bool *answers) const = 0;
};

template <typename Bvh> struct TreeOf final : Tree {
    std::vector<bvhvec4> vertices;
    Bvh bvh;

    TreeOf(const float *corners, size_t triangles, bool hq)
        : vertices(3 * triangles) {
        for (size_t i = 0; i < vertices.size(); ++i) {
            const float *p = corners + 3 * i;
            vertices[i] = bvhvec4(p[0], p[1], p[2], 0.0f);
        }
        const uint32_t count = static_cast<uint32_t>(triangles);
        if (hq) bvh.BuildHQ(vertices.data(), count);
        else bvh.Build(vertices.data(), count);
    }

    void nearest(const Ray *rays, size_t count, RawMet *answers) const override {
        for (size_t i = 0; i < count; ++i) {
            Ray ray = rays[i];
            bvh.Intersect(ray);
            const bool is_hit = ray.hit.t < rays[i].hit.t;
            answers[i].t = is_hit ? ray.hit.t : std::numeric_limits<float>::infinity();
            answers[i].primitive = ray.hit.prim;
        }
    }

    void any(const Ray *rays, size_t count, bool *answers) const override {
        for (size_t i = 0; i < count; ++i) answers[i] = bvh.IsOccluded(rays[i]);
    }
};

} // namespace

extern "C" {

// Layout 8 is BVH8_CPU, 4 is BVH4_CPU, 2 the plain binary BVH.
struct TinyShape {
    Tree *tree;
    size_t bytes;
};

TinyShape *tiny_mesh(const float *corners, size_t triangles, int layout, int hq) {
    const size_t before = held();
    Tree *tree = nullptr;
    if (layout == 8) tree = new TreeOf<tinybvh::BVH8_CPU>(corners, triangles, hq != 0);
    else if (layout == 4) tree = new TreeOf<tinybvh::BVH4_CPU>(corners, triangles, hq != 0);
    else tree = new TreeOf<tinybvh::BVH>(corners, triangles, hq != 0);
    return new TinyShape{tree, held() - before};
}

void tiny_free(TinyShape *shape) {
    delete shape->tree;
    delete shape;
}

size_t tiny_bytes(const TinyShape *shape) { return shape->bytes; }

// Rays are prepared beforehand; directions stay as they are, so that t counts in their units.
void *tiny_rays(const Question *questions, size_t count) {
    Ray *rays = static_cast<Ray *>(tinybvh::malloc64(count * sizeof(Ray)));
    for (size_t i = 0; i < count; ++i) {
        const Question &question = questions[i];
        const float *o = question.origin, *d = question.direction;
        const float t_max = question.t_max < BVH_FAR ? question.t_max : BVH_FAR;
        Ray ray(tinybvh::bvhvec3(o[0], o[1], o[2]), tinybvh::bvhvec3(d[0], d[1], d[2]), t_max);
        ray.D = tinybvh::bvhvec3(d[0], d[1], d[2]);
        ray.rD = tinybvh::tinybvh_rcp(ray.D);
        rays[i] = ray;
    }
    return rays;
}

void tiny_free_rays(void *rays) { tinybvh::free64(rays); }

void tiny_nearest(const TinyShape *shape, const void *rays, size_t first, size_t count,
                  RawMet *answers) {
    shape->tree->nearest(static_cast<const Ray *>(rays) + first, count, answers);
}

void tiny_any(const TinyShape *shape, const void *rays, size_t first, size_t count,
              bool *answers) {
    shape->tree->any(static_cast<const Ray *>(rays) + first, count, answers);
}
}
