//! The invariants of a tree, checked on ordinary and on degenerate boxes.

use super::*;
use crate::test_rng::Rng;
use glam::Vec3;

const TRIANGLES: LeafRule<'_> = LeafRule {
    size: LeafSize {
        lanes: 4,
        most: 4,
        whole: 2,
    },
    is_leaf: &|_| false,
};
const OBJECTS: LeafRule<'_> = LeafRule {
    size: LeafSize {
        lanes: 1,
        most: 8,
        whole: 1,
    },
    is_leaf: &|_| false,
};
/// Some of what is few becomes a leaf whatever its cost.
const BLOCKS: LeafRule<'_> = LeafRule {
    size: LeafSize {
        lanes: 1,
        most: 2,
        whole: 2,
    },
    is_leaf: &fits_a_block,
};

fn fits_a_block(items: &[u32]) -> bool {
    items.len() <= 2 || items.iter().all(|item| item % 5 != 0)
}

const PRESETS: [BuildPreset; 3] = [BuildPreset::Fast, BuildPreset::Balanced, BuildPreset::Tight];
/// The deepest tree that any input makes: what is split with care, then halved.
const MAX_DEPTH: usize = 48 + 31;

/// Boxes at random, the same each time.
fn cloud(count: usize, spread: f32, size: f32) -> Vec<Aabb> {
    let mut rng = Rng(1);
    let mut vector = || Vec3::from_array([(); 3].map(|()| rng.uniform_f32(0.0, 1.0)));
    let boxes = (0..count).map(|_| {
        let corner = (vector() - 0.5) * spread;
        Aabb::new(corner, corner + vector() * size).unwrap()
    });
    boxes.collect()
}

fn nasty() -> Vec<(&'static str, Vec<Aabb>)> {
    let at = |min: [f32; 3], max: [f32; 3]| Aabb::new(min, max).unwrap();
    let line = (0u16..3000).map(|i| f32::from(i) * 0.1);
    let mut teapot_in_a_stadium = cloud(80_000, 1.0, 0.01);
    teapot_in_a_stadium.push(at([-1e18; 3], [1e18; 3]));
    vec![
        ("none", Vec::new()),
        ("one", cloud(1, 1.0, 1.0)),
        ("two", cloud(2, 1.0, 1.0)),
        ("few", cloud(17, 1.0, 1.0)),
        ("a cloud", cloud(5000, 100.0, 1.0)),
        ("many", cloud(70_000, 100.0, 0.5)),
        ("equal boxes", vec![at([1.0; 3], [2.0; 3]); 20_000]),
        ("equal points", vec![at([-3.0; 3], [-3.0; 3]); 33]),
        (
            "nested boxes",
            line.clone().map(|x| at([-x; 3], [x; 3])).collect(),
        ),
        (
            "points on a line",
            line.clone()
                .map(|x| at([x, 0.0, 0.0], [x, 0.0, 0.0]))
                .collect(),
        ),
        (
            "flat boxes",
            line.map(|x| at([x, 0.0, -x], [x + 1.0, 0.0, x])).collect(),
        ),
        ("huge boxes", cloud(3000, 1.7e18, 1e17)),
        ("tiny boxes", cloud(3000, 1e-36, 1e-38)),
        ("a teapot in a stadium", teapot_in_a_stadium),
        (
            "both zeros",
            vec![at([-0.0; 3], [0.0; 3]), at([0.0; 3], [0.0; 3])],
        ),
    ]
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap()
}

fn bounds_of(items: impl IntoIterator<Item = Aabb>) -> ([f32; 3], [f32; 3]) {
    let all = items.into_iter().reduce(|a, b| a.union(&b)).unwrap();
    (all.min().to_array(), all.max().to_array())
}

fn check(name: &str, bounds: &[Aabb], tree: &BinaryTree, leaf: LeafRule<'_>) {
    let mut items = tree.items.clone();
    items.sort_unstable();
    assert!(
        items.into_iter().eq(0..number(bounds.len())),
        "{name}: each item once"
    );
    assert_eq!(tree.nodes.is_empty(), bounds.is_empty(), "{name}");
    let mut covered = 0;
    let mut waiting: Vec<(usize, usize)> =
        (!bounds.is_empty()).then_some((0, 0)).into_iter().collect();
    while let Some((index, depth)) = waiting.pop() {
        assert!(depth <= MAX_DEPTH, "{name}: too deep");
        let node = tree.nodes[index];
        let first = node.index as usize;
        let expected = if node.count > 0 {
            let count = node.count as usize;
            let items = &tree.items[first..first + count];
            let may_be = count <= leaf.size.most || count <= LEAF_ITEMS && (leaf.is_leaf)(items);
            assert!(may_be, "{name}: a leaf of {count}");
            covered += count;
            bounds_of(
                tree.items[first..first + count]
                    .iter()
                    .map(|item| bounds[*item as usize]),
            )
        } else {
            assert!(first > index, "{name}: children follow their parents");
            waiting.extend([(first, depth + 1), (first + 1, depth + 1)]);
            let child = |index: usize| Aabb::new(tree.nodes[index].min, tree.nodes[index].max);
            bounds_of([child(first).unwrap(), child(first + 1).unwrap()])
        };
        assert_eq!((node.min, node.max), expected, "{name}: node {index}");
    }
    assert_eq!(covered, bounds.len(), "{name}: leaves cover the items");
}

