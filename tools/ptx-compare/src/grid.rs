pub mod float;
pub mod matrix;
