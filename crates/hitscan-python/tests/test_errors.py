"""What is raised, and what it says."""

from __future__ import annotations

import pickle

import hitscan
import numpy as np
import pyarrow as pa
import pytest


@pytest.fixture
def world() -> hitscan.World:
    made = hitscan.World()
    made.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
    made.add(hitscan.Sphere([0, 0, -4], 1), name="moon")
    return made


class Tensor:
    """What shares its memory by DLPack alone."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __dlpack__(self, **options: object) -> object:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> object:
        return self._array.__dlpack_device__()


def test_errors_are_python_s_own_as_well(tmp_path):
    with pytest.raises(FileNotFoundError) as missing:
        hitscan.TriMesh.read(tmp_path / "none.obj")
    assert isinstance(missing.value, hitscan.FileError)
    assert isinstance(missing.value, hitscan.HitscanError)
    again = pickle.loads(pickle.dumps(missing.value))
    assert (type(again), str(again), again.errno) == (
        type(missing.value),
        str(missing.value),
        missing.value.errno,
    )
    for mmap in (True, False):
        with pytest.raises(hitscan.MissingFileError, match="none.baked"):
            hitscan.World.load(tmp_path / "none.baked", mmap=mmap)
    with pytest.raises(KeyError) as unknown:
        hitscan.World().remove(7)
    assert str(unknown.value) == "object 7 is not in this world: it was removed, or never was"
    assert isinstance(unknown.value, hitscan.UnknownObjectError)
    broken = tmp_path / "broken.obj"
    broken.write_text("v 0 0\n")
    with pytest.raises(hitscan.FileError) as malformed:
        hitscan.TriMesh.read(broken)
    assert type(malformed.value) is hitscan.FileError


def test_a_tick_that_is_not_kept_is_named(world):
    with pytest.raises(hitscan.UnknownTickError, match="tick 3 is not kept: no tick is"):
        world.at(3)
    world.keep_history(2)
    for tick in (7, 8, 9):
        world.record(tick)
    with pytest.raises(LookupError, match="tick 7 is not kept: 8 to 9 are"):
        world.at(7)
    assert len(world.at(8.5)) == 2


def test_a_viewshed_says_why_there_is_none(world):
    world.add(hitscan.HeightField(np.zeros((3, 3))), name="map")
    with pytest.raises(ValueError, match="terrain: expected a terrain, object 'ball' is a sphere"):
        world.viewshed("ball", [1, 1])
    with pytest.raises(ValueError, match=r"eye: \[9.0, 9.0\] is not over ground"):
        world.viewshed("map", [9, 9])


def test_a_name_is_one_name(world):
    ray = [0, 0, 5], [0, 0, -1]
    assert world.cast_rays(*ray, ignore="ball").object_names.item() == "moon"
    assert world.cast_rays(*ray, ignore=0).object_names.item() == "moon"
    assert world.cast_rays(*ray, ignore=np.int64(0)).object_names.item() == "moon"
    assert world.cast_rays(*ray, fields="hit").fields == ("hit",)
    assert world.contacts(hitscan.Sphere([0, 0, 0], 1), ignore="ball").object.tolist() == []


def test_layers_are_bits(world):
    ray = [0, 0, 5], [0, 0, -1]
    assert world.cast_rays_any(*ray, layers=-1)
    world.set_layers("ball", -1)
    assert world.cast_rays(*ray, layers=1 << 31).object.item() == 0
    for layers, error in ((-2, ValueError), (1 << 32, ValueError), ("1", TypeError)):
        with pytest.raises(error, match="layers: expected"):
            world.cast_rays(*ray, layers=layers)


def test_objects_are_named_wherever_they_are_given(world):
    up = np.eye(4)
    up[:3, 3] = [0, 7, 0]
    world.set_transforms(["ball"], up[None])
    assert world.object_bounds("ball").tolist() == [[-1, 6, -1], [1, 8, 1]]
    world.set_shape("moon", hitscan.Sphere([0, 0, -4], 2))
    assert world.model("ball") is None
    world.remove("moon")
    assert world.object_names == ["ball"]


def test_messages_name_what_helps(world):
    rays = np.zeros((3, 6))
    rays[:, 5] = -1
    with pytest.raises(TypeError, match="out: expected RayHits, a former answer, found ndarray"):
        world.cast_rays(rays, out=np.zeros(3))
    with pytest.raises(TypeError, match="out: expected an array of bool, found one of float64"):
        world.cast_rays_any(rays, out=np.zeros(3))
    with pytest.raises(TypeError, match="shape: expected a TriMesh.*found NoneType"):
        world.add(None)
    foreign = type("Trimesh", (), {"__module__": "trimesh.base"})()
    with pytest.raises(TypeError, match="TriMesh.from_trimesh takes it"):
        world.add(foreign)
    corners = np.zeros((100, 3))
    corners[41, 1] = np.nan
    with pytest.raises(ValueError, match=r"vertices\[41\]: expected finite numbers.*NaN"):
        hitscan.TriMesh(corners, [[0, 1, 2]])
    with pytest.raises(ValueError, match=r"triangles\[1\]: expected indices of the 3 vertices"):
        hitscan.TriMesh(np.zeros((3, 3)), [[0, 1, 2], [0, 500, 1]])
    table = pa.table({name: [0.0] for name in "ox oy oz dx dy dz t".split()})
    with pytest.raises(ValueError, match="`prefix=`"):
        world.cast_rays_table(table)
    with pytest.raises(TypeError, match="pickle its World"):
        pickle.dumps(world.now())
    assert repr(hitscan.Spheres(np.zeros((4, 2, 3)), 1.0)) == "Spheres(shape=(4, 2))"


def test_what_shares_memory_by_dlpack_is_an_array(world):
    rays = np.array([[0, 0, 5, 0, 0, -1], [0, 9, 5, 0, 0, -1]], dtype=np.float32)
    assert world.cast_rays_any(Tensor(rays)).tolist() == [True, False]


def test_a_rotation_of_another_library_is_taken():
    class Rotation:
        def as_quat(self) -> np.ndarray:
            return np.array([0, 0, 0.5**0.5, 0.5**0.5])

    box = hitscan.OrientedBox([0, 0, 0], [2, 1, 1], Rotation())
    assert box.rotation.tolist() == [0, 0, 0.5**0.5, 0.5**0.5]


def test_terrain_tells_what_is_seen_by_itself():
    field = hitscan.HeightField(np.random.default_rng(5).uniform(0, 3, (9, 7)))
    world = hitscan.World()
    world.add(field, name="map")
    eyes = [[1.5, 2.0], [6.0, 8.0], [0.0, 0.0]]
    seen = [world.viewshed("map", eye, above=1.7).samples == 1 for eye in eyes]
    assert (field.viewshed(eyes[1], above=1.7).samples == 1).tolist() == seen[1].tolist()
    counts = field.viewshed_counts(eyes, above=1.7)
    assert counts.tolist() == np.sum(seen, axis=0).tolist()
    near = field.viewshed_counts(eyes[:1], above=1.7, max_distance=2.0)
    assert (near == -1).sum() > 20 and near[2, 1] == 1
    assert world.viewshed_counts("map", eyes, above=1.7).tolist() == counts.tolist()
