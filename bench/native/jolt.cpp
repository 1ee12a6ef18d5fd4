// Jolt's HeightFieldShape and MeshShape behind a few plain functions: rays, and shapes that move
// against them or rest at them.
//
// The sources are those that the crate joltc-sys vendors; its own interface casts rays only at whole
// worlds. build.rs puts the sources that shapes need into one file before this one.

#include <Jolt/Core/Factory.h>
#include <Jolt/Physics/Collision/CastResult.h>
#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/CollisionCollectorImpl.h>
#include <Jolt/Physics/Collision/RayCast.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/CylinderShape.h>
#include <Jolt/Physics/Collision/Shape/HeightFieldShape.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/Collision/ShapeCast.h>

extern "C" {
#include "questions.h"
}

#include <limits>
#include <vector>

using namespace JPH;

namespace {

// A ray has an end in Jolt. This is far beyond every workload's scene, in units of directions.
constexpr float NO_END = 16.0f;

// A question as Jolt takes it: the direction reaches to the ray's end. Over terrain x is mirrored,
// because Jolt cuts cells along the other diagonal.
struct Prepared {
    RayCast ray;
    float end;
};

void start() {
    static const bool once = [] {
        RegisterDefaultAllocator();
        CollisionDispatch::sInit();
        ConvexShape::sRegister();
        SphereShape::sRegister();
        BoxShape::sRegister();
        CapsuleShape::sRegister();
        ConvexHullShape::sRegister();
        CylinderShape::sRegister();
        MeshShape::sRegister();
        HeightFieldShape::sRegister();
        return true;
    }();
    (void)once;
}

} // namespace

extern "C" {

struct JoltShape {
    ShapeRefC shape;
};

static JoltShape *made(const ShapeSettings::ShapeResult &result) {
    return result.HasError() ? nullptr : new JoltShape{result.Get()};
}

// The terrain mirrored in x: rays at it are made with a mirror of size - 1.
JoltShape *jolt_terrain(const float *heights, size_t size, unsigned block) {
    start();
    std::vector<float> mirrored(size * size);
    for (size_t i = 0; i < mirrored.size(); ++i) {
        mirrored[i] = heights[i / size * size + (size - 1 - i % size)];
    }
    HeightFieldShapeSettings settings(mirrored.data(), Vec3::sZero(), Vec3::sReplicate(1.0f),
                                      static_cast<uint32>(size));
    settings.SetEmbedded();
    settings.mBlockSize = block;
    return made(settings.Create());
}

JoltShape *jolt_mesh(const float *positions, size_t position_count, const uint32_t *triangles,
                     size_t triangle_count, unsigned triangles_a_leaf) {
    start();
    VertexList vertices;
    vertices.reserve(position_count);
    for (size_t i = 0; i < position_count; ++i) {
        const float *p = positions + 3 * i;
        vertices.push_back(Float3(p[0], p[1], p[2]));
    }
    IndexedTriangleList corners;
    corners.reserve(triangle_count);
    for (size_t i = 0; i < triangle_count; ++i) {
        const uint32_t *c = triangles + 3 * i;
        corners.push_back(IndexedTriangle(c[0], c[1], c[2]));
    }
    MeshShapeSettings settings(std::move(vertices), std::move(corners));
    settings.SetEmbedded();
    settings.mMaxTrianglesPerLeaf = triangles_a_leaf;
    return made(settings.Create());
}

// The hull of points, without the radius that Jolt rounds hulls by.
JoltShape *jolt_hull(const float *points, size_t count) {
    start();
    Array<Vec3> corners;
    for (size_t i = 0; i < count; ++i) {
        corners.push_back(Vec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]));
    }
    ConvexHullShapeSettings settings(corners, 0.0f);
    settings.SetEmbedded();
    return made(settings.Create());
}

JoltShape *jolt_cylinder(float half_height, float radius) {
    start();
    CylinderShapeSettings settings(half_height, radius, 0.0f);
    settings.SetEmbedded();
    return made(settings.Create());
}

