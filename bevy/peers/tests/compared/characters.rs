//! Skinned characters in motion.

use peers::{Crowd, Numbers, Scene, Subject, frame};

/// How many of 500 rays at walking characters name another one than is drawn there, or none, and how many the right
/// one more than 1 cm off.
fn errors(subject: Subject) -> [usize; 2] {
    let crowd = Crowd {
        columns: 6,
        rows: 6,
    };
    let mut app = subject.with_crowd(subject.app(), crowd);
    for _ in 0..10 {
        frame(&mut app);
    }
    let rays = crowd.shots(500, 4.0, &mut Numbers(17));
    let scene = Scene::new(&mut app);
    let answers = subject.cast_rays(&mut app, &rays).0;
    let mut errors = [0, 0];
    let mut hits = 0;
    for (ray, answer) in rays.iter().zip(answers) {
        let truth = scene.cast_ray(*ray);
        hits += usize::from(truth.is_some());
        match (answer, truth) {
            (None, None) => {}
            (Some((one, near)), Some((other, far))) if one == other => {
                errors[1] += usize::from((near - far).abs() > 0.01);
            }
            _ => errors[0] += 1,
        }
    }
    assert!(hits > 150, "{hits} rays hit a character");
    println!("{}: {errors:?} of 500", subject.name());
    errors
}

#[test]
fn walking_characters_are_hit_as_drawn() {
    assert_eq!(errors(Subject::Hitscan), [0, 0]);
    // What the plugin is measured against is right as well.
    assert_eq!(errors(Subject::SkinnedMeshRayCast), [0, 0]);
}

#[test]
fn walking_characters_are_hit_by_bevy_in_their_bind_pose() {
    let [wrong, off] = errors(Subject::MeshRayCast);
    assert!(wrong > 50 && off > 50);
}

#[test]
fn capsules_on_joints_are_not_the_character() {
    for subject in [Subject::Avian, Subject::Rapier] {
        let [wrong, off] = errors(subject);
        // They follow the joints, and are near what is drawn.
        assert!(wrong > 5 && wrong < 100, "{} wrong", subject.name());
        assert!(off > 5, "{} off", subject.name());
    }
}
