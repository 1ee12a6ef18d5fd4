"""Models in poses: vertices against numpy's skinning, rays against the triangles of those vertices."""

import copy
import pickle

import made_glb
import numpy as np
import pytest
from skinning import Glb

import hitscan


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return hitscan.write_demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def robot(files):
    return hitscan.Model.from_gltf(files["robot.glb"])


@pytest.fixture(scope="module")
def glb(files):
    return Glb(files["robot.glb"])


def primitive_of(model, part):
    """Which primitive of its node's mesh a part is."""
    return sum(other.node == model.parts[part].node for other in model.parts[:part])


def front_rays(count, seed=5):
    random = np.random.default_rng(seed)
    origins = random.uniform([-1, 0, 5], [1, 2, 5], (count, 3))
    return origins, np.array([0.0, 0.0, -1.0])


def test_what_a_file_has(robot, glb):
    assert [node.name for node in robot.nodes] == [node.get("name") for node in glb.json["nodes"]]
    assert [clip.name for clip in robot.clips] == ["Walk", "Wave"]
    for clip in robot.clips:
        keys = [glb.accessor(s["input"]) for s in glb.clip(clip.name)["samplers"]]
        assert (clip.start, clip.end) == (min(k.min() for k in keys), max(k.max() for k in keys))
    for number, part in enumerate(robot.parts):
        expected = glb.triangles(part.node, primitive_of(robot, number))
        assert np.array_equal(robot.triangles(number), expected)
        assert part.triangle_count == len(expected)
    assert robot.triangle_count == sum(part.triangle_count for part in robot.parts)
    skinned = {joint for skin in glb.json["skins"] for joint in skin["joints"]}
    assert robot.joints == tuple(sorted(skinned)) and robot.warnings == []
    parents = [node.parent for node in robot.nodes]
    for number, node in enumerate(glb.json["nodes"]):
        assert all(parents[child] == number for child in node.get("children", []))


@pytest.mark.parametrize("clip", [None, "Walk", "Wave"])
def test_vertices_are_those_of_numpy(robot, glb, clip):
    end = 1.0 if clip is None else robot.clips[robot_clip(robot, clip)].end
    for time in (0.0, 0.35, end / 2, end, end + 9.0, -3.0):
        pose = robot.rest_pose if clip is None else robot.pose(clip, time)
        posed = robot.posed(pose)
        source = None if clip is None else glb.clip(clip)
        for number, part in enumerate(robot.parts):
            expected = glb.vertices(part.node, primitive_of(robot, number), source, time)
            found = posed.vertices(number)
            # Rounded to f32 once; keys are f32, and a rotation of them is of unit length to as much.
            assert found.shape == expected.shape and found.dtype == np.float64
            assert np.abs(found - expected).max() < 1e-6
        matrices, _ = glb.locals(source, time)
        nodes = robot.model_from_nodes(pose)
        assert np.abs(nodes - glb.model_from_nodes(matrices)).max() < 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_made_files(tmp_path, seed):
    path = tmp_path / "made.glb"
    made_glb.write(path, seed)
    model, glb = hitscan.Model.from_gltf(path), Glb(path)
    clip = glb.clip("all")
    random = np.random.default_rng(seed)
    origins = random.normal(size=(500, 3)) + [1, 2, 12]
    for time in (0.0, 0.2, 0.5, 0.9, 1.25, 1.9, 2.0, 3.0):
        posed = model.posed(model.pose("all", time))
        mesh = posed.to_mesh()
        _, weights = glb.locals(clip, time)
        for node, found in enumerate(posed.pose.morph_weights):
            assert np.allclose(found, weights[node], atol=1e-6), (time, node)
        for number, part in enumerate(model.parts):
            expected = glb.vertices(part.node, primitive_of(model, number), clip, time)
            found = posed.vertices(number)
            reach = np.abs(expected).max()
            assert np.abs(found - expected).max() < 3e-7 * reach * 4, (time, part.name)
        hits = posed.cast_rays(origins, [0, 0, -1])
        still = mesh.cast_rays(origins, [0, 0, -1])
        # A mirrored part has the sides of its triangles as they are seen.
        same = hits.hit & still.hit & np.isclose(hits.t, still.t, rtol=0, atol=1e-4)
        assert np.mean(same | (~hits.hit & ~still.hit)) > 0.995 and np.count_nonzero(same) > 20
        assert np.mean(hits.side[same] == still.side[same]) > 0.995
        for side in ("front", "back"):
            wanted = posed.cast_rays(origins, [0, 0, -1], sides=side)
            only = mesh.cast_rays(origins, [0, 0, -1], sides=side)
            assert np.mean(wanted.hit == only.hit) > 0.995


