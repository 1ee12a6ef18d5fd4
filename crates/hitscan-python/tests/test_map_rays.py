"""Rays, closest points and lines of sight in the coordinates of a map."""

import numpy as np
import pytest

import hitscan

EAST, NORTH = 500_000.0, 5_400_000.0

SCENE = """
[world]
origin = [500000.0, 100.0, 5400000.0]
[[box]]
name = "tower"
min = [10.0, 0.0, -30.0]
max = [20.0, 40.0, -20.0]
"""


@pytest.fixture(params=["made", "scene"])
def world(request, tmp_path):
    """A tower at eastings 10 to 20, northings 20 to 30, heights 100 to 140, measured from a corner."""
    if request.param == "scene":
        (tmp_path / "scene.toml").write_text(SCENE)
        return hitscan.World.from_scene(tmp_path / "scene.toml")
    world = hitscan.World(origin=[EAST, 100.0, -NORTH])
    world.add(
        hitscan.Box([EAST + 10, 100, -NORTH - 30], [EAST + 20, 140, -NORTH - 20]), name="tower"
    )
    return world


def at(east, north, height):
    return np.array([EAST + east, NORTH + north, height])


def test_rays(world):
    # From the south to the north, from above, and from the east past it.
    origins = np.array([at(15, 0, 120), at(12, 22, 200), at(99, 50, 120)])
    directions = [[0, 1, 0], [0, 0, -1], [-1, 0, 0]]
    hits = world.cast_rays(origins, directions, coordinates="map")
    assert hits.object_names.tolist() == ["tower", "tower", None]
    np.testing.assert_array_equal(hits.t, np.array([20, 60, np.inf], np.float32))
    np.testing.assert_array_equal(hits.point[:2], [at(15, 20, 120), at(12, 22, 140)])
    np.testing.assert_array_equal(hits.normal[:2], [[0, -1, 0], [0, 0, 1]])
    assert np.isnan(hits.point[2]).all()
    packed = np.concatenate([origins, directions], axis=-1)
    assert world.cast_rays_any(packed, coordinates="map").tolist() == [True, True, False]
    every = world.cast_rays_all(packed[:1], coordinates="map")
    np.testing.assert_array_equal(every.point, [at(15, 20, 120), at(15, 30, 120)])
    np.testing.assert_array_equal(every.normal, [[0, -1, 0], [0, 1, 0]])
    few = world.cast_rays(origins, directions, coordinates="map", fields=["t"])
    np.testing.assert_array_equal(few.t, hits.t)


def test_closest_points_and_sight(world):
    nearest = world.closest_points([at(15, 5, 120), at(15, 25, 141)], coordinates="map")
    np.testing.assert_array_equal(nearest.point, [at(15, 20, 120), at(15, 25, 140)])
    np.testing.assert_array_equal(nearest.normal, [[0, -1, 0], [0, 0, 1]])
    np.testing.assert_array_equal(nearest.distance, np.array([15, 1], np.float32))
    eyes, targets = [at(0, 25, 120), at(0, 25, 141)], [at(40, 25, 120), at(40, 25, 141)]
    assert world.is_visible(eyes, targets, coordinates="map").tolist() == [False, True]
    blockers = world.first_blocker(eyes, targets, coordinates="map")
    assert blockers.t[0] == 0.25 and blockers.object_names.tolist() == ["tower", None]


def test_what_is_refused(world, tmp_path):
    with pytest.raises(ValueError, match='coordinates: expected "world" or "map", found "utm"|\'utm\''):
        world.cast_rays([0, 0, 0], [0, 0, 1], coordinates="utm")
    with pytest.raises(ValueError, match=r"origins: expected an array of shape \(\.\.\., 3\), found \(2,\)"):
        world.cast_rays([0, 0], [0, 0, 1], coordinates="map")
    with pytest.raises(ValueError, match=r"rays: expected an array of shape \(\.\.\., 6\)"):
        world.cast_rays([0, 0, 0], coordinates="map")
    (tmp_path / "plain.toml").write_text("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
    plain = hitscan.World.from_scene(tmp_path / "plain.toml")
    with pytest.raises(ValueError, match="lies on no map"):
        plain.closest_points([0, 0, 0], coordinates="map")


def test_solids(world):
    turn = [0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)]  # by 45 degrees about the vertical
    solids = {
        "spheres": hitscan.Spheres([at(15, 10, 120)], 2.0),
        "boxes": hitscan.Boxes([at(14, 7, 119)], [at(16, 12, 121)]),
        "turned": hitscan.OrientedBoxes([at(15, 10, 120)], [2.0, 2.0, 1.0], turn),
        "capsules": hitscan.Capsules([at(15, 10, 118)], [at(15, 10, 122)], 2.0),
        "one": hitscan.Sphere(at(15, 10, 120), 2.0),
        "list": [hitscan.Box(at(14, 7, 119), at(16, 12, 121))],
    }
    reach = {"boxes": 12.0, "list": 12.0, "turned": 10 + 2 * np.sqrt(2)}
    for name, shapes in solids.items():
        north = world.cast_shapes(shapes, [0, 100, 0], coordinates="map")
        t = (20 - reach.get(name, 12.0)) / 100
        np.testing.assert_allclose(north.t, t, rtol=1e-6, err_msg=name)
        np.testing.assert_array_equal(north.normal.reshape(3), [0, -1, 0], err_msg=name)
        np.testing.assert_allclose(north.point.reshape(3)[1], NORTH + 20, rtol=0, atol=1e-4)
        assert not world.cast_shapes_any(shapes, [0, -100, 0], coordinates="map").any()
        every = world.cast_shapes_all(shapes, [0, 100, 0], coordinates="map")
        np.testing.assert_array_equal(every.point.reshape(3), north.point.reshape(3))
        assert not world.overlaps_shapes(shapes, coordinates="map").any()
        near = world.contacts(shapes, margin=15.0, coordinates="map")
        np.testing.assert_allclose(near.normal.reshape(3), [0, -1, 0], atol=1e-6)
    inside = hitscan.Spheres([at(15, 21, 120)], 2.0)
    assert world.overlaps_shapes(inside, coordinates="map").tolist() == [True]
    moved = world.cast_shapes(inside, [1, 0, 0], coordinates="map")
    assert moved.way_out.tolist() == [[0, -1, 0]]
    boxes = world.sweep_boxes([at(14, 7, 119)], [at(16, 12, 121)], [0, 100, 0], coordinates="map")
    np.testing.assert_allclose(boxes.t, 0.08, rtol=1e-6)
