// Jolt's PhysicsSystem behind a few plain functions: rays, moving and resting shapes in a world, and
// bodies that move. It is in one file with jolt.cpp, behind it.
//
// Terrain is turned by 90 degrees about y, because Jolt cuts cells along the other diagonal.

#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/ScaledShape.h>
#include <Jolt/Physics/PhysicsSystem.h>

extern "C" {
#include "world.h"
}

#include <cmath>

namespace {

constexpr ObjectLayer LAYER = 0;

// One layer of everything.
class OneLayer final : public BroadPhaseLayerInterface {
public:
    uint GetNumBroadPhaseLayers() const override { return 1; }
    BroadPhaseLayer GetBroadPhaseLayer(ObjectLayer) const override { return BroadPhaseLayer(0); }
};

void start_world() {
    static const bool once = [] {
        start();
        // What bodies and shapes are created with.
        Factory::sInstance = new Factory;
        ScaledShape::sRegister();
        return true;
    }();
    (void)once;
}

Quat rotation_of(const WorldBody &body) {
    const float *q = body.rotation;
    return Quat(q[0], q[1], q[2], q[3]);
}

Vec3 vector_of(const float *v) { return Vec3(v[0], v[1], v[2]); }

} // namespace

extern "C" {

struct JoltWorld {
    OneLayer layers;
    ObjectVsBroadPhaseLayerFilter layer_filter;
    ObjectLayerPairFilter pair_filter;
    PhysicsSystem system;
    std::vector<BodyID> bodies;
};

static ShapeRefC mesh_shape(const MeshView &mesh) {
    JoltShape *made = jolt_mesh(mesh.positions, mesh.position_count, mesh.triangles,
                                mesh.triangle_count, 4);
    ShapeRefC shape = made->shape;
    jolt_free(made);
    return shape;
}

// Local (x, z) is (size - 1 - z, x) of the map.
static ShapeRefC terrain_shape(const float *heights, size_t size) {
    std::vector<float> turned(size * size);
    for (size_t z = 0; z < size; ++z) {
        for (size_t x = 0; x < size; ++x) turned[z * size + x] = heights[x * size + (size - 1 - z)];
    }
    HeightFieldShapeSettings settings(turned.data(), Vec3::sZero(), Vec3::sReplicate(1.0f),
                                      static_cast<uint32>(size));
    settings.SetEmbedded();
    settings.mBlockSize = 2;
    return settings.Create().Get();
}

static ShapeRefC body_shape(const WorldBody &body, const std::vector<ShapeRefC> &meshes) {
    const Vec3 size = vector_of(body.size);
    switch (body.form) {
    case FORM_SPHERE:
        return new SphereShape(body.size[0]);
    case FORM_ALIGNED_BOX:
    case FORM_TURNED_BOX:
        return new BoxShape(size, 0.0f);
    case FORM_CAPSULE:
        return new CapsuleShape(body.size[1], body.size[0]);
    default:
        return new ScaledShape(meshes[body.mesh].GetPtr(), size);
    }
}

JoltWorld *jolt_world(const WorldView *view, int is_moving) {
    start_world();
    JoltWorld *world = new JoltWorld;
    world->system.Init(static_cast<uint>(view->body_count + 1), 0, 1024, 1024, world->layers,
                       world->layer_filter, world->pair_filter);
    std::vector<ShapeRefC> meshes;
    for (size_t i = 0; i < view->mesh_count; ++i) meshes.push_back(mesh_shape(view->meshes[i]));
    BodyInterface &bodies = world->system.GetBodyInterfaceNoLock();
    const EMotionType motion = is_moving ? EMotionType::Kinematic : EMotionType::Static;
    for (size_t i = 0; i < view->body_count; ++i) {
        const WorldBody &body = view->bodies[i];
        BodyCreationSettings settings(body_shape(body, meshes).GetPtr(), vector_of(body.position),
                                      rotation_of(body), motion, LAYER);
        world->bodies.push_back(bodies.CreateBody(settings)->GetID());
    }
    std::vector<BodyID> added = world->bodies;
    if (view->heights) {
        const ShapeRefC shape = terrain_shape(view->heights, view->terrain_size);
        const Quat turn = Quat::sRotation(Vec3::sAxisY(), -0.5f * JPH_PI);
        const Vec3 place(static_cast<float>(view->terrain_size - 1), 0.0f, 0.0f);
        BodyCreationSettings settings(shape.GetPtr(), place, turn, EMotionType::Static, LAYER);
        added.push_back(bodies.CreateBody(settings)->GetID());
    }
    const int count = static_cast<int>(added.size());
    const BodyInterface::AddState state = bodies.AddBodiesPrepare(added.data(), count);
    bodies.AddBodiesFinalize(added.data(), count, state, EActivation::DontActivate);
    world->system.OptimizeBroadPhase();
    return world;
}

void jolt_world_free(JoltWorld *world) { delete world; }

// Bodies are where `bodies` says; the tree is built anew where it is wished.
static void move_all(JoltWorld *world, const WorldBody *bodies, size_t count) {
    BodyInterface &own = world->system.GetBodyInterfaceNoLock();
    for (size_t i = 0; i < count; ++i) {
        own.SetPositionAndRotation(world->bodies[i], vector_of(bodies[i].position),
                                   rotation_of(bodies[i]), EActivation::DontActivate);
    }
}

void jolt_world_move(JoltWorld *world, const WorldBody *bodies, size_t count) {
    move_all(world, bodies, count);
}

void jolt_world_move_rebuild(JoltWorld *world, const WorldBody *bodies, size_t count) {
    move_all(world, bodies, count);
    world->system.OptimizeBroadPhase();
}

static RRayCast ray_of(const Question &question) {
    return RRayCast(vector_of(question.origin), question.t_max * vector_of(question.direction));
}

void jolt_world_nearest(const JoltWorld *world, const Question *questions, size_t count,
                        RawMet *answers) {
    const NarrowPhaseQuery &query = world->system.GetNarrowPhaseQueryNoLock();
    for (size_t i = 0; i < count; ++i) {
        RayCastResult hit;
        const bool is_hit = query.CastRay(ray_of(questions[i]), hit);
        answers[i].t = is_hit ? hit.mFraction * questions[i].t_max
                              : std::numeric_limits<float>::infinity();
        answers[i].primitive = UINT32_MAX;
    }
}

void jolt_world_any(const JoltWorld *world, const Question *questions, size_t count,
                    bool *answers) {
    const NarrowPhaseQuery &query = world->system.GetNarrowPhaseQueryNoLock();
    RayCastSettings settings;
    settings.mBackFaceMode = EBackFaceMode::CollideWithBackFaces;
    for (size_t i = 0; i < count; ++i) {
        AnyHitCollisionCollector<CastRayCollector> hit;
        query.CastRay(ray_of(questions[i]), settings, hit);
        answers[i] = hit.HadHit();
    }
}

void jolt_world_moves(const JoltWorld *world, Solid solid, const Move *moves, size_t count,
                      RawTouch *answers) {
    const NarrowPhaseQuery &query = world->system.GetNarrowPhaseQueryNoLock();
    ShapeCastSettings settings;
    settings.mBackFaceModeTriangles = EBackFaceMode::CollideWithBackFaces;
    settings.mBackFaceModeConvex = EBackFaceMode::CollideWithBackFaces;
    const ShapeRefC shape = made_solid(solid);
    for (size_t i = 0; i < count; ++i) {
        const RMat44 from = RMat44::sTranslation(vector_of(moves[i].middle));
        const RShapeCast cast(shape.GetPtr(), Vec3::sReplicate(1.0f), from,
                              vector_of(moves[i].motion));
        ClosestHitCollisionCollector<CastShapeCollector> nearest;
        query.CastShape(cast, settings, from.GetTranslation(), nearest);
        if (nearest.HadHit()) {
            const Vec3 n = -nearest.mHit.mPenetrationAxis.NormalizedOr(Vec3::sZero());
            answers[i] = {nearest.mHit.mFraction * moves[i].length, {n.GetX(), n.GetY(), n.GetZ()}};
        } else {
            answers[i] = {std::numeric_limits<float>::infinity(), {0.0f, 0.0f, 0.0f}};
        }
    }
}

void jolt_world_overlaps(const JoltWorld *world, Solid solid, const float *middles, size_t count,
                         bool *answers) {
    const NarrowPhaseQuery &query = world->system.GetNarrowPhaseQueryNoLock();
    CollideShapeSettings settings;
    settings.mBackFaceMode = EBackFaceMode::CollideWithBackFaces;
    const ShapeRefC shape = made_solid(solid);
    for (size_t i = 0; i < count; ++i) {
        const RMat44 at = RMat44::sTranslation(vector_of(middles + 3 * i));
        AnyHitCollisionCollector<CollideShapeCollector> any;
        query.CollideShape(shape.GetPtr(), Vec3::sReplicate(1.0f), at, settings,
                           at.GetTranslation(), any);
        answers[i] = any.HadHit();
    }
}
}
