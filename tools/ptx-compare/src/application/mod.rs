//! `record` and `run`: an application on a GPU, with a library in the place of the driver.
//!
//! | module     | what it does                                                          |
//! |------------|-----------------------------------------------------------------------|
//! | [`start`]  | starts an application so that it gets our library (crate gpu-hook)      |
//! | [`library`] | makes the library that leads to ours and to the driver                 |
//! | [`mod@record`] | records what is launched                                              |
//! | [`mod@run`]    | gives the driver the code that `tune --recorded` has chosen             |

mod library;
mod record;
mod run;
mod start;

pub use record::{record, RecordArgs};
pub use run::{run, RunArgs};
