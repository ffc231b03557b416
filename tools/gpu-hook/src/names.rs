//! Which image and which kernel a handle is of.
//!
//! **Problem.** A launch names its kernel by a handle of the driver's. **Method.** Tables by
//! handle, filled where handles are made. A module that is unloaded takes its entries with it, as
//! the driver may give the same handle out again. **Source.** None. **Deviation.** None.
//! **Complexity.** A lookup in a hash table.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::log::locked;

/// A module, a library, a kernel or a function of the driver's.
pub type Handle = usize;

/// A kernel of an image, and what is known of it.
pub struct Named<T> {
    /// The digest of its image.
    pub image: Arc<str>,
    pub name: String,
    pub facts: T,
}

/// The digest of an image, and the name of a kernel.
type ByName = (Arc<str>, String);

/// What a handle is of.
struct Owned<T> {
    /// The module or library.
    owner: Handle,
    kind: Kind,
    kernel: Arc<Named<T>>,
}

/// What a handle that is launched may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// CUfunction, of a module.
    Function,
    /// CUkernel, of a library.
    Kernel,
}

/// The tables. `T`: what is known of a kernel.
pub struct Names<T> {
    /// By module or library, the digest of the image.
    images: RwLock<HashMap<Handle, Arc<str>>>,
    /// By function or kernel.
    kernels: RwLock<HashMap<Handle, Owned<T>>>,
    /// All kernels, by image and name: several handles are of one.
    all: Mutex<BTreeMap<ByName, Arc<Named<T>>>>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Names { images: RwLock::default(), kernels: RwLock::default(), all: Mutex::default() }
    }
}

impl<T: Default> Names<T> {
    /// A module or library was loaded.
    pub fn loaded(&self, owner: Handle, digest: Arc<str>) {
        self.images.write().unwrap_or_else(PoisonError::into_inner).insert(owner, digest);
    }

    /// A module or library is unloaded.
    pub fn unloaded(&self, owner: Handle) {
        self.images.write().unwrap_or_else(PoisonError::into_inner).remove(&owner);
        self.kernels.write().unwrap_or_else(PoisonError::into_inner).retain(|_, own| own.owner != owner);
    }

    /// A module has come from a library, or a function from a kernel.
    pub fn comes_from(&self, new: Handle, old: Handle) {
        let image = self.images.read().unwrap_or_else(PoisonError::into_inner).get(&old).cloned();
        if let Some(image) = image {
            self.loaded(new, image);
        }
        let mut kernels = self.kernels.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(Owned { owner, kernel, .. }) = kernels.get(&old) {
            let own = Owned { owner: *owner, kind: Kind::Function, kernel: Arc::clone(kernel) };
            kernels.insert(new, own);
        }
    }

    /// A handle was looked up by a name. `None` if the image is not known.
    pub fn found(&self, (handle, kind): (Handle, Kind), owner: Handle, name: &str) -> Option<Arc<Named<T>>> {
        let image = self.images.read().unwrap_or_else(PoisonError::into_inner).get(&owner).cloned()?;
        let kernel = Arc::clone(
            locked(&self.all)
                .entry((Arc::clone(&image), name.to_owned()))
                .or_insert_with(|| Arc::new(Named { image, name: name.to_owned(), facts: T::default() })),
        );
        let own = Owned { owner, kind, kernel: Arc::clone(&kernel) };
        self.kernels.write().unwrap_or_else(PoisonError::into_inner).insert(handle, own);
        Some(kernel)
    }

    /// The kernel of a handle.
    pub fn kernel(&self, handle: Handle) -> Option<(Arc<Named<T>>, Kind)> {
        let kernels = self.kernels.read().unwrap_or_else(PoisonError::into_inner);
        kernels.get(&handle).map(|own| (Arc::clone(&own.kernel), own.kind))
    }

    /// All kernels.
    pub fn all(&self) -> Vec<Arc<Named<T>>> {
        locked(&self.all).values().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_given_out_again() {
        let names: Names<()> = Names::default();
        names.loaded(1, "a".into());
        assert!(names.found((10, Kind::Kernel), 2, "k").is_none(), "an image that is not known");
        names.found((10, Kind::Kernel), 1, "k");
        names.comes_from(11, 10);
        names.comes_from(2, 1);
        names.found((12, Kind::Function), 2, "k");
        let name =
            |handle| names.kernel(handle).map(|(kernel, _)| format!("{} {}", kernel.image, kernel.name));
        assert_eq!([10, 11, 12].map(name), [(); 3].map(|()| Some("a k".to_owned())));
        assert_eq!(names.all().len(), 1);
        names.unloaded(1);
        assert_eq!([10, 11].map(name), [None, None]);
        assert_eq!(name(12).as_deref(), Some("a k"));
        names.loaded(1, "b".into());
        names.found((10, Kind::Kernel), 1, "k");
        assert_eq!(name(10).as_deref(), Some("b k"));
    }
}