void jolt_free(JoltShape *shape) { delete shape; }

size_t jolt_bytes(const JoltShape *shape) { return shape->shape->GetStats().mSizeBytes; }

// A mirror of 0 leaves rays as they are; another is what x is subtracted from.
void *jolt_rays(const Question *questions, size_t count, float mirror) {
    start();
    Prepared *rays = static_cast<Prepared *>(AlignedAllocate(count * sizeof(Prepared), 64));
    for (size_t i = 0; i < count; ++i) {
        const Question &question = questions[i];
        const float *o = question.origin, *d = question.direction;
        const float end = question.t_max < 1e30f ? question.t_max : NO_END;
        const bool is_mirrored = mirror != 0.0f;
        const Vec3 origin(is_mirrored ? mirror - o[0] : o[0], o[1], o[2]);
        const Vec3 direction(is_mirrored ? -d[0] : d[0], d[1], d[2]);
        rays[i] = {RayCast(origin, end * direction), end};
    }
    return rays;
}

void jolt_free_rays(void *rays) { AlignedFree(rays); }

void jolt_nearest(const JoltShape *shape, const void *rays, size_t first, size_t count,
                  RawMet *answers) {
    const Prepared *prepared = static_cast<const Prepared *>(rays) + first;
    const Shape *asked = shape->shape.GetPtr();
    const SubShapeIDCreator parts;
    for (size_t i = 0; i < count; ++i) {
        RayCastResult hit;
        const bool is_hit = asked->CastRay(prepared[i].ray, parts, hit);
        answers[i].t =
            is_hit ? hit.mFraction * prepared[i].end : std::numeric_limits<float>::infinity();
        answers[i].primitive = hit.mSubShapeID2.GetValue();
    }
}

void jolt_any(const JoltShape *shape, const void *rays, size_t first, size_t count,
              bool *answers) {
    const Prepared *prepared = static_cast<const Prepared *>(rays) + first;
    const Shape *asked = shape->shape.GetPtr();
    const SubShapeIDCreator parts;
    RayCastSettings settings;
    settings.mBackFaceMode = EBackFaceMode::CollideWithBackFaces;
    for (size_t i = 0; i < count; ++i) {
        AnyHitCollisionCollector<CastRayCollector> hit;
        asked->CastRay(prepared[i].ray, settings, parts, hit);
        answers[i] = hit.HadHit();
    }
}

// The place of the nearest hit on each chain of segments: its number and where on it.
void jolt_chains(const JoltShape *shape, const void *rays, size_t chain, size_t count,
                 RawMet *answers) {
    const Prepared *prepared = static_cast<const Prepared *>(rays);
    const Shape *asked = shape->shape.GetPtr();
    const SubShapeIDCreator parts;
    for (size_t i = 0; i < count; ++i) {
        answers[i] = {std::numeric_limits<float>::infinity(), 0};
        for (size_t link = 0; link < chain; ++link) {
            RayCastResult hit;
            if (asked->CastRay(prepared[i * chain + link].ray, parts, hit)) {
                answers[i].t = static_cast<float>(link) + hit.mFraction;
                break;
            }
        }
    }
}

struct JoltMoves {
    ShapeRefC solid;
    std::vector<ShapeCast> casts;
    std::vector<float> lengths;
    bool is_mirrored;
};

// The corners of a solid that is a hull.
static std::vector<float> hull_corners;

void jolt_hull_corners(const float *points, size_t count) {
    hull_corners.assign(points, points + 3 * count);
}

static ShapeRefC made_solid(const Solid &solid) {
    switch (solid.kind) {
    case 0:
        return new SphereShape(solid.half);
    case 1:
        return new BoxShape(Vec3::sReplicate(solid.half), 0.0f);
    case 3: {
        JoltShape *hull = jolt_hull(hull_corners.data(), hull_corners.size() / 3);
        ShapeRefC shape = hull->shape;
        delete hull;
        return shape;
    }
    case 4:
        return new CylinderShape(solid.half, solid.half, 0.0f);
    default:
        return new CapsuleShape(solid.half, solid.half);
    }
}

