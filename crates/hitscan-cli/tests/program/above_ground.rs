//! Metres above the ground in place of a y, in every table that has positions: the answers are those
//! of the equivalent y.

use crate::{Folder, RAMP};

/// A slope of 0.5 along x, from 0 to 2 m, with a ball over it.
fn ramp() -> Folder {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = 'ramp'\nheights = 'ramp.asc'\n\
         [[sphere]]\nname = 'ball'\ncenter = [1, 3, 1]\nradius = 0.5\n",
    );
    folder.write("ramp.asc", RAMP);
    folder
}

/// The columns of the answers alone, with a prefix.
fn answers(folder: &Folder, arguments: &[&str], table: &str) -> Vec<String> {
    folder.write("table.csv", table);
    let prefix = ["table.csv", "--prefix", "answer_"];
    let arguments = [&arguments[..1], &["scene.toml"], &prefix, &arguments[1..]].concat();
    let run = folder.run(&arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    let carried = table.lines().next().unwrap().split(',').count();
    let answer = |line: &str| line.split(',').skip(carried).collect::<Vec<_>>().join(",");
    run.stdout.lines().map(answer).collect()
}

#[test]
fn a_y_may_be_above_the_ground() {
    let folder = ramp();
    for (arguments, above, plain) in [
        (
            &["closest"][..],
            "px,py_above,pz\n1,0.75,1\n2,1,0\n",
            "px,py,pz\n1,1.25,1\n2,2,0\n",
        ),
        (
            &["overlap", "--shape", "sphere"],
            "cx,cy_above,cz,radius\n2,0.25,1,0.5\n1,2.5,1,0.5\n",
            "cx,cy,cz,radius\n2,1.25,1,0.5\n1,3,1,0.5\n",
        ),
        (
            &["overlap", "--shape", "capsule"],
            "ax,ay_above,az,bx,by_above,bz,radius\n1,1,1,3,2,1,0.5\n",
            "ax,ay,az,bx,by,bz,radius\n1,1.5,1,3,3.5,1,0.5\n",
        ),
        (
            &["sweep"],
            "min_x,min_y_above,min_z,max_x,max_y_above,max_z,dx,dy,dz\n1,2,0,3,3,2,0,-9,0\n",
            "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n1,3,0,3,4,2,0,-9,0\n",
        ),
        (
            &["sweep", "--shape", "obb"],
            "cx,cy_above,cz,half_x,half_y,half_z,qx,qy,qz,qw,dx,dy,dz\n2,2,1,1,1,1,0,0,0,1,0,-9,0\n",
            "cx,cy,cz,half_x,half_y,half_z,qx,qy,qz,qw,dx,dy,dz\n2,3,1,1,1,1,0,0,0,1,0,-9,0\n",
        ),
    ] {
        let found = answers(&folder, arguments, above);
        assert_eq!(found, answers(&folder, arguments, plain), "{arguments:?}");
        assert!(!found.concat().contains("invalid"), "{found:?}");
    }
}

#[test]
fn off_the_ground_there_is_no_above() {
    let folder = ramp();
    folder.write("points.csv", "px,py_above,pz\n9,1,1\n");
    let run = folder.run(&["closest", "scene.toml", "points.csv"]);
    assert!(run.stdout.contains(",invalid,"), "{}", run.stdout);
    assert!(
        run.stderr.contains("`py_above` has no ground"),
        "{}",
        run.stderr
    );
}

#[test]
fn eyes_and_targets_are_above_the_ground() {
    let folder = ramp();
    folder.write("eyes.csv", "x,y_above,z\n0,1,1\n");
    folder.write("targets.csv", "x,y,z\n2,2,1\n2,0.5,1\n");
    let plain = folder
        .run(&["sight", "scene.toml", "eyes.csv", "targets.csv"])
        .stdout;
    assert_eq!(plain, "eye,target,status\n0,0,visible\n0,1,blocked\n");
    folder.write("targets.csv", "x,y_above,z\n2,1,1\n2,-0.5,1\n9,1,1\n");
    let run = folder.run(&["sight", "scene.toml", "eyes.csv", "targets.csv"]);
    assert_eq!(run.stdout, format!("{plain}0,2,invalid\n"));
    assert!(run.stderr.contains("targets.csv, line 4"), "{}", run.stderr);
}
