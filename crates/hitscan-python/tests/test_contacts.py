"""Resting solids: what they overlap, touch and are near to."""

import pickle

import numpy as np
import oracle
import pytest

import hitscan
from hitscan import ContactStatus


def test_balls_against_a_formula():
    rng = np.random.default_rng(1)
    own = rng.uniform(-9, 9, (20, 3)).astype(np.float32)
    world = hitscan.World()
    for center in own:
        world.add(hitscan.Sphere(center, 1.25))
    world.update()
    centers = rng.uniform(-9, 9, (300, 3)).astype(np.float32)
    gaps = np.linalg.norm(centers[:, None].astype(float) - own, axis=2) - 1.25 - 0.5
    contacts = world.contacts(hitscan.Spheres(centers, 0.5), margin=1.5)
    near = gaps <= 1.5
    np.testing.assert_array_equal(contacts.count, near.sum(1))
    question, number = np.nonzero(near)
    np.testing.assert_array_equal(contacts.question, question)
    np.testing.assert_array_equal(contacts.object, number)
    np.testing.assert_allclose(contacts.separation, gaps[near], rtol=1e-5, atol=1e-6)
    statuses = np.where(gaps[near] < 0, ContactStatus.OVERLAP, ContactStatus.NEAR)
    np.testing.assert_array_equal(contacts.status, statuses)
    overlaps = world.overlaps_shapes(hitscan.Spheres(centers, 0.5))
    np.testing.assert_array_equal(overlaps, (gaps < 0).any(1))
    margins = rng.uniform(0, 3, 300)
    np.testing.assert_array_equal(
        world.contacts(hitscan.Spheres(centers, 0.5), margin=margins).count,
        (gaps <= margins[:, None]).sum(1),
    )


def test_touching_is_neither_near_nor_overlapping():
    world = hitscan.World()
    world.add(hitscan.Box([0, 0, 0], [1, 1, 1]), name="crate")
    world.update()
    rows = hitscan.Boxes([[1, 0, 0], [1, 1, 1], [0.75, 0, 0], [1.25, 0, 0], [9, 9, 9]], [10, 10, 10])
    contacts = world.contacts(rows)
    assert contacts.question.tolist() == [0, 1, 2]
    touch, over = ContactStatus.TOUCHING, ContactStatus.OVERLAP
    assert contacts.status.tolist() == [touch, touch, over]
    assert contacts.separation.tolist() == [0, 0, -0.25]
    assert contacts.normal[2].tolist() == [1, 0, 0]
    assert world.overlaps_shapes(rows).tolist() == [False, False, True, False, False]
    assert world.contacts(rows, margin=0.5).count.tolist() == [1, 1, 1, 1, 0]
    assert contacts.object_names.tolist() == ["crate"] * 3
    flat = hitscan.Boxes([0.5, 0.5, 0.5], [0.5, 0.5, 0.5])
    assert world.contacts(flat).status.tolist() == [over]


def test_each_triangle_or_each_object():
    field = hitscan.HeightField(np.zeros((5, 5)))
    ball = hitscan.Sphere([2.5, 0.25, 2.5], 0.5)
    whole, each = field.contacts(ball), field.contacts(ball, each="triangle")
    assert len(whole) == 1 and whole.separation.tolist() == [-0.25]
    assert len(each) >= 1 and each.object.tolist() == [-1] * len(each)
    assert whole.triangle[0] in each.triangle
    mesh = hitscan.TriMesh(*oracle.box_mesh())
    assert mesh.contacts(hitscan.Sphere([0.5, 1.5, 0.5], 0.25), margin=0.5).separation.tolist() == [0.25]
    assert mesh.overlaps_shapes(hitscan.Sphere([0.5, 1.5, 0.5], 0.75))
    with pytest.raises(ValueError, match="each: expected"):
        field.contacts(ball, each="part")


def test_bad_rows_empty_arrays_and_masks():
    world = hitscan.World()
    floor = world.add(hitscan.Box([-9, -1, -9], [9, 0, 9]))
    world.update()
    centers = np.zeros((2, 3, 3))
    centers[1, 2, 0] = np.nan
    with pytest.raises(ValueError, match=r"shape\[1, 2\].*1 of 6"):
        world.contacts(hitscan.Spheres(centers, 1))
    contacts = world.contacts(hitscan.Spheres(centers, 1), invalid="mark")
    assert contacts.count.tolist() == [1, 1, 1, 1, 1, 0]
    assert contacts[contacts.question > 2].splits.tolist() == [0, 0, 0, 0, 1, 2, 2]
    again = pickle.loads(pickle.dumps(contacts))
    assert again.splits.tolist() == contacts.splits.tolist()
    assert len(world.contacts(hitscan.Spheres(np.zeros((0, 3)), 1))) == 0
    assert len(world.contacts([])) == 0 and world.overlaps_shapes([]).shape == (0,)
    with pytest.raises(ValueError, match="margin must be at least 0"):
        world.contacts(hitscan.Sphere([0, 0, 0], 1), margin=-1)
    assert len(world.contacts(hitscan.Sphere([0, 0, 0], 1), ignore=[floor])) == 0
    assert len(world.contacts(hitscan.Sphere([0, 0, 0], 1), layers=2)) == 0
    mesh = hitscan.TriMesh(*oracle.box_mesh())
    with pytest.raises(ValueError, match="layers"):
        mesh.contacts(hitscan.Sphere([0, 0, 0], 1), layers=2)
