use sha2::{Digest as _, Sha256};

use super::*;
