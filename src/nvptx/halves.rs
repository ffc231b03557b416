//! Recognises the instructions between a value and its two halves.

/// An instruction between a value of 32 or 64 bits and its halves. The low half is the first operand of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HalfMove {
    /// Two halves to the whole: `V2I16toI32`.
    Pack,
    /// The whole to two halves: `I32toV2I16`.
    Unpack,
    /// The whole to its low half: `I32toI16L`.
    UnpackLow,
    /// The whole to its high half: `I32toI16H`.
    UnpackHigh,
}

impl HalfMove {
    /// Classifies the opcode of this name.
    pub fn from_name(name: &str) -> Option<HalfMove> {
        match name.trim_end_matches("_Sink") {
            "V2I16toI32" | "V2I32toI64" => Some(HalfMove::Pack),
            "I32toV2I16" | "I64toV2I32" => Some(HalfMove::Unpack),
            "I32toI16L" | "I64toI32L" => Some(HalfMove::UnpackLow),
            "I32toI16H" | "I64toI32H" => Some(HalfMove::UnpackHigh),
            _ => None,
        }
    }
}
