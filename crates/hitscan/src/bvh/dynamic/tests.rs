//! The dynamic tree against a linear search.

use super::{ChildSlot, MovingTree, NOTHING};
use crate::Aabb;
use crate::bvh::TraversalQuery;
use crate::bvh::node::ChildKind;
use crate::test_rng::Rng;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// Small whole numbers, from a fixed seed.
struct Draw(Rng);

impl Draw {
    fn below(&mut self, end: u16) -> u16 {
        u16::try_from(self.0.below(end.into())).unwrap()
    }

    /// A box on a lattice, so that faces are shared; one in four is flat.
    fn aabb(&mut self, room: u16) -> Aabb {
        let min = Vec3::from_array([(); 3].map(|()| f32::from(self.below(room))));
        let flat = self.below(12);
        let size = Vec3::from_array([0, 1, 2].map(|axis| {
            if flat == axis {
                0.0
            } else {
                0.5 * f32::from(1 + self.below(4))
            }
        }));
        Aabb::new(min, min + size).unwrap()
    }
}

fn found(tree: &super::Bvh, query: &Aabb) -> Vec<u32> {
    let mut found = Vec::new();
    let _ = tree.touching((query.min().as_dvec3(), query.max().as_dvec3()), |item| {
        found.push(item);
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    found
}

fn searched(list: &[Option<Aabb>], query: &Aabb) -> Vec<u32> {
    (0..)
        .zip(list)
        .filter(|(_, item)| item.is_some_and(|item| item.touches(query)))
        .map(|(number, _)| number)
        .collect()
}

/// Boxes are tight, slots are right, every item occurs once, and the cost is that of the boxes.
fn check(tree: &MovingTree, list: &[Option<Aabb>]) {
    let present = list.iter().filter(|item| item.is_some()).count();
    assert_eq!(tree.count, present);
    let nodes = &tree.tree.nodes;
    let mut seen = vec![false; list.len()];
    let mut total = 0.0;
    let mut used = 0;
    let mut waiting = if nodes.is_empty() {
        vec![]
    } else {
        vec![(0, ChildSlot::NOWHERE)]
    };
    while let Some((index, hangs)) = waiting.pop() {
        used += 1;
        assert_eq!(tree.parents[index as usize], hangs);
        assert_eq!(tree.stale[index as usize], 0);
        let node = &nodes[index as usize];
        assert!(index == 0 || node.len() >= 2);
        let all = (0..node.len()).fold(NOTHING, |all, place| all.union(&node.bounds_at(place)));
        assert_eq!(tree.bounds_of_node(index), all);
        total += tree.cost.of(&all);
        for place in node.len()..8 {
            assert_eq!(node.bounds_at(place), NOTHING);
        }
        for (place, child) in (0..).zip(&node.children[..node.len()]) {
            let at = ChildSlot { node: index, place };
            match child.kind() {
                ChildKind::Node(child) => waiting.push((child, at)),
                ChildKind::Leaf(item) => {
                    assert!(!core::mem::replace(&mut seen[item as usize], true));
                    assert_eq!(tree.items[item as usize].place, at);
                    assert_eq!(Some(node.bounds_at(place as usize)), list[item as usize]);
                }
            }
        }
    }
    assert_eq!(used + tree.free.len(), nodes.len());
    for (seen, item) in seen.iter().zip(list) {
        assert_eq!(*seen, item.is_some());
    }
    assert!(
        (tree.cost.total - total).abs() <= 1e-9 * total,
        "{} {total}",
        tree.cost.total
    );
}

#[test]
fn an_edited_tree_finds_what_brute_force_finds() {
    for (seed, most_changes) in [(1, 3), (2, 20), (3, 60), (4, 300), (5, 2000)] {
        let mut draw = Draw(Rng(seed));
        let mut tree = MovingTree::default();
        let mut list: Vec<Option<Aabb>> = vec![None; 1200];
        let mut past: Option<(Arc<super::Bvh>, Vec<Option<Aabb>>)> = None;
        for round in 0..120 {
            let room = if round % 40 < 20 { 30 } else { 5 };
            for _ in 0..draw.below(most_changes) {
                let item = draw.below(1200);
                let bounds = match draw.below(5) {
                    0 => None,
                    _ => Some(draw.aabb(room)),
                };
                tree.set(item.into(), bounds);
                list[usize::from(item)] = bounds;
            }
            tree.update();
            check(&tree, &list);
            for _ in 0..10 {
                let query = draw.aabb(room);
                assert_eq!(found(tree.tree(), &query), searched(&list, &query));
            }
            // Trees that were kept stay as they were.
            if let Some((kept, then)) = &past {
                let query = draw.aabb(room);
                assert_eq!(found(kept, &query), searched(then, &query));
            }
            if round % 7 == 0 {
                past = Some((Arc::clone(tree.tree()), list.clone()));
            }
        }
    }
}

#[test]
fn all_items_can_be_moved_and_removed() {
    let mut draw = Draw(Rng(7));
    let mut tree = MovingTree::default();
    let mut list = vec![None; 3000];
    for round in 0..30 {
        for item in 0..3000u16 {
            let moved = (round < 25).then(|| draw.aabb(20 + round));
            tree.set(item.into(), moved);
            list[usize::from(item)] = moved;
        }
        tree.update();
        check(&tree, &list);
    }
    assert!(tree.tree().bounds().is_none());
    tree.set(5, None);
    tree.set(1_000_000, None);
    tree.update();
    check(&tree, &list);
}

#[test]
fn equal_boxes_that_come_one_by_one_make_no_deep_tree() {
    let mut tree = MovingTree::default();
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let mut list = Vec::new();
    for item in 0..5000 {
        tree.set(item, Some(unit));
        list.push(Some(unit));
        tree.update();
    }
    check(&tree, &list);
    let depth = |mut place: ChildSlot| {
        let steps = core::iter::from_fn(|| {
            place = tree.parents[place.node as usize];
            (place != ChildSlot::NOWHERE).then_some(())
        });
        steps.count()
    };
    let deepest = tree.items.iter().map(|item| depth(item.place)).max();
    assert!(deepest <= Some(12), "{deepest:?}");
}

#[test]
fn a_tree_whose_items_all_moved_costs_as_much_as_a_new_one() {
    let mut draw = Draw(Rng(9));
    let mut boxes: Vec<Aabb> = (0..4000).map(|_| draw.aabb(40)).collect();
    let mut tree = MovingTree::default();
    for round in 0..60u16 {
        for (item, own) in (0..).zip(&mut boxes) {
            let step = Vec3::from_array([(); 3].map(|()| f32::from(draw.below(3)) - 1.0));
            // Half of the rounds move everything, half one in twenty.
            if round % 2 == 0 || draw.below(20) == 0 {
                *own = Aabb::new(own.min() + step, own.max() + step).unwrap();
                tree.set(item, Some(*own));
            }
        }
        tree.update();
    }
    let mut fresh = MovingTree::default();
    for (item, own) in (0..).zip(&boxes) {
        fresh.set(item, Some(*own));
    }
    fresh.update();
    assert!(tree.cost.total < 1.5 * fresh.cost.total);
    // A cast hits every box that it must.
    let query = TraversalQuery::moving_box(
        (DVec3::splat(-9.0), DVec3::splat(-8.0)),
        DVec3::ONE,
        (0.0, 60.0),
    );
    let touched = |tree: &MovingTree| {
        let mut touched = Vec::new();
        let _ = tree.tree().cast(&query, f32::INFINITY, |item| {
            touched.push(item);
            ControlFlow::Continue(f32::INFINITY)
        });
        touched.sort_unstable();
        touched
    };
    assert_eq!(touched(&tree), touched(&fresh));
    assert!(!touched(&tree).is_empty());
}

#[test]
fn an_update_without_changes_keeps_the_tree() {
    let mut draw = Draw(Rng(11));
    let mut tree = MovingTree::default();
    let boxes: Vec<Aabb> = (0..500).map(|_| draw.aabb(20)).collect();
    for _ in 0..2 {
        for (item, own) in (0..).zip(&boxes) {
            tree.set(item, Some(*own));
        }
        assert_eq!(tree.changed.len(), if tree.count == 0 { 500 } else { 0 });
        tree.update();
    }
    let before = Arc::clone(tree.tree());
    tree.update();
    assert!(Arc::ptr_eq(&before, tree.tree()));
}
