//! Marks of shots, kind by kind.

use super::*;
use crate::camera::PictureCamera;
use hitscan::Interior;
use hitscan::explain::{Hits, Question};
use hitscan::{Aabb, Camera, ContactsPer, QueryFilter, RayCastSettings, Sides, Sphere, World};

fn stage() -> Stage {
    let camera = Camera::new([0.0, 0.0, 10.0], [0.0; 3], 1.0, [100, 100]).unwrap();
    Stage {
        projector: PictureCamera::Perspective(camera).projector(),
        bounds: [DVec3::NEG_ONE, DVec3::ONE],
    }
}

fn answered_shot(question: &Question) -> Shot {
    let mut world = World::new();
    world.add(Sphere::new([0.0; 3], 1.0).unwrap());
    world.update();
    Shot::ask(world.now(), question, QueryFilter::new()).unwrap()
}

fn roles(marks: &[Mark]) -> Vec<Role> {
    let role = |mark: &Mark| match mark {
        Mark::Line(role, _) | Mark::Hatch(role, _) => Some(*role),
        _ => None,
    };
    marks.iter().filter_map(role).collect()
}

#[test]
fn rays_end_at_their_hit_or_where_the_world_ends() {
    let ray = |y: f32| Question::Ray {
        ray: Ray::new([-5.0, y, 0.0], [2.0, 0.0, 0.0]).unwrap(),
        settings: Sides::Both.into(),
        hits: Hits::Nearest,
    };
    let hit = stage().marks(&answered_shot(&ray(0.0)));
    let from = DVec3::new(-5.0, 0.0, 0.0);
    assert_eq!(hit[0], Mark::Line(Role::Hit, vec![from, DVec3::NEG_X]));
    assert_eq!(hit[2], Mark::Dot(Role::Hit, DVec3::NEG_X));
    let passing = stage().marks(&answered_shot(&ray(1.0_f32.next_up())));
    assert_eq!(roles(&passing), [Role::Miss]);
    let beside = stage().marks(&answered_shot(&ray(0.99)));
    assert_eq!(roles(&beside), [Role::Hit]);
}

#[test]
fn moves_show_their_start_and_overlaps_are_hatched() {
    let cast = |x: f32, dx: f32| {
        let shape = Aabb::new([x, -0.1, -0.1], [x + 0.2, 0.1, 0.1]).unwrap();
        answered_shot(&Question::ShapeCast {
            cast: ShapeCast::new(shape, [dx, 0.0, 0.0]).unwrap(),
            sides: Sides::Both,
            hits: Hits::Nearest,
        })
    };
    let of = |shot: Shot| roles(&stage().marks(&shot));
    assert_eq!(of(cast(-3.0, 4.0)), [Role::Hit]);
    assert_eq!(of(cast(-3.0, -4.0)), [Role::Miss]);
    assert_eq!(of(cast(0.0, 4.0)), [Role::Overlap]);
}

#[test]
fn the_closest_point_is_at_the_end_of_a_segment() {
    let question = |max_distance| Question::ClosestPoint {
        point: Vec3::new(0.0, 3.0, 0.0),
        max_distance,
        interior: Interior::Solids,
    };
    let from = DVec3::new(0.0, 3.0, 0.0);
    let found = stage().marks(&answered_shot(&question(f32::INFINITY)));
    assert_eq!(found[0], Mark::Line(Role::Hit, vec![from, DVec3::Y]));
    assert_eq!(found[2], Mark::Normal(DVec3::Y, DVec3::Y));
    let none = stage().marks(&answered_shot(&question(1.5)));
    assert_eq!(none, [Mark::Ring(Role::Miss, from)]);
}

#[test]
fn resting_shapes_are_hatched_where_they_overlap() {
    let resting = |x: f32, margin| {
        let shape = Aabb::new([x, -0.1, -0.1], [x + 0.5, 0.1, 0.1]).unwrap();
        stage().marks(&answered_shot(&Question::Contacts {
            shape: shape.into(),
            margin,
            each: ContactsPer::Object,
        }))
    };
    let inside = resting(0.75, 0.0);
    assert!(matches!(&inside[0], Mark::Hatch(Role::Overlap, corners) if corners.len() == 8));
    assert_eq!(inside.len(), 1 + EDGES.len() + 2);
    let near = resting(2.0, 1.5);
    let way = vec![DVec3::X, DVec3::X * 2.0];
    assert_eq!(near[EDGES.len()], Mark::Line(Role::Hit, way));
    let alone = resting(4.0, 0.0);
    let is_miss = |mark: &Mark| matches!(mark, Mark::Edge(Role::Miss, _));
    assert!(alone.len() == EDGES.len() && alone.iter().all(is_miss));
}

#[test]
fn pairs_are_hatched_boxes_and_segments() {
    let intersection = Aabb::new([0.0; 3], [1.0, 2.0, 3.0]).unwrap();
    let marks = stage().marks(&Shot::BoxPair { intersection });
    let corners = intersection.corners().map(Vec3::as_dvec3).to_vec();
    assert_eq!(marks[0], Mark::Hatch(Role::Overlap, corners));
    let segment = [Vec3::ZERO, Vec3::X];
    let marks = stage().marks(&Shot::Meeting { segment });
    let line = vec![DVec3::ZERO, DVec3::X];
    assert_eq!(marks[0], Mark::Line(Role::Overlap, line));
}

#[test]
fn sight_is_drawn_in_two_parts_where_it_is_blocked() {
    let ends = [Vec3::ZERO, Vec3::X * 8.0];
    let marks = |blocked_at| stage().marks(&Shot::Sight { ends, blocked_at });
    let line = |role, from: f64, to: f64| Mark::Line(role, vec![DVec3::X * from, DVec3::X * to]);
    assert_eq!(marks(None)[0], line(Role::Hit, 0.0, 8.0));
    let blocked = marks(Some(0.25));
    assert!(blocked.contains(&line(Role::Hit, 0.0, 2.0)));
    assert!(blocked.contains(&line(Role::Miss, 2.0, 8.0)));
}

#[test]
fn an_arc_without_a_hit_ends_below_the_world() {
    let arc = BallisticArc::new([-5.0, 3.0, 0.0], [1.0, 2.0, 0.0], [0.0, -9.81, 0.0]).unwrap();
    let question = Question::Arc {
        arc,
        settings: RayCastSettings::default(),
    };
    let marks = stage().marks(&answered_shot(&question));
    let Mark::Line(Role::Miss, places) = &marks[0] else {
        panic!("an arc is a line: {marks:?}");
    };
    let end = places.last().unwrap();
    assert!(end.y < -1.0 && end.is_finite(), "{end}");
}
