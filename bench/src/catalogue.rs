//! The workloads by name, and which of them a command line means.

/// Workloads that share what must be built run in one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Terrain1025,
    Terrain4097,
    Terrain8193,
    Heights,
    Edit,
    MeshSmall,
    MeshBig,
    BuildMeshSmall,
    BuildMeshBig,
    BuildTerrain1025,
    BuildTerrain4097,
    Boxes,
    Crowd,
    Characters,
    Ties,
    MovesTerrain,
    MovesMesh,
    Floors,
    Arcs,
    Viewshed1025,
    ViewshedHigh,
    Viewshed4097,
    View,
    World,
    WorldMoves,
    Convex,
    Turns,
}

#[derive(Debug, Clone, Copy)]
pub struct Workload {
    pub name: &'static str,
    /// The name in the list of what is to be measured; `T4` is that of the larger maps.
    pub family: &'static str,
    pub group: Group,
    /// Another name, for what is part of another list too; empty where there is none.
    pub alias: &'static str,
    /// Skipped by `--quick` unless it is named.
    pub is_extreme: bool,
}

const fn workload(name: &'static str, family: &'static str, group: Group) -> Workload {
    Workload {
        name,
        family,
        group,
        alias: "",
        is_extreme: false,
    }
}

const fn extreme(name: &'static str, family: &'static str, group: Group) -> Workload {
    Workload {
        is_extreme: true,
        ..workload(name, family, group)
    }
}

const fn also(alias: &'static str, workload: Workload) -> Workload {
    Workload { alias, ..workload }
}

/// All workloads, in the order of the table.
pub const WORKLOADS: [Workload; 103] = [
    workload("T1", "T1", Group::Terrain1025),
    workload("T2", "T2", Group::Terrain1025),
    workload("T3", "T3", Group::Terrain1025),
    workload("T3c", "T3c", Group::Terrain1025),
    extreme("T1-4097", "T4", Group::Terrain4097),
    extreme("T2-4097", "T4", Group::Terrain4097),
    extreme("T3-4097", "T4", Group::Terrain4097),
    extreme("T1-8193", "T4", Group::Terrain8193),
    extreme("T2-8193", "T4", Group::Terrain8193),
    workload("TH", "TH", Group::Heights),
    workload("THc", "THc", Group::Heights),
    workload("TR-3", "TR", Group::Heights),
    workload("TR-30", "TR", Group::Heights),
    workload("TR-300", "TR", Group::Heights),
    workload("TE", "TE", Group::Edit),
    workload("M1-small", "M1", Group::MeshSmall),
    extreme("M1-big", "M1", Group::MeshBig),
    workload("M2-small", "M2", Group::MeshSmall),
    extreme("M2-big", "M2", Group::MeshBig),
    workload("M3-small", "M3", Group::MeshSmall),
    extreme("M3-big", "M3", Group::MeshBig),
    workload("MB-small", "MB", Group::MeshSmall),
    workload("MB-small-2threads", "MB", Group::MeshSmall),
    extreme("MB-big", "MB", Group::MeshBig),
    extreme("MB-big-2threads", "MB", Group::MeshBig),
    workload("B1-small", "B1", Group::BuildMeshSmall),
    extreme("B1-big", "B1", Group::BuildMeshBig),
    workload("B1-terrain-1025", "B1", Group::BuildTerrain1025),
    extreme("B1-terrain-4097", "B1", Group::BuildTerrain4097),
    workload("L1-small", "L1", Group::MeshSmall),
    extreme("L1-big", "L1", Group::MeshBig),
    workload("L1-terrain", "L1", Group::Terrain1025),
    workload("A1", "A1", Group::Boxes),
    workload("A2", "A2", Group::Boxes),
    workload("S1", "S1", Group::Boxes),
    workload("A3", "A3", Group::Crowd),
    workload("A4-10k", "A4", Group::Crowd),
    workload("A4-100k", "A4", Group::Crowd),
    workload("A5", "A5", Group::Crowd),
    also("WR3-characters", workload("K1", "K1", Group::Characters)),
    workload("K2", "K2", Group::Characters),
    workload("K3", "K3", Group::Characters),
    workload("TIE-box-64", "TIE", Group::Ties),
    workload("TIE-box-256", "TIE", Group::Ties),
    extreme("TIE-box-2048", "TIE", Group::Ties),
    workload("TIE-box-wall", "TIE", Group::Ties),
    workload("TIE-ray-floor", "TIE", Group::Ties),
    workload("TIE-ray-strip", "TIE", Group::Ties),
    workload("TIE-ray-strip-all", "TIE", Group::Ties),
    workload("TIE-bounds", "TIE", Group::Ties),
    workload("TIE-equal-all", "TIE", Group::Ties),
    workload("TIE-giant-1km", "TIE", Group::Ties),
    workload("TIE-giant-1000km", "TIE", Group::Ties),
    workload("TIE-level-contacts", "TIE", Group::Ties),
    workload("TIE-level-leave", "TIE", Group::Ties),
    workload("TIE-level-each", "TIE", Group::Ties),
    workload("TIE-level-tilted", "TIE", Group::Ties),
    workload("TIE-level-viewshed", "TIE", Group::Ties),
    workload("TIE-far-apart", "TIE", Group::Ties),
    workload("W1-terrain", "W1", Group::MovesTerrain),
    workload("W2-terrain", "W2", Group::MovesTerrain),
    workload("W3-terrain", "W3", Group::MovesTerrain),
    workload("W1-mesh", "W1", Group::MovesMesh),
    workload("W2-mesh", "W2", Group::MovesMesh),
    workload("W3-mesh", "W3", Group::MovesMesh),
    workload("O1", "O1", Group::MovesMesh),
    workload("C1", "C1", Group::MovesMesh),
    workload("G1", "G1", Group::Arcs),
    workload("V1-1025", "V1", Group::Viewshed1025),
    workload("V1-1025-high", "V1", Group::ViewshedHigh),
    workload("V1-4097", "V1", Group::Viewshed4097),
    workload("view-frame-mesh", "view", Group::View),
    workload("view-frame-terrain", "view", Group::View),
    workload("view-frame-crowd", "view", Group::View),
    workload("FLAT-sphere", "FLAT", Group::Floors),
    workload("FLAT-box", "FLAT", Group::Floors),
    workload("FLAT-capsule", "FLAT", Group::Floors),
    workload("WR1-nearest", "WR1", Group::World),
    workload("WR1-any", "WR1", Group::World),
    workload("WR2-frame", "WR2", Group::WorldMoves),
    workload("WR2-update", "WR2", Group::WorldMoves),
    workload("WR3-capsules", "WR3", Group::WorldMoves),
    workload("WR4-cast-sphere", "WR4", Group::World),
    workload("WR4-cast-capsule", "WR4", Group::World),
    workload("WR4-overlap-sphere", "WR4", Group::World),
    workload("WR4-overlap-capsule", "WR4", Group::World),
    workload("WR5-camera", "WR5", Group::World),
    workload("WR6-build", "WR6", Group::World),
    workload("WR7-solids", "WR7", Group::WorldMoves),
    workload("H1-16", "H1", Group::Convex),
    workload("H1-64", "H1", Group::Convex),
    workload("H1-256", "H1", Group::Convex),
    workload("H2-terrain", "H2", Group::MovesTerrain),
    workload("H2-mesh", "H2", Group::MovesMesh),
    workload("H3", "H3", Group::Convex),
    workload("H4-1000", "H4", Group::Convex),
    workload("H4-100k", "H4", Group::Convex),
    workload("Y1-rays", "Y1", Group::Convex),
    workload("Y1-terrain", "Y1", Group::MovesTerrain),
    workload("D1", "D1", Group::Convex),
    workload("E1", "E1", Group::Convex),
    workload("N1-box", "N1", Group::Turns),
    workload("N1-capsule", "N1", Group::Turns),
];

