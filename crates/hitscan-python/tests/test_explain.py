"""Explanations name the answers of the plain queries."""

import numpy as np
import oracle
import pytest

import hitscan


def world_of(rng):
    world = hitscan.World()
    vertices, triangles = oracle.soup(rng, 30)
    world.add(hitscan.TriMesh(vertices, triangles), name="soup")
    for center in rng.uniform(-1, 2, (5, 3)):
        world.add(hitscan.Sphere(center, 0.2))
    world.update()
    return world


def answers(candidates):
    return [(one.object, one.triangle, one.t) for one in candidates if one.verdict == "answer"]


def test_rays_and_arcs():
    rng = np.random.default_rng(1)
    world = world_of(rng)
    origins, directions = oracle.rays(rng, 40)
    for o, d in zip(origins, directions, strict=True):
        hit = world.cast_rays(o, d)
        told = [(int(hit.object), int(hit.triangle), float(hit.t))] if hit.hit else []
        assert answers(world.explain_ray(o, d)) == told
        every = world.cast_rays_all(o[None], d)
        explained = answers(world.explain_ray(o, d, hits="all"))
        # A solid is one candidate, with two hits.
        told = zip(every.object.tolist(), every.triangle.tolist(), strict=True)
        assert {(one, triangle) for one, triangle, _ in explained} == set(told)
        miss = world.explain_miss(o, d)
        assert (miss is None) == bool(hit.hit)
        if hit.hit:
            before = float(hit.t) * 0.999
            miss = world.explain_miss(o, d, t_max=before)
            assert miss is not None
            change = next(one for one in miss.changes if one.what == "t_max")
            assert change.to >= change.t == hit.t and change.object == hit.object
        trace = world.trace_ray(o, d)
        best = [look["t"][0] for look in trace if look["verdict"] == "hit"]
        assert bool(best) == bool(hit.hit)
        boxes, triangles = world.cast_ray_counted(o, d)
        assert boxes + triangles == len(trace)
        assert len(world.trace_ray(o, d, limit=1)) <= 1
        arc = world.cast_arcs(o, d)
        told = [(int(arc.object), int(arc.triangle), float(arc.t))] if arc.hit else []
        assert answers(world.explain_arc(o, d)) == told


def test_shapes_contacts_and_points():
    rng = np.random.default_rng(2)
    world = world_of(rng)
    for center, motion in zip(rng.uniform(-2, 3, (25, 3)), rng.uniform(-3, 3, (25, 3)), strict=True):
        ball = hitscan.Sphere(center, 0.25)
        hit = world.cast_shapes(ball, motion)
        told = [(int(hit.object), float(hit.t))] if hit.hit else []
        explained = answers(world.explain_shape(ball, motion))
        assert [(one, t) for one, _, t in explained] == told
        every = world.cast_shapes_all(ball, motion)
        assert len(answers(world.explain_shape(ball, motion, hits="all"))) == len(every)
        contacts = world.contacts(ball, margin=0.5)
        explained = answers(world.explain_contacts(ball, margin=0.5))
        assert sorted(one for one, *_ in explained) == contacts.object.tolist()
        nearest = world.closest_points(center)
        assert answers(world.explain_closest_point(center)) == [
            (int(nearest.object), int(nearest.triangle), float(nearest.distance))
        ]


def test_what_a_ray_passes():
    world = hitscan.World(origin=[1000, 0, 0])
    near = world.add(hitscan.Sphere([1005, 3, 0], 2), name="near")
    world.add(hitscan.Sphere([1008, -9, 0], 2), name="far")
    world.update()
    passed = world.nearest_approaches([1000, 0, 0], [1, 0, 0])
    assert [one["name"] for one in passed] == ["near", "far"]
    assert passed[0]["object"] == near and passed[0]["on_ray"].tolist() == [1005, 0, 0]
    assert len(world.nearest_approaches([1000, 0, 0], [1, 0, 0], at_most=1)) == 1
    filtered = world.explain_ray([1000, 3, 0], [1, 0, 0], ignore=["near"])
    assert [one.verdict for one in filtered if one.name == "near"] == ["filtered"]


def test_what_is_no_question():
    world = hitscan.World()
    world.update()
    with pytest.raises(ValueError, match="direction"):
        world.explain_ray([0, 0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match="origin: expected three finite numbers"):
        world.explain_ray([0, np.nan, 0], [1, 0, 0])
    with pytest.raises(ValueError, match='hits: expected "nearest"'):
        world.explain_ray([0, 0, 0], [1, 0, 0], hits="some")
    assert world.explain_ray([0, 0, 0], [1, 0, 0]) == []