#[test]
fn trees_hold_every_item_once_in_tight_boxes() {
    for (name, bounds) in nasty() {
        for preset in PRESETS {
            for leaf in [TRIANGLES, OBJECTS, BLOCKS] {
                check(
                    name,
                    &bounds,
                    &build_binary(&bounds, preset, leaf, Cancel::NEVER).unwrap(),
                    leaf,
                );
            }
        }
    }
}

#[test]
fn leaves_are_not_split() {
    let bounds = cloud(5000, 100.0, 1.0);
    let tree = build_binary(&bounds, BuildPreset::Balanced, BLOCKS, Cancel::NEVER).unwrap();
    for node in tree.nodes.iter().filter(|node| node.count == 0) {
        let [a, b] = [0, 1].map(|child| tree.nodes[node.index as usize + child]);
        let count = (a.count + b.count) as usize;
        if a.count > 0 && b.count > 0 && count <= LEAF_ITEMS {
            let items = &tree.items[a.index as usize..][..count];
            assert!(!fits_a_block(items), "{items:?}");
        }
    }
}

#[test]
fn every_width_builds_the_same_tree() {
    for (name, bounds) in nasty() {
        for preset in PRESETS {
            let expected = build_binary(&bounds, preset, TRIANGLES, Cancel::NEVER).unwrap();
            for width in Width::available() {
                let tree = build_with(&bounds, preset, TRIANGLES, (width, Cancel::NEVER)).unwrap();
                assert_eq!(tree, expected, "{name} {preset:?} {width:?}");
            }
        }
    }
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_builds_the_same_tree() {
    let bounds = cloud(150_000, 100.0, 0.5);
    let with_threads = |threads: usize, preset| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| build_binary(&bounds, preset, TRIANGLES, Cancel::NEVER).unwrap())
    };
    for preset in PRESETS {
        assert_eq!(
            with_threads(1, preset),
            with_threads(5, preset),
            "{preset:?}"
        );
    }
}

/// The expected number of tests of a ray that hits the root: inner nodes and leaves' blocks.
fn cost(tree: &BinaryTree, lanes: u32) -> f64 {
    let root = tree.nodes[0].half_area();
    let tests = |node: &BinaryNode| node.count.div_ceil(lanes).max(1);
    tree.nodes
        .iter()
        .map(|node| node.half_area() / root * f64::from(tests(node)))
        .sum()
}

#[test]
fn trees_are_far_better_than_halving() {
    let bounds = cloud(30_000, 100.0, 0.5);
    let halved = halve(&bounds);
    for preset in PRESETS {
        let built = cost(
            &build_binary(&bounds, preset, TRIANGLES, Cancel::NEVER).unwrap(),
            4,
        );
        assert!(built < 0.7 * cost(&halved, 4), "{preset:?}: {built}");
    }
}

/// Items sorted along x and halved by count.
fn halve(bounds: &[Aabb]) -> BinaryTree {
    let mut items: Vec<u32> = (0..number(bounds.len())).collect();
    items.sort_by(|a, b| {
        bounds[*a as usize]
            .min()
            .x
            .total_cmp(&bounds[*b as usize].min().x)
    });
    let node = |range: &[u32], index, count| {
        let (min, max) = bounds_of(range.iter().map(|item| bounds[*item as usize]));
        BinaryNode {
            min,
            index,
            max,
            count,
        }
    };
    let mut nodes = vec![node(&items, 0, 0)];
    let mut waiting = vec![(0, 0, items.len())];
    while let Some((index, from, to)) = waiting.pop() {
        let count = to - from;
        if count <= 4 {
            nodes[index] = node(&items[from..to], number(from), number(count));
            continue;
        }
        let middle = from + count / 2;
        nodes[index].index = number(nodes.len());
        for (from, to) in [(from, middle), (middle, to)] {
            waiting.push((nodes.len(), from, to));
            nodes.push(node(&items[from..to], 0, 0));
        }
    }
    BinaryTree { nodes, items }
}
