//! The demo's robot: its nodes, its skin and its file.
//!
//! Limbs are rigid parts of nodes, the tail is a skin over five joints, the mouth has a morph target
//! that smiles.

use crate::glb::Glb;
use crate::rig::{
    HIPS, LEG, REST_SMILE, Rig, SHIN, TAIL, TAIL_JOINTS, TAIL_STEP, THIGH, UPPER_ARM,
};
use crate::solid::Solid;
use crate::{body, walk};
use glam::{DMat4, DVec3};

/// The colours of the robot's file, as numbers of materials.
struct Paint {
    shell: usize,
    dark: usize,
    light: usize,
    glow: usize,
}

/// The demo's robot as the bytes of a binary glTF file.
///
/// It is about two metres tall, its feet on y = 0, faces +z and has its left at +x. Its clips are
/// "Walk", of one second, and "Wave", of two.
///
/// The crate's documentation has an example.
#[must_use]
pub fn robot_glb() -> Vec<u8> {
    // Nodes, and so parts, come in pairs that look alike, because pictures colour parts in pairs.
    let mut file = Glb::default();
    let paint = Paint {
        shell: file.material("Shell", [0.74, 0.20, 0.02], 0.45),
        dark: file.material("Joints", [0.035, 0.04, 0.05], 0.6),
        light: file.material("Trim", [0.75, 0.72, 0.66], 0.5),
        glow: file.material("Light", [0.10, 0.75, 0.85], 0.3),
    };
    let root = file.node("Robot", DVec3::ZERO);
    let add = |file: &mut Glb, parent, name: &str, at: [f64; 3], solid: &Solid, material| {
        let mesh = file.mesh(name, solid, material);
        part(file, parent, name, at.into(), mesh)
    };
    let hips = add(
        &mut file,
        root,
        "Hips",
        HIPS.to_array(),
        &body::pelvis(),
        paint.shell,
    );
    let torso = add(
        &mut file,
        hips,
        "Torso",
        [0.0, 0.09, 0.0],
        &body::trunk(),
        paint.shell,
    );
    let head = add(
        &mut file,
        torso,
        "Head",
        [0.0, 0.56, 0.0],
        &body::skull(),
        paint.light,
    );
    add(
        &mut file,
        torso,
        "Core",
        [0.0, 0.33, 0.16],
        &body::core(),
        paint.glow,
    );

    let thigh = file.mesh("Thigh", &body::thigh(), paint.dark);
    let thighs = pair(&mut file, [hips; 2], "Thigh", LEG, thigh);
    let shin = file.mesh("Shin", &body::shin(), paint.shell);
    let knee = DVec3::new(0.0, -THIGH, 0.0);
    let shins = pair(&mut file, thighs, "Shin", knee, shin);
    let upper_arm = file.mesh("UpperArm", &body::upper_arm(), paint.shell);
    let shoulder = DVec3::new(0.325, 0.44, 0.0);
    let upper_arms = pair(&mut file, [torso; 2], "UpperArm", shoulder, upper_arm);
    let forearm = file.mesh("Forearm", &body::forearm(), paint.light);
    let elbow = DVec3::new(0.0, -UPPER_ARM, 0.0);
    let forearms = pair(&mut file, upper_arms, "Forearm", elbow, forearm);

    let [antenna, left_eye, right_eye] = add_face(&mut file, head, &paint);
    let foot = file.mesh("Foot", &body::foot(), paint.shell);
    let ankle = DVec3::new(0.0, -SHIN, 0.0);
    let feet = pair(&mut file, shins, "Foot", ankle, foot);
    let mouth = add_mouth(&mut file, head, &paint);
    let (tail_mesh, tail) = add_tail(&mut file, hips, &paint);
    let rig = Rig {
        hips,
        torso,
        head,
        eyes: [left_eye, right_eye],
        mouth,
        antenna,
        upper_arms,
        forearms,
        thighs,
        shins,
        feet,
        tail,
    };
    walk::add_clips(&mut file, &rig);
    file.finish(&[root, tail_mesh])
}

/// Adds what is on the head: antenna, left and right eye, and the glass behind them.
fn add_face(file: &mut Glb, head: usize, paint: &Paint) -> [usize; 3] {
    let visor = file.mesh("Visor", &body::visor(), paint.dark);
    part(file, head, "Visor", DVec3::ZERO, visor);
    let mast = file.mesh("Antenna", &body::antenna(), paint.dark);
    let on_top = DVec3::new(0.09, 0.35, -0.03);
    let antenna = part(file, head, "Antenna", on_top, mast);
    let eye = file.mesh("Eye", &body::eye(), paint.glow);
    let in_front = DVec3::new(0.066, 0.235, 0.172);
    let [left, right] = pair(file, [head; 2], "Eye", in_front, eye);
    [antenna, left, right]
}

