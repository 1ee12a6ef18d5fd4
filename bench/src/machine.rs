//! The machine: what it is, and holding a run to one of its cores.

use crate::{peers, versions};
use std::fs;

/// Holds this thread, and those it starts, to the last core, which is the least interrupted.
pub fn pin() -> Result<(), String> {
    let core = core_affinity::get_core_ids().and_then(|cores| cores.last().copied());
    let is_pinned = core.is_some_and(core_affinity::set_for_current);
    is_pinned
        .then_some(())
        .ok_or("the thread cannot be pinned to a core".to_owned())
}

/// The machine and the versions of what ran, as a Markdown list.
pub fn description() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = read("/proc/sys/kernel/osrelease");
    let own = versions::with_name("hitscan");
    let all: Vec<String> = [own].into_iter().chain(peers::titles()).collect();
    let lines = [
        format!("CPU: {}, {cores} cores", processor()),
        format!("caches: {}", caches()),
        format!("kernel: {kernel}"),
        format!("rustc: {}", env!("HITSCAN_BENCH_RUSTC")),
        format!("versions: {}", all.join(", ")),
    ];
    lines.map(|line| format!("- {line}\n")).concat()
}

fn processor() -> String {
    let info = read("/proc/cpuinfo");
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let name = field("model name").unwrap_or("unknown".to_owned());
    let flags = field("flags").unwrap_or_default();
    let widest = ["avx512f", "avx2", "sse4_2"]
        .into_iter()
        .find(|flag| flags.split(' ').any(|found| found == *flag));
    let (family, model) = (field("cpu family"), field("model\t"));
    let number = |field: Option<String>| field.unwrap_or("?".to_owned());
    let (family, model) = (number(family), number(model));
    format!(
        "{name} (family {family}, model {model}, {})",
        widest.unwrap_or("no AVX")
    )
}

/// Level, kind and size of each cache of the first core.
fn caches() -> String {
    let folder = "/sys/devices/system/cpu/cpu0/cache";
    let found: Vec<String> = (0..8)
        .map(|index| {
            let part = |name: &str| read(&format!("{folder}/index{index}/{name}"));
            (part("level"), part("type"), part("size"))
        })
        .filter(|(level, _, _)| !level.is_empty())
        .map(|(level, kind, size)| format!("L{level} {} {size}", kind.to_lowercase()))
        .collect();
    found.join(", ")
}

fn read(file: &str) -> String {
    fs::read_to_string(file)
        .unwrap_or_default()
        .trim()
        .to_owned()
}