def robot_clip(model, name):
    return [clip.name for clip in model.clips].index(name)


def test_rays_hit_the_triangles_of_the_vertices(robot):
    origins, down = front_rays(3000)
    for time in (0.1, 0.35, 0.8):
        posed = robot.posed(robot.pose("Walk", time))
        hits = posed.cast_rays(origins, down)
        mesh = posed.to_mesh()
        still = mesh.cast_rays(origins, down)
        assert np.array_equal(hits.hit, still.hit) and 100 < np.count_nonzero(hits.hit) < 2900
        hit = hits[hits.hit]
        # The mesh's vertices are rounded once more where a node moves the part.
        assert np.abs(hit.t - still.t[still.hit]).max() < 2e-6
        starts = np.cumsum([0] + [part.triangle_count for part in robot.parts])
        numbers = starts[hit.part] + hit.triangle
        assert np.mean(numbers == still.triangle[still.hit]) > 0.999
        assert np.array_equal(posed.cast_rays_any(origins, down), hits.hit)
        every = posed.cast_rays_all(origins, down)
        firsts = every.splits[:-1][np.diff(every.splits) > 0]
        assert np.array_equal(every.t[firsts], hit.t)
        bounds = np.concatenate([posed.vertices(k) for k in range(len(robot.parts))])
        assert np.all(posed.bounds[0] <= bounds.min(axis=0) + 1e-6)
        assert np.all(posed.bounds[1] >= bounds.max(axis=0) - 1e-6)


def test_bind_points_stay_with_the_surface(robot, glb):
    origins, down = front_rays(500)
    fields = ["hit", "part", "triangle", "uv", "joint", "bind_point", "point"]
    hits = robot.posed(robot.pose("Walk", 0.35)).cast_rays(origins, down, fields=fields)
    found = hits[hits.hit]
    assert np.all(hits.joint[~hits.hit] == -1) and np.isnan(hits.bind_point[~hits.hit]).all()
    for row in range(len(found)):
        part = int(found.part[row])
        primitive = primitive_of(robot, part)
        node = robot.parts[part].node
        mesh = glb.json["meshes"][glb.json["nodes"][node]["mesh"]]["primitives"][primitive]
        rest = glb.accessor(mesh["attributes"]["POSITION"])
        corners = rest[robot.triangles(part)[found.triangle[row]]]
        u, v = (float(w) for w in found.uv[row])
        expected = corners[0] * (1 - u - v) + corners[1] * u + corners[2] * v
        assert np.abs(found.bind_point[row] - expected).max() < 1e-5
        joint = int(found.joint[row])
        assert joint == node if robot.parts[part].skin is None else joint in robot.joints


def test_a_world_answers_as_the_model(robot):
    world = hitscan.World()
    pose = robot.pose("Wave", 0.4)
    ada = world.add(robot, pose=pose, name="ada")
    # The pose is kept once for both.
    posed = robot.posed(pose)
    away = np.eye(4)
    away[0, 3] = 8.0
    twin = world.add(posed, transform=away)
    world.update()
    assert world.object_names == ["ada", "model1"] and world.pose(twin) == pose
    fields = ["hit", "t", "object", "part", "triangle", "joint", "bind_point"]
    origins, down = front_rays(500)
    own, seen = posed.cast_rays(origins, down, fields=fields), None
    seen = world.cast_rays(origins, down, fields=fields)
    assert np.all(seen.object[seen.hit] == ada)
    for name in ("hit", "t", "part", "triangle", "joint"):
        assert np.array_equal(getattr(own, name), getattr(seen, name)), name
    shifted = world.cast_rays(origins + [8.0, 0, 0], down)
    assert np.all(shifted.object[shifted.hit] == twin)