/// Adds the mouth, whose morph target smiles.
fn add_mouth(file: &mut Glb, head: usize, paint: &Paint) -> usize {
    let lips = body::lips();
    let smile = body::smile(&lips);
    let mesh = file.morphed_mesh("Mouth", &lips, paint.light, &smile, REST_SMILE);
    part(file, head, "Mouth", DVec3::new(0.0, 0.143, 0.175), mesh)
}

/// Adds a node with a mesh under `parent`.
fn part(file: &mut Glb, parent: usize, name: &str, at: DVec3, mesh: usize) -> usize {
    let node = file.node(name, at);
    file.set_mesh(node, mesh);
    file.add_child(parent, node);
    node
}

/// Adds a mesh on the left, `at` in its parent's space, and on the right, mirrored in place.
fn pair(file: &mut Glb, parents: [usize; 2], name: &str, at: DVec3, mesh: usize) -> [usize; 2] {
    let [left, right] = parents;
    let mirrored = DVec3::new(-at.x, at.y, at.z);
    [
        part(file, left, &format!("Left{name}"), at, mesh),
        part(file, right, &format!("Right{name}"), mirrored, mesh),
    ]
}

/// Adds the tail: a tube straight behind the hips, bound to a chain of joints.
///
/// Returns the node of the tube, a root because only joints move a skin, and the joints.
fn add_tail(file: &mut Glb, hips: usize, paint: &Paint) -> (usize, Vec<usize>) {
    let start = HIPS + TAIL;
    let length = f64::from(TAIL_JOINTS) * TAIL_STEP;
    let tube = body::tail(start, length);
    let (joints, weights): (Vec<_>, Vec<_>) = tube
        .positions
        .iter()
        .map(|p| influences((start.z - p.z) / TAIL_STEP))
        .unzip();
    let mesh = file.skinned_mesh("Tail", &tube, paint.light, &joints, &weights);
    let skinned = file.node("Tail", DVec3::ZERO);
    file.set_mesh(skinned, mesh);

    let mut chain = Vec::new();
    let mut inverse_bind = Vec::new();
    let (mut parent, mut offset) = (hips, TAIL);
    for joint in 0..TAIL_JOINTS {
        let node = file.node(&format!("Tail{joint}"), offset);
        file.set_rotation(node, walk::tail_at_rest(joint));
        file.add_child(parent, node);
        chain.push(node);
        // In the bind pose the tail is straight and no joint is rotated.
        let bound = start - DVec3::Z * (f64::from(joint) * TAIL_STEP);
        inverse_bind.push(DMat4::from_translation(-bound));
        (parent, offset) = (node, DVec3::new(0.0, 0.0, -TAIL_STEP));
    }
    let skin = file.skin("Tail", &chain, &inverse_bind);
    file.set_skin(skinned, skin);
    (skinned, chain)
}

/// The joints that move the point `along` the tail, counted in joints, and their weights.
///
/// Midway between two joints the first has all the weight; from there it passes smoothly to the
/// next.
fn influences(along: f64) -> ([u16; 4], [f32; 4]) {
    let last = f64::from(TAIL_JOINTS - 1);
    let position = (along - 0.5).clamp(0.0, last);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of joints"
    )]
    let joint = position as u16;
    let fraction = position - f64::from(joint);
    #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
    let next = (fraction * fraction * (3.0 - 2.0 * fraction)) as f32;
    if next > 0.0 {
        ([joint, joint + 1, 0, 0], [1.0 - next, next, 0.0, 0.0])
    } else {
        ([joint, 0, 0, 0], [1.0, 0.0, 0.0, 0.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_pass_smoothly_from_joint_to_joint() {
        assert_eq!(influences(-1.0), ([0, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
        assert_eq!(influences(1.0), ([0, 1, 0, 0], [0.5, 0.5, 0.0, 0.0]));
        assert_eq!(influences(9.0), ([4, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
    }

    #[test]
    fn the_file_is_read_and_complete() {
        // The `gltf` crate validates what it reads.
        let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&robot_glb()).unwrap();
        let buffer = blob.unwrap();
        let names: Vec<_> = document
            .animations()
            .filter_map(|clip| clip.name())
            .collect();
        assert_eq!(names, ["Walk", "Wave"]);
        assert_eq!(document.skins().count(), 1);
        let parts: Vec<_> = document
            .nodes()
            .filter(|node| node.mesh().is_some())
            .collect();
        assert_eq!(parts.len(), 20);
        let triangles: usize = parts
            .iter()
            .filter_map(gltf::Node::mesh)
            .flat_map(|mesh| mesh.primitives().collect::<Vec<_>>())
            .filter_map(|primitive| {
                let reader = primitive.reader(|_| Some(buffer.as_slice()));
                reader
                    .read_indices()
                    .map(|indices| indices.into_u32().count() / 3)
            })
            .sum();
        assert!((500..=3000).contains(&triangles), "{triangles} triangles");
    }

    #[test]
    fn the_file_is_the_same_each_time() {
        assert_eq!(robot_glb(), robot_glb());
    }
}
