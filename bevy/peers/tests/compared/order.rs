//! Exact ties, by the order in which entities are spawned.

use crate::peer::{ABOVE, Peer, square};
use bevy_hitscan::HitscanOrder;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use peers::Subject;

/// Which of three squares in the same place is hit, by the name that it keeps whatever the order.
fn hit_in_order(subject: Subject, order: [usize; 3]) -> usize {
    let mut peer = Peer::new(subject);
    for name in order {
        let (entity, _) = peer.spawn(square(), Transform::IDENTITY);
        let key = HitscanOrder(name as u64);
        peer.app.world_mut().entity_mut(entity).insert(key);
    }
    let answer = peer.casts(&[crate::peer::ray(ABOVE, Vec3::NEG_Y)])[0];
    let (place, distance) = answer.unwrap();
    assert_eq!(distance, 10.0);
    order[place]
}

#[test]
fn ties_are_decided_by_the_game_here_and_by_spawning_elsewhere() {
    const ORDERS: [[usize; 3]; 3] = [[0, 1, 2], [2, 1, 0], [1, 2, 0]];
    let hits = crate::peer::ALL.map(|subject| ORDERS.map(|order| hit_in_order(subject, order)));
    println!("{hits:?}");
    assert_eq!(hits[0], [0, 0, 0]);
    for hits in &hits[1..] {
        assert!(hits.iter().any(|hit| *hit != hits[0]));
    }
}
