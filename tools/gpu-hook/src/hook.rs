//! What is done at a load, a lookup and a launch.
//!
//! **Problem.** The application must run as without us, whatever goes wrong here. **Method.** Each
//! entry is guarded: a panic is caught and said, and the call goes on to the driver as it came.
//! Without a setup the library only passes on. **Source.** None. **Deviation.** None.
//! **Complexity.** That of the recorder.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::OnceLock;

use gpu_record::digest::digest;
use gpu_record::events::Event;
use gpu_record::image::Kind;
use gpu_record::setup::{self, Setup};

use crate::log::Log;
use crate::names::{Handle, Kind as Of, Names};
use crate::recorder::{Facts, Recorder};
use crate::replacer::Replacer;

/// What this process does.
pub enum Job {
    Record(Recorder),
    Replace(Replacer),
}

pub struct Hook {
    pub log: Log,
    pub names: Names<Facts>,
    pub job: Job,
    /// The process that has loaded the library.
    process: u32,
}

/// What is to be loaded.
pub struct Load<'a> {
    pub digest: String,
    /// The code in its place.
    pub code: Option<&'a [u8]>,
}

/// What this process does; `None` if it only passes on.
pub fn hook() -> Option<&'static Hook> {
    static HOOK: OnceLock<Option<Hook>> = OnceLock::new();
    HOOK.get_or_init(|| {
        let folder = std::env::var_os(setup::VARIABLE)?;
        match Hook::read(Path::new(&folder)) {
            Ok(hook) => Some(hook),
            Err(why) => {
                eprintln!("ptx-compare: nothing is recorded or replaced in this process: {why}");
                None
            }
        }
    })
    .as_ref()
}

/// Runs what must not harm the application.
pub fn guarded<T>(run: impl FnOnce(&'static Hook) -> Option<T>) -> Option<T> {
    let outcome = catch_unwind(AssertUnwindSafe(|| run(hook()?)));
    outcome.unwrap_or_else(|_| {
        let what = "a mistake in ptx-compare's library: see the message above; the call went to the driver as it came";
        let _ = catch_unwind(|| hook().map(|hook| hook.log.once(&Event::Said { what: what.to_owned() })));
        None
    })
}

impl Hook {
    fn read(folder: &Path) -> Result<Hook, String> {
        let file = folder.join(setup::FILE);
        let bytes = std::fs::read(&file).map_err(|why| format!("cannot read {}: {why}", file.display()))?;
        let setup = serde_json::from_slice(&bytes).map_err(|why| format!("{}: {why}", file.display()))?;
        Ok(Hook::new(setup))
    }

    pub fn new(setup: Setup) -> Hook {
        let (log, job) = match setup {
            Setup::Record(record) => (Log::new(&record.folder), Job::Record(Recorder::new(record))),
            Setup::Replace(replace) => {
                (Log::new(&replace.folder), Job::Replace(Replacer::new(replace.images)))
            }
        };
        Hook { log, names: Names::default(), job, process: std::process::id() }
    }

    /// The process begins.
    pub fn begin(&self) {
        let program = std::env::args_os().next().unwrap_or_default();
        self.log.write(&Event::Loaded { program: program.to_string_lossy().into_owned() });
    }

    /// The process ends.
    pub fn end(&self) {
        // A forked process has the counts of its parent, which says them.
        if matches!(self.job, Job::Record(_)) && std::process::id() == self.process {
            Recorder::end(&self.log, &self.names.all());
        }
    }

    /// The recorder, if this process records.
    pub fn recorder(&self) -> Option<&Recorder> {
        match &self.job {
            Job::Record(recorder) => Some(recorder),
            Job::Replace(_) => None,
        }
    }

    /// An image is to be loaded.
    pub fn loads(&self, kind: Kind, bytes: &[u8]) -> Load<'_> {
        let digest = digest(bytes);
        match &self.job {
            Job::Record(recorder) => {
                recorder.image(&self.log, &digest, kind, bytes);
                Load { digest, code: None }
            }
            Job::Replace(replacer) => match replacer.code(&digest) {
                Some(Ok(code)) => Load { digest, code: Some(code) },
                Some(Err(why)) => {
                    self.not_replaced(&digest, why);
                    Load { digest, code: None }
                }
                None => {
                    self.log.once(&Event::Image { digest: digest.clone(), kind, size: bytes.len() as u64 });
                    Load { digest, code: None }
                }
            },
        }
    }

    /// An image cannot be read.
    pub fn not_understood(&self, why: &str) {
        self.log.once(&Event::Said { what: format!("an image that is loaded is not understood: {why}") });
    }

    /// New code was loaded.
    pub fn replaced(&self, digest: &str) {
        self.log.once(&Event::Replaced { digest: digest.to_owned() });
    }

    /// New code was not loaded.
    pub fn not_replaced(&self, digest: &str, why: &str) {
        self.log.once(&Event::NotReplaced { digest: digest.to_owned(), why: why.to_owned() });
    }

    /// A module or library is there.
    pub fn loaded(&self, owner: Handle, digest: &str) {
        self.names.loaded(owner, digest.into());
    }

    /// A kernel was looked up.
    pub fn found(&self, handle: (Handle, Of), owner: Handle, name: &str) {
        let kernel = self.names.found(handle, owner, name);
        if let (Some(kernel), Job::Replace(_)) = (kernel, &self.job) {
            let (image, kernel) = (kernel.image.to_string(), kernel.name.clone());
            self.log.once(&Event::Kernel { image, kernel, parameters: Vec::new() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_setup_nothing_is_done() {
        assert!(guarded(|_| Some(())).is_none());
        assert!(Hook::read(Path::new("/nowhere"))
            .is_err_and(|why| why.starts_with("cannot read /nowhere/setup.json")));
    }

    #[test]
    fn an_image_that_is_not_known_stays() {
        let folder = tempfile::tempdir().unwrap();
        let cubin = folder.path().join("new");
        std::fs::write(&cubin, "new").unwrap();
        let images = vec![setup::Replacement { digest: digest(b"old"), cubin }];
        let hook = Hook::new(Setup::Replace(setup::Replace { folder: folder.path().to_owned(), images }));
        assert_eq!(hook.loads(Kind::Ptx, b"old").code, Some(&b"new"[..]));
        assert_eq!(hook.loads(Kind::Ptx, b"older").code, None);
    }
}
