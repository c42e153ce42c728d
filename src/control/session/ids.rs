//! Ids and times of a session that nobody had.

/// Ids and times drawn from the case's own name.
pub(super) struct Ids {
    seed: u64,
    pub(super) count: u64,
}

impl Ids {
    pub(super) fn new(seed: &str) -> Self {
        // FNV-1a.
        let seed = seed.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { seed, count: 0 }
    }

    /// 24 hexadecimal digits.
    pub(super) fn hex(&mut self) -> String {
        self.count += 1;
        format!("{:016x}{:08x}", self.seed, self.count)
    }

    pub(super) fn uuid(&mut self) -> String {
        self.count += 1;
        let text = format!("{:016x}", self.seed);
        format!(
            "{}-{}-4{}-a{}-{:012x}",
            &text[..8],
            &text[8..12],
            &text[12..15],
            &text[13..16],
            self.count
        )
    }

    pub(super) fn time(&mut self) -> String {
        self.count += 1;
        let s = self.count * 7;
        format!(
            "2026-03-{:02}T{:02}:{:02}:{:02}.000Z",
            2 + s / 86400 % 27,
            s / 3600 % 24,
            s / 60 % 60,
            s % 60
        )
    }
}