/// The workloads that `patterns` mean, in the order of the table; all of them without patterns.
///
/// A pattern is a workload's name, the part before its size, or the beginning of several names.
pub fn select(patterns: &[String], is_quick: bool) -> Result<Vec<Workload>, String> {
    if patterns.is_empty() {
        let all = WORKLOADS.into_iter();
        return Ok(all
            .filter(|workload| !(is_quick && workload.is_extreme))
            .collect());
    }
    for pattern in patterns {
        if !WORKLOADS.iter().any(|workload| means(pattern, workload)) {
            let names: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
            let names = names.join(" ");
            return Err(format!(
                "no workload is called {pattern}; there are: T4 {names}"
            ));
        }
    }
    let is_meant = |workload: &Workload| patterns.iter().any(|pattern| means(pattern, workload));
    Ok(WORKLOADS.into_iter().filter(is_meant).collect())
}

/// The workloads' names by group, in the order of each group's first.
pub fn grouped(workloads: &[Workload]) -> Vec<(String, Vec<&'static str>)> {
    let mut groups: Vec<(String, Vec<&'static str>)> = Vec::new();
    for workload in workloads {
        let group = format!("{:?}", workload.group);
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, names)) => names.push(workload.name),
            None => groups.push((group, vec![workload.name])),
        }
    }
    groups
}

fn means(pattern: &str, workload: &Workload) -> bool {
    let is_one = |other: &Workload| [other.name, other.family].contains(&pattern);
    // A family's name also begins the other names of what belongs to it.
    workload.alias.starts_with(pattern)
        || if WORKLOADS.iter().any(is_one) {
            is_one(workload)
        } else {
            workload.name.starts_with(pattern)
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(patterns: &[&str], is_quick: bool) -> Vec<&'static str> {
        let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
        let selected = select(&patterns, is_quick).unwrap();
        selected.iter().map(|workload| workload.name).collect()
    }

    #[test]
    fn a_name_means_itself_and_its_sizes() {
        assert_eq!(names(&["T1"], false), ["T1"]);
        assert_eq!(names(&["T3c"], false), ["T3c"]);
        assert_eq!(names(&["M1", "T1"], true), ["T1", "M1-small", "M1-big"]);
        assert_eq!(names(&["TH"], false), ["TH"]);
        assert_eq!(names(&["M1-s"], false), ["M1-small"]);
        assert_eq!(names(&["T4"], false).len(), 5);
        assert!(select(&["Q7".to_owned()], false).is_err());
    }

    #[test]
    fn a_row_of_two_lists_is_in_both() {
        assert_eq!(names(&["WR3"], true), ["K1", "WR3-capsules"]);
        assert_eq!(names(&["K1"], true), ["K1"]);
        assert!(names(&["WR"], true).contains(&"K1") && !names(&["T1"], true).contains(&"K1"));
    }

    #[test]
    fn without_names_all_run_and_quickly_all_but_the_extremes() {
        assert_eq!(names(&[], false).len(), WORKLOADS.len());
        let quick = names(&[], true);
        assert!(quick.contains(&"M1-small") && !quick.contains(&"M1-big"));
    }
}
