//! Some seconds of the soak; `cargo xtask soak` runs it for minutes.

use hitscan_testkit::soak::Soak;

#[test]
fn a_changing_world_answers_right_from_two_threads_and_keeps_its_size() {
    let mut soak = Soak::new(0x50A4);
    for _ in 0..320 {
        soak.frame();
    }
    println!("{}", soak.summary());
    assert!(soak.hits() > 1_000, "{}", soak.summary());
    assert_eq!(soak.is_memory_flat(), Some(true), "{}", soak.summary());
}
