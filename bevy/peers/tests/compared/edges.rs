//! Rays from outside at the edges of a closed mesh.

use crate::peer::{each, ray};
use bevy_math::{Quat, Vec3};
use bevy_mesh::Mesh;
use bevy_shape::Sphere;
use bevy_transform::components::Transform;
use peers::Numbers;

/// How many of 2,160 and more pass through: here none, by the others some.
#[test]
fn rays_at_edges_pass_through_all_but_the_plugin() {
    let ball = Mesh::from(Sphere::new(1.0));
    let place = Transform::from_xyz(3.0, -2.0, 1.0)
        .with_rotation(Quat::from_rotation_x(0.7) * Quat::from_rotation_y(0.3))
        .with_scale(Vec3::splat(7.3));
    let mut numbers = Numbers(13);
    let mut rays = Vec::new();
    for _ in 0..10 {
        for triangle in ball.triangles().unwrap() {
            for [one, other] in [[0, 1], [1, 2], [2, 0]] {
                let [one, other] = [one, other].map(|corner: usize| triangle.vertices[corner]);
                let target = place.transform_point(one.lerp(other, numbers.share()));
                let out = (target - place.translation).normalize();
                let away = (out + numbers.point(0.3)) * 10.0;
                rays.push(ray(target + away, -away));
            }
        }
    }
    let passed = each(|peer| {
        peer.spawn(ball.clone(), place);
        // What comes out at the far side has passed through the near one.
        let answers = peer.casts(&rays).into_iter();
        let is_through = |answer: peers::Answer| answer.is_none_or(|(_, distance)| distance > 16.0);
        answers.filter(|answer| is_through(*answer)).count()
    });
    println!("of {} rays at edges pass through: {passed:?}", rays.len());
    assert!(rays.len() > 20_000);
    assert_eq!(passed[0], 0);
    assert!(passed[1..].iter().all(|passed| *passed > 0));
}
