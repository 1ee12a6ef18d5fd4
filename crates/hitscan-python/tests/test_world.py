"""Worlds: objects come, move and go."""

import numpy as np
import oracle
import pytest

import hitscan

DOWN = [0, -1, 0]


def test_changes_are_seen_from_the_next_update_on():
    world = hitscan.World(auto_update=False)
    ball = world.add(hitscan.Sphere([0, 0, 0], 1))
    assert len(world.now()) == 0 and not world.now().cast_rays_any([0, 9, 0], DOWN)
    world.update()
    assert world.cast_rays([0, 9, 0], DOWN).t == 8
    world.set_shape(ball, hitscan.Sphere([0, 0, 0], 2))
    assert world.now().cast_rays([0, 9, 0], DOWN).t == 8
    world.update()
    assert world.cast_rays([0, 9, 0], DOWN).t == 7
    world.remove(ball)
    assert world.now().cast_rays_any([0, 9, 0], DOWN)
    world.update()
    assert not world.cast_rays_any([0, 9, 0], DOWN) and world.bounds is None


def test_stale_handles_are_key_errors():
    world = hitscan.World()
    ball = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
    world.remove(ball)
    for act in (
        lambda: world.remove(ball),
        lambda: world.set_layers(ball, 1),
        lambda: world.set_shape(ball, hitscan.Sphere([0, 0, 0], 1)),
        lambda: world.set_transforms([ball], [np.eye(4)]),
        lambda: world.object_bounds(ball),
        lambda: world.cast_rays([0, 0, 0], DOWN, ignore=[ball]),
        lambda: world.remove(-1),
        lambda: world.handle("ball"),
        lambda: world.cast_rays([0, 0, 0], DOWN, ignore=["ball"]),
    ):
        with pytest.raises(KeyError):
            act()


def test_names():
    world = hitscan.World()
    assert world.add(hitscan.Sphere([0, 0, 0], 1)) == 0
    assert world.add(hitscan.Box([0, 0, 0], [1, 1, 1]), name="crate") == 1
    assert world.add(hitscan.HeightField(np.zeros((2, 2)))) == 2
    assert world.add(hitscan.TriMesh(*oracle.box_mesh())) == 3
    assert world.add(hitscan.Sphere([0, 0, 0], 1), name="sphere5") == 4
    assert world.add(hitscan.Sphere([0, 0, 0], 1)) == 5
    with pytest.raises(ValueError, match="'crate'|\"crate\""):
        world.add(hitscan.Sphere([0, 0, 0], 1), name="crate")
    world.update()
    assert world.object_names == ["sphere0", "crate", "terrain2", "mesh3", "sphere5", "sphere5_"]
    assert world.handle("crate") == 1 and world.handles == list(range(6))
    world.remove(1)
    assert world.add(hitscan.Sphere([0, 0, 0], 1), name="crate") == 6


def test_layers_and_ignored_objects():
    world = hitscan.World()
    near = world.add(hitscan.Box([0, 5, 0], [1, 6, 1]), name="near", layers=0b10)
    world.add(hitscan.Box([0, 0, 0], [1, 1, 1]), name="far")
    world.update()
    eye = [0.5, 9, 0.5]
    assert world.cast_rays(eye, DOWN).t == 3
    assert world.cast_rays(eye, DOWN, layers=0b01).t == 8
    assert world.cast_rays(eye, DOWN, ignore=["near"]).t == 8
    assert world.cast_rays(eye, DOWN, ignore=[near]).t == 8
    assert world.cast_rays_all(eye, DOWN, ignore=np.array([near])).t.tolist() == [8, 9]
    assert not world.cast_rays_any(eye, DOWN, ignore=["near", 1])
    world.set_layers(near, 0b01)
    world.update()
    assert world.cast_rays(eye, DOWN, layers=0b01).t == 3


def test_history():
    world = hitscan.World()
    world.keep_history(4)
    ball = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
    for tick in range(10):
        world.set_shape(ball, hitscan.Sphere([tick, 0, 0], 1))
        world.update()
        world.record(tick)
    assert world.history == (6, 9)
    for tick in (5, 9.5, np.nan):
        with pytest.raises(hitscan.UnknownTickError):
            world.at(tick)
    past = world.at(7)
    world.remove(ball)
    world.update()
    hits = past.cast_rays([[7, 9, 0], [9, 9, 0]], DOWN)
    assert hits.hit.tolist() == [True, False] and hits.object_names[0] == "ball"
    assert world.at(6.5).bounds.tolist() == [[5.5, -1, -1], [7.5, 1, 1]]
    with pytest.raises(ValueError):
        world.record(9)


def test_transforms_that_are_refused():
    world = hitscan.World()
    box = world.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
    ground = world.add(hitscan.HeightField(np.zeros((2, 2))))
    turned = np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    for handle, matrix in [(box, turned), (ground, np.eye(4)), (box, np.zeros((4, 4)))]:
        with pytest.raises(ValueError):
            world.set_transforms([handle], [matrix])
    with pytest.raises(ValueError, match=r"\(4, 4\)"):
        world.set_transforms([box], np.eye(3))
    with pytest.raises(ValueError, match="2 handles, found 1"):
        world.set_transforms([box, box], [np.eye(4)])
    with pytest.raises(TypeError, match="whole numbers"):
        world.set_transforms([0.5], [np.eye(4)])
    with pytest.raises(ValueError, match="terrain takes no transform"):
        world.add(hitscan.HeightField(np.zeros((2, 2))), transform=np.eye(4))
    with pytest.raises(TypeError, match="expected a TriMesh.*found str"):
        world.add("a box")
    # What was refused left nothing behind.
    world.update()
    assert len(world) == 2


def test_a_scene_file(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(
        "[world]\norigin = [500000.0, 0.0, 6200000.0]\n"
        "[[sphere]]\nname = 'planet'\ncenter = [0, 5, 0]\nradius = 2\n"
    )
    world = hitscan.World.from_scene(path)
    assert world.origin.tolist() == [500000, 0, 6200000]
    hits = world.cast_rays([[500000.0, 20, 6200000]], DOWN)
    assert hits.t.tolist() == [13] and hits.object_names.tolist() == ["planet"]
    assert hits.point.tolist() == [[500000, 7, 6200000]]
    world.remove(world.handle("planet"))
    ball = world.add(hitscan.Sphere([500000, 1, 6200000], 1))
    world.update()
    assert ball == 1 and world.object_names == ["sphere1"]


def test_file_errors_keep_file_place_and_expectation(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text("[[sphere]]\ncenter = [0, 0, 0]\nradius = 'big'\n")
    with pytest.raises(hitscan.FileError) as caught:
        hitscan.World.from_scene(path)
    error = caught.value
    assert isinstance(error, OSError) and error.file == str(path)
    assert "line 3" in error.place and error.expectation and "line 3" in str(error)
    with pytest.raises(hitscan.FileError) as caught:
        hitscan.World.from_scene(tmp_path / "none.toml")
    assert caught.value.errno == 2 and "none.toml" in str(caught.value)
