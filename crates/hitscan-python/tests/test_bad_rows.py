"""Rows that are no question."""

import numpy as np
import pytest

import hitscan

FIELD = hitscan.HeightField(np.zeros((4, 4)))


def test_the_first_bad_row_is_named_with_its_reason_and_how_many():
    origins = np.ones((40, 50, 3))
    directions = np.broadcast_to([0.0, -1.0, 0.0], (40, 50, 3)).copy()
    origins[7, 3, 1] = np.nan
    directions[39, 49] = 0
    directions[12, 0, 2] = np.inf
    with pytest.raises(ValueError, match=r"\[7, 3\]: ray origin must be finite, found NaN \(.*: 3 of 2000"):
        FIELD.cast_rays(origins, directions)
    for cast in (FIELD.cast_rays_any, FIELD.cast_rays_all):
        with pytest.raises(ValueError, match=r"\[7, 3\].*3 of 2000"):
            cast(origins, directions)


def test_each_reason():
    for question, reason in [
        (dict(directions=[0, 0, 0]), "direction must not be zero"),
        (dict(directions=[1e-60, 0, 0]), "direction must not be zero"),
        (dict(directions=[0, -1, 0], t_min=[2.0], t_max=1.0), "lower bound 2"),
        (dict(directions=[0, -1, 0], t_min=-np.inf), "t_min"),
        (dict(directions=[0, -1, 0], t_max=np.nan), "t_max"),
        (dict(directions=[0, -1e300, 0]), "direction must be finite"),
    ]:
        with pytest.raises(ValueError, match=reason):
            FIELD.cast_rays([1, 1, 1], **question)


def test_bad_rows_can_be_marked():
    origins = np.ones((5000, 3))
    origins[::7, 2] = np.nan
    hits = FIELD.cast_rays(origins, [0, -1, 0], invalid="mark")
    bad = np.isnan(origins[:, 2])
    assert (hits.status[bad] == hitscan.Status.INVALID).all()
    assert (hits.status[~bad] == hitscan.Status.HIT).all()
    np.testing.assert_array_equal(hits.hit, ~bad)
    assert np.isinf(hits.t[bad]).all() and (hits.triangle[bad] == -1).all()
    np.testing.assert_array_equal(FIELD.cast_rays_any(origins, [0, -1, 0], invalid="mark"), ~bad)
    all_hits = FIELD.cast_rays_all(origins, [0, -1, 0], invalid="mark")
    np.testing.assert_array_equal(all_hits.count, ~bad)
    np.testing.assert_array_equal(all_hits.ray, np.flatnonzero(~bad))
