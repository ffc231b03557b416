//! A whole recording: the folder that `ptx-compare record` leaves.
//!
//! **Problem.** Several processes record into one folder. **Method.** Their events are put
//! together: images and kernels once, launches of a kernel in one file. **Source.** None.
//! **Deviation.** None. **Complexity.** Linear in the events.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::contents::Parameter;
use crate::events::Event;
use crate::image::Kind;

/// The file in a recording's folder.
pub const FILE: &str = "recording.json";
/// The version of the layout.
pub const FORMAT: u32 = 1;

/// What an application has launched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: u32,
    /// The command that was recorded.
    pub command: Vec<String>,
    /// The programs that have loaded the library, one for each process.
    pub programs: Vec<String>,
    /// The images of which a kernel was launched.
    pub images: Vec<Image>,
    pub kernels: Vec<Kernel>,
    /// What else the user should know.
    pub notes: BTreeSet<String>,
}

/// An image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    pub digest: String,
    pub kind: Kind,
    pub size: u64,
    /// Its file, in the folder.
    pub file: String,
}

/// A kernel that was launched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    pub name: String,
    /// The digest of its image.
    pub image: String,
    pub parameters: Vec<Parameter>,
    /// How often it was launched. 0: the process ended before it could say so.
    pub count: u64,
    /// How many launches are recorded.
    pub recorded: usize,
    /// The file with these, in the folder; `None` if there is none.
    pub launches: Option<String>,
    /// Why other launches are not recorded.
    pub skipped: BTreeSet<String>,
}

/// A kernel's launches while events are put together.
#[derive(Default)]
struct Found {
    parameters: Vec<Parameter>,
    count: u64,
    texts: Vec<String>,
    skipped: BTreeSet<String>,
}

/// The file with an image.
pub fn image_file(digest: &str, kind: Kind) -> String {
    format!("images/{digest}.{}", kind.extension())
}

impl Manifest {
    /// Puts the events of all processes together. Returns the text of each file with launches as
    /// well. `most_shapes`: of a kernel.
    pub fn of(
        command: Vec<String>,
        events: Vec<Event>,
        most_shapes: usize,
    ) -> (Manifest, BTreeMap<String, String>) {
        let mut manifest = Manifest { format: FORMAT, command, ..Manifest::default() };
        let mut images: BTreeMap<String, Image> = BTreeMap::new();
        let mut kernels: BTreeMap<(String, String), Found> = BTreeMap::new();
        for event in events {
            match event {
                Event::Loaded { program } => manifest.programs.push(program),
                Event::Image { digest, kind, size } => {
                    let file = image_file(&digest, kind);
                    images.insert(digest.clone(), Image { digest, kind, size, file });
                }
                Event::Kernel { image, kernel, parameters } => {
                    kernels.entry((image, kernel)).or_default().parameters = parameters;
                }
                Event::Launch { image, kernel, text } => {
                    let texts = &mut kernels.entry((image, kernel)).or_default().texts;
                    // Processes of one program launch the same.
                    if texts.len() < most_shapes && !texts.iter().any(|known| shape(known) == shape(&text)) {
                        texts.push(text);
                    }
                }
                Event::Skipped { image, kernel, why } => {
                    kernels.entry((image, kernel)).or_default().skipped.insert(why);
                }
                Event::Count { image, kernel, launches } => {
                    kernels.entry((image, kernel)).or_default().count += launches;
                }
                Event::Said { what } => {
                    manifest.notes.insert(what);
                }
                Event::Replaced { .. } | Event::NotReplaced { .. } => {}
            }
        }
        let mut files = BTreeMap::new();
        for (number, ((image, name), found)) in kernels.into_iter().enumerate() {
            let launches = (!found.texts.is_empty()).then(|| format!("kernel-{number}.launch"));
            let recorded = found.texts.len();
            files.extend(launches.clone().map(|file| (file, found.texts.join("\n"))));
            let Found { parameters, count, skipped, .. } = found;
            manifest.kernels.push(Kernel { name, image, parameters, count, recorded, launches, skipped });
        }
        let used: BTreeSet<&String> = manifest.kernels.iter().map(|kernel| &kernel.image).collect();
        manifest.images = images.into_values().filter(|image| used.contains(&image.digest)).collect();
        (manifest, files)
    }

    /// The names of the kernels of an image.
    pub fn kernels_of<'a>(&'a self, digest: &'a str) -> impl Iterator<Item = &'a str> {
        self.kernels.iter().filter(move |kernel| kernel.image == digest).map(|kernel| &*kernel.name)
    }
}

/// The lines of a launch that say its shape.
fn shape(text: &str) -> Vec<&str> {
    let is_shape = |line: &&str| ["grid ", "block ", "shared "].iter().any(|word| line.starts_with(word));
    text.lines().filter(is_shape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_put_together() {
        let image = |digest: &str| Event::Image { digest: digest.into(), kind: Kind::Cubin, size: 8 };
        let launch = |grid: u32| Event::Launch {
            image: "a".into(),
            kernel: "k".into(),
            text: format!("kernel k\ngrid {grid}\nblock 32\n"),
        };
        let one = |count| {
            vec![
                Event::Loaded { program: "app".into() },
                image("a"),
                image("b"),
                Event::Kernel { image: "a".into(), kernel: "k".into(), parameters: vec![(0, 8)] },
                launch(1),
                launch(2),
                Event::Count { image: "a".into(), kernel: "k".into(), launches: count },
                Event::Skipped { image: "a".into(), kernel: "l".into(), why: "no".into() },
            ]
        };
        let events = [one(3), one(4)].concat();
        let (manifest, files) = Manifest::of(vec!["app".into()], events, 5);
        assert_eq!(manifest.programs.len(), 2);
        assert_eq!(manifest.images.len(), 1, "no kernel of b was launched");
        assert_eq!(manifest.kernels_of("a").collect::<Vec<_>>(), ["k", "l"]);
        let [k, l] = &manifest.kernels[..] else { panic!("{manifest:?}") };
        assert_eq!((k.count, k.recorded, l.recorded, &l.launches), (7, 2, 0, &None));
        assert_eq!(
            files.into_values().collect::<Vec<_>>(),
            ["kernel k\ngrid 1\nblock 32\n\nkernel k\ngrid 2\nblock 32\n"]
        );
    }
}