def test_a_crowd_in_one_call(robot):
    world = hitscan.World()
    crowd = [world.add(robot) for _ in range(600)]
    # Objects that no update has shown yet can be posed.
    times = np.linspace(0, 1, 600, dtype=np.float32)
    world.set_poses(crowd, "Walk", times)
    world.update()
    for number in (0, 17, 599):
        assert world.pose(crowd[number]) == robot.pose("Walk", float(times[number]))
    world.set_poses(np.array(crowd[:300]), 1, 0.25)
    world.update()
    assert world.pose(crowd[299]) == robot.pose("Wave", 0.25)
    assert world.pose(crowd[300]) == robot.pose("Walk", float(times[300]))
    world.set_poses([], "Walk", [])
    # The last time of an object that is named twice counts.
    world.set_poses([crowd[0], crowd[0]], "Walk", [0.1, 0.2])
    world.update()
    assert world.pose(crowd[0]) == robot.pose("Walk", 0.2)


def test_what_is_refused_changes_nothing(robot):
    world = hitscan.World()
    one, two = world.add(robot), world.add(robot)
    ball = world.add(hitscan.Sphere([0, 0, 0], 1))
    world.update()
    rest = robot.rest_pose
    for handles, clip, times, error in (
        ([one, two], "Run", [0, 0], KeyError),
        ([one, two], 2, [0, 0], KeyError),
        ([one, two], -1, [0, 0], KeyError),
        ([one, two], "Walk", [0, np.nan], ValueError),
        ([one, two], "Walk", [0, np.inf], ValueError),
        ([one, two], "Walk", [0, 0, 0], ValueError),
        ([one, two], "Walk", [[0, 0]], ValueError),
        ([one, ball], "Walk", [0.3, 0], ValueError),
        ([one, 99], "Walk", [0.3, 0], KeyError),
        ([one, two], "Walk", ["a", "b"], TypeError),
        ([0.5], "Walk", [0], TypeError),
    ):
        with pytest.raises(error):
            world.set_poses(handles, clip, times)
    world.update()
    assert world.pose(one) == rest and world.pose(two) == rest
    assert world.pose(ball) is None and world.model(ball) is None
    for act, error in (
        (lambda: robot.pose("Run", 0), KeyError),
        (lambda: robot.pose("Walk", np.nan), ValueError),
        (lambda: robot.pose(7, 0), KeyError),
        (lambda: robot.posed(rest).vertices("wing"), KeyError),
        (lambda: robot.posed(rest).vertices(-1), KeyError),
        (lambda: robot.triangles(20), KeyError),
        (lambda: robot.place_node(rest, "wing", np.eye(4)), KeyError),
        (lambda: robot.place_node(rest, 0, np.full((4, 4), np.nan)), ValueError),
        (lambda: rest.with_local(0, np.zeros(9)), ValueError),
        (lambda: rest.with_local(0, np.full(10, np.inf)), ValueError),
        (lambda: rest.with_morph_weights(0, [1, 2, 3, 4, 5]), ValueError),
        (lambda: rest.blended(rest, 1.5), ValueError),
        (lambda: hitscan.Pose.blend_of([], []), ValueError),
        (lambda: hitscan.Pose.blend_of([rest], [1, 2]), ValueError),
        (lambda: hitscan.Pose.blend_of([rest], [0]), ValueError),
        (lambda: world.add(hitscan.Sphere([0, 0, 0], 1), pose=rest), ValueError),
        (lambda: world.set_pose(ball, rest), ValueError),
        (lambda: world.set_pose(99, rest), KeyError),
        (lambda: robot.posed(rest).cast_rays([0, 0, 0], [0, 1, 0], layers=1), ValueError),
        (lambda: hitscan.Model(), TypeError),
    ):
        with pytest.raises(error):
            act()