static Mat44 placed(const float *middle, float mirror) {
    const float x = mirror != 0.0f ? mirror - middle[0] : middle[0];
    return Mat44::sTranslation(Vec3(x, middle[1], middle[2]));
}

// A mirror as in jolt_rays; every shape is its own mirror image.
JoltMoves *jolt_moves(Solid solid, const Move *moves, size_t count, float mirror) {
    start();
    JoltMoves *made = new JoltMoves{made_solid(solid), {}, {}, mirror != 0.0f};
    made->casts.reserve(count);
    made->lengths.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        const float *d = moves[i].motion;
        const Vec3 motion(made->is_mirrored ? -d[0] : d[0], d[1], d[2]);
        const Mat44 from = placed(moves[i].middle, mirror);
        made->casts.emplace_back(made->solid.GetPtr(), Vec3::sReplicate(1.0f), from, motion);
        made->lengths.push_back(moves[i].length);
    }
    return made;
}

void jolt_free_moves(JoltMoves *moves) { delete moves; }

void jolt_first_contacts(const JoltShape *shape, const JoltMoves *moves, RawTouch *answers) {
    ShapeCastSettings settings;
    settings.mBackFaceModeTriangles = EBackFaceMode::CollideWithBackFaces;
    settings.mBackFaceModeConvex = EBackFaceMode::CollideWithBackFaces;
    const Shape *asked = shape->shape.GetPtr();
    const SubShapeIDCreator parts;
    const ShapeFilter filter;
    for (size_t i = 0; i < moves->casts.size(); ++i) {
        ClosestHitCollisionCollector<CastShapeCollector> nearest;
        CollisionDispatch::sCastShapeVsShapeLocalSpace(moves->casts[i], settings, asked,
                                                       Vec3::sReplicate(1.0f), filter,
                                                       Mat44::sIdentity(), parts, parts, nearest);
        if (nearest.HadHit()) {
            const Vec3 n = -nearest.mHit.mPenetrationAxis.NormalizedOr(Vec3::sZero());
            const float x = moves->is_mirrored ? -n.GetX() : n.GetX();
            answers[i] = {nearest.mHit.mFraction * moves->lengths[i], {x, n.GetY(), n.GetZ()}};
        } else {
            answers[i] = {std::numeric_limits<float>::infinity(), {0.0f, 0.0f, 0.0f}};
        }
    }
}

// How far each resting shape is from the surface: its deepest contact's depth, negative, or its
// least distance; infinite beyond the margin.
struct JoltPlaces {
    ShapeRefC solid;
    std::vector<Mat44> places;
};

JoltPlaces *jolt_places(Solid solid, const float *middles, size_t count) {
    start();
    JoltPlaces *made = new JoltPlaces{made_solid(solid), {}};
    for (size_t i = 0; i < count; ++i) made->places.push_back(placed(middles + 3 * i, 0.0f));
    return made;
}

void jolt_free_places(JoltPlaces *places) { delete places; }

void jolt_separations(const JoltShape *shape, const JoltPlaces *places, float margin,
                      RawMet *answers) {
    CollideShapeSettings settings;
    settings.mBackFaceMode = EBackFaceMode::CollideWithBackFaces;
    settings.mMaxSeparationDistance = margin;
    const Vec3 scale = Vec3::sReplicate(1.0f);
    const SubShapeIDCreator parts;
    for (size_t i = 0; i < places->places.size(); ++i) {
        ClosestHitCollisionCollector<CollideShapeCollector> deepest;
        CollisionDispatch::sCollideShapeVsShape(places->solid.GetPtr(), shape->shape.GetPtr(), scale,
                                                scale, places->places[i], Mat44::sIdentity(), parts,
                                                parts, settings, deepest);
        answers[i] = {deepest.HadHit() ? -deepest.mHit.mPenetrationDepth
                                       : std::numeric_limits<float>::infinity(),
                      0};
    }
}
}
