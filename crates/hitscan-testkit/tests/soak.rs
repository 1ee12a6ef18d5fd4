//! Some seconds of the soak; `cargo xtask soak` runs it for minutes.

use hitscan_testkit::rounds;
use hitscan_testkit::soak::Soak;

#[test]
fn a_changing_world_answers_right_from_two_threads_and_keeps_its_size() {
    let mut soak = Soak::new(0x50A4, rounds(24));
    for _ in 0..320 {
        soak.frame();
    }
    println!("{}", soak.summary());
    assert!(soak.hits() > rounds(1_000) as u64, "{}", soak.summary());
    assert_eq!(soak.is_memory_flat(), Some(true), "{}", soak.summary());
}
