//! Reads any bytes as a law: problems are fine, a panic or a hang is not.
#![no_main]

use flow::{Bounds, Format, Law, Machine, Name, Overrides};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(law) = Law::read_bytes(bytes) else { return };
    let _ = flow::check(&law, None, &Overrides::new(), Bounds { configurations: 5_000 });
    if let Ok(machine) = Machine::bind(&law, None, &Overrides::new()) {
        for format in Format::ALL {
            let _ = flow::export(&machine, *format);
        }
    }
});