def test_poses_of_another_model(robot, tmp_path):
    path = tmp_path / "sheet.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n")
    sheet = hitscan.Model.from_gltf(path)
    assert sheet.clips == () and len(sheet.parts) == 1
    for act in (
        lambda: sheet.posed(robot.rest_pose),
        lambda: sheet.rest_pose.blended(robot.rest_pose, 0.5),
        lambda: sheet.model_from_nodes(robot.rest_pose),
    ):
        with pytest.raises(ValueError, match="pose"):
            act()
    with pytest.raises(KeyError, match="none"):
        sheet.pose("Walk", 0)


def test_bad_files_are_named(tmp_path):
    path = tmp_path / "broken.gltf"
    path.write_text("{")
    with pytest.raises(hitscan.FileError) as error:
        hitscan.Model.from_gltf(path)
    assert error.value.file == str(path)
    with pytest.raises(hitscan.FileError):
        hitscan.Model.from_gltf(tmp_path / "absent.glb")


def test_blends_and_changes(robot):
    one, other = robot.pose("Walk", 0.2), robot.pose("Wave", 0.6)
    half = one.blended(other, 0.5)
    for own, a, b in zip(half.locals, one.locals, other.locals, strict=True):
        assert np.allclose(own[[0, 1, 2]], (a[[0, 1, 2]] + b[[0, 1, 2]]) / 2, atol=1e-15)
        assert np.isclose(np.linalg.norm(own[3:7]), 1)
        # Halfway on the shorter arc is the same angle from both ends.
        assert np.isclose(abs(own[3:7] @ a[3:7]), abs(own[3:7] @ b[3:7]))
    assert one.blended(other, 1.0) == other and half != one
    assert hitscan.Pose.blend_of([one, other], [1, 1]) == half
    head = robot.node_number("Head")
    place = robot.model_from_nodes(one)[head].copy()
    place[1, 3] += 3.0
    moved = robot.place_node(one, "Head", place)
    assert np.allclose(robot.model_from_nodes(moved)[head], place, atol=1e-12)
    assert moved.locals[head].shape == (4, 4)
    assert robot.max_displacement(one, moved) > 3.0
    back = moved.with_local("Head", one.locals[head])
    assert back == one


def test_pickled_models_answer_the_same(robot):
    origins, down = front_rays(300)
    posed = robot.posed(robot.pose("Walk", 0.35))
    expected = posed.cast_rays(origins, down)
    for made in (
        pickle.loads(pickle.dumps(posed, protocol=4)),
        pickle.loads(pickle.dumps(posed, protocol=5)),
        copy.deepcopy(posed),
    ):
        found = made.cast_rays(origins, down)
        for name in expected.fields:
            assert np.array_equal(getattr(found, name), getattr(expected, name), equal_nan=True)
        assert made.model.clips == robot.clips and made.model.nodes == robot.nodes
    pose = robot.place_node(robot.pose("Wave", 0.3), "Head", np.eye(4))
    again = pickle.loads(pickle.dumps((robot, pose)))
    assert again[1] == pose and again[1].model is again[0]
    world = hitscan.World()
    ada = world.add(robot, pose=pose, name="ada")
    world.update()
    loaded = pickle.loads(pickle.dumps(world))
    assert loaded.pose(ada) == pose
    # The colours of models come along.
    size = (48, 27)
    assert np.array_equal(loaded.render(size=size).rgb, world.render(size=size).rgb)
    loaded.set_poses([ada], "Walk", 0.2)
    loaded.update()
    assert loaded.pose(ada) == robot.pose("Walk", 0.2)


def test_scenes_share_their_models(files):
    world = hitscan.World.from_scene(files["crowd.toml"])
    robots = [handle for handle in world.handles if world.model(handle) is not None]
    assert len(robots) == 1000
    world.set_poses(robots, "Wave", np.linspace(0, 1, 1000))
    world.update()
    assert world.pose(robots[999]) == world.model(robots[0]).pose("Wave", 1.0)


def test_to_trimesh(robot):
    pytest.importorskip("trimesh")
    posed = robot.posed(robot.pose("Walk", 0.35))
    mesh = posed.to_trimesh()
    assert len(mesh.faces) == robot.triangle_count
    assert np.array_equal(mesh.vertices[: robot.parts[0].vertex_count], posed.vertices(0))
