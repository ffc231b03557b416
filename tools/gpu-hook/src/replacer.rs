//! Gives the driver other code.
//!
//! **Problem.** An image is replaced only if it is the one that was recorded. **Method.** The
//! digest of what the application loads decides. New code is read once and kept: the driver may use
//! it as long as the process lives. **Source.** None. **Deviation.** A whole image is replaced,
//! never one function, as variables of the module must stay one copy. **Complexity.** Linear in the
//! images.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use gpu_record::setup::Replacement;

/// The new code of an image.
struct New {
    cubin: PathBuf,
    bytes: OnceLock<Result<Vec<u8>, String>>,
}

/// The images that are replaced, by digest.
pub struct Replacer {
    images: HashMap<String, New>,
}

impl Replacer {
    pub fn new(images: Vec<Replacement>) -> Replacer {
        let new = |cubin| New { cubin, bytes: OnceLock::new() };
        Replacer { images: images.into_iter().map(|image| (image.digest, new(image.cubin))).collect() }
    }

    /// The code in the place of an image; `None` if it is not replaced.
    pub fn code(&self, digest: &str) -> Option<Result<&[u8], &str>> {
        let new = self.images.get(digest)?;
        let read =
            || std::fs::read(&new.cubin).map_err(|why| format!("cannot read {}: {why}", new.cubin.display()));
        Some(new.bytes.get_or_init(read).as_deref().map_err(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_recorded_image_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let cubin = folder.path().join("new.cubin");
        std::fs::write(&cubin, "code").unwrap();
        let none = folder.path().join("none");
        let images = [("a", cubin), ("b", none)];
        let images = images.map(|(digest, cubin)| Replacement { digest: digest.into(), cubin });
        let replacer = Replacer::new(images.into());
        assert_eq!(replacer.code("a"), Some(Ok(&b"code"[..])));
        assert!(replacer.code("b").unwrap().unwrap_err().starts_with("cannot read "));
        assert_eq!(replacer.code("c"), None);
    }
}
