//! The files that `tune` writes: the choices, and the part of the work that a shard has done.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use gpu_record::contents::Contents;
use gpu_run::interval::Ratio;
use gpu_run::job::Card;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::choose::Term;
use super::record::Record;
use crate::measure::setting::{Setting, DEFAULT, STOCK};
use crate::time::Origin;

/// The version of these files' layout.
const FORMAT: u32 = 1;

/// The part that all shards of one run share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    pub llvm: String,
    pub plugin: String,
    pub ptxas: String,
    pub level: u8,
    pub mcpu: Option<String>,
    pub cost: Vec<Term>,
    pub block: u32,
    pub shared: u32,
    pub maxrregcount: Option<u32>,
    /// The GPU that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
    /// The hashes of the launches that were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub launches: Vec<String>,
    /// The settings that this llc knows.
    pub settings: Vec<Setting>,
    /// All files, in order.
    pub files: Vec<String>,
    /// The kernels that keep the default, as no launch of them was recorded.
    #[serde(skip)]
    pub keep_default: BTreeSet<String>,
    /// The images of a recorded application.
    #[serde(skip)]
    pub images: Vec<ImageOf>,
}

/// The setting that a kernel comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    pub file: String,
    pub kernel: String,
    pub cpu: String,
    /// The hash of the kernel's IR.
    pub hash: String,
    /// Its name.
    pub setting: String,
    /// Its time, where the cost asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Predicted>,
    /// Its time on the GPU as a part of that of stock's code, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_of_stock: Option<Ratio>,
}

/// The predicted time of a kernel under the chosen setting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Predicted {
    /// As a part of that under the default.
    pub of_default: f64,
    /// As a part of stock's, if that is predicted as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_stock: Option<f64>,
    /// The launches that it is predicted for.
    pub launches: Origin,
}

impl Predicted {
    /// `None` where the time under the default or under the setting is not predicted.
    pub fn of(record: &Record, kernel: &str, setting: &str) -> Option<Predicted> {
        let [default, own] = [DEFAULT, setting].map(|setting| record.time(kernel, setting));
        let (default, own) = (default?, own?);
        let of_stock = record.time(kernel, STOCK).and_then(|stock| own.ratio(stock));
        Some(Predicted { of_default: own.ratio(default)?, of_stock, launches: own.origin })
    }
}

/// An image of an application, and the file whose code may take its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageOf {
    pub digest: String,
    pub file: String,
    /// What the application can ask for by name.
    pub contents: Contents,
}

/// `choices.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    format: u32,
    pub llvm: String,
    pub plugin: String,
    pub ptxas: String,
    pub level: u8,
    pub cost: Vec<Term>,
    pub block: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maxrregcount: Option<u32>,
    /// The GPU of the measured times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
    /// The chosen settings.
    pub settings: Vec<Setting>,
    pub kernels: Vec<Choice>,
    /// By file, the `.version` that ptxas wants.
    #[serde(default)]
    pub versions: BTreeMap<String, String>,
    /// The images of a recorded application.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ImageOf>,
}

impl Choices {
    pub fn new(config: &Config, mut kernels: Vec<Choice>, versions: BTreeMap<String, String>) -> Self {
        kernels.sort_by(|a, b| (&a.file, &a.kernel).cmp(&(&b.file, &b.kernel)));
        let used: BTreeSet<&String> = kernels.iter().map(|choice| &choice.setting).collect();
        Choices {
            format: FORMAT,
            llvm: config.llvm.clone(),
            plugin: config.plugin.clone(),
            ptxas: config.ptxas.clone(),
            level: config.level,
            cost: config.cost.clone(),
            block: config.block,
            maxrregcount: config.maxrregcount,
            card: config.card.clone(),
            settings: config
                .settings
                .iter()
                .filter(|setting| used.contains(&setting.name))
                .cloned()
                .collect(),
            kernels,
            versions,
            images: config.images.clone(),
        }
    }

    pub fn read(path: &Path) -> Result<Self> {
        let choices: Choices = read(path)?;
        ensure!(choices.format == FORMAT, "{}: of format {}, not {FORMAT}", path.display(), choices.format);
        for choice in &choices.kernels {
            let known = choices.settings.iter().any(|setting| setting.name == choice.setting);
            ensure!(
                known,
                "{}: kernel {} has the setting {}, which is not listed",
                path.display(),
                choice.kernel,
                choice.setting
            );
        }
        Ok(choices)
    }
}

/// One of several parts of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub number: usize,
    pub of: usize,
}

impl Part {
    /// Whether the file at an index belongs to it.
    pub fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

/// Parser for `I/N`.
pub fn part(text: &str) -> Result<Part> {
    let numbers =
        text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Part { number, of }),
        _ => bail!("{text} is not a shard; give I/N with I from 1 to N, such as 2/8"),
    }
}

/// The measurements of one part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    format: u32,
    pub part: Part,
    pub config: Config,
    pub records: Vec<Record>,
}

impl Shard {
    pub fn new(part: Part, config: Config, records: Vec<Record>) -> Self {
        Shard { format: FORMAT, part, config, records }
    }
}

/// Joins the parts again: all of them, in the order of the files.
pub fn merge(paths: &[PathBuf]) -> Result<(Config, Vec<Record>)> {
    let mut parts: BTreeMap<usize, PathBuf> = BTreeMap::new();
    let mut records: BTreeMap<String, Record> = BTreeMap::new();
    let mut first: Option<Shard> = None;
    for path in paths {
        let mut shard: Shard = read(path)?;
        ensure!(shard.format == FORMAT, "{}: of format {}, not {FORMAT}", path.display(), shard.format);
        if let Some(before) = parts.insert(shard.part.number, path.clone()) {
            bail!("{} and {} are both shard {}", before.display(), path.display(), shard.part.number);
        }
        records.extend(
            std::mem::take(&mut shard.records).into_iter().map(|record| (record.file.clone(), record)),
        );
        match &first {
            None => first = Some(shard),
            Some(first) => ensure!(
                first.config == shard.config && first.part.of == shard.part.of,
                "{} is of another run than {}: files, options, llc, plugin or ptxas differ",
                path.display(),
                paths[0].display()
            ),
        }
    }
    let Shard { part, config, .. } = first.context("no shard is named")?;
    let missing: Vec<String> = (1..=part.of)
        .filter(|number| !parts.contains_key(number))
        .map(|number| format!("{number}/{}", part.of))
        .collect();
    ensure!(missing.is_empty(), "missing: shard {}", missing.join(", "));
    let ordered = config.files.iter().map(|file| {
        records
            .remove(file)
            .with_context(|| format!("no shard has measured {file}: was one of them interrupted?"))
    });
    let ordered = ordered.collect::<Result<Vec<_>>>()?;
    Ok((config, ordered))
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is not a file of ptx-compare tune's", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::setting::{rows, Effort};
    use crate::output::write_json;

    fn config(files: &[&str]) -> Config {
        Config {
            card: None,
            llvm: "22".into(),
            plugin: "1".into(),
            ptxas: "13".into(),
            level: 3,
            mcpu: None,
            cost: vec![Term::Spills],
            block: 256,
            shared: 0,
            maxrregcount: None,
            launches: Vec::new(),
            settings: rows(Effort::Quick),
            files: files.iter().map(|file| (*file).to_owned()).collect(),
            keep_default: BTreeSet::new(),
            images: Vec::new(),
        }
    }

    fn record(file: &str) -> Record {
        Record { file: file.to_owned(), ..Record::default() }
    }

    #[test]
    fn parts() {
        let two = part("2/3").expect("a part");
        assert_eq!((0..6).filter(|&index| two.has(index)).collect::<Vec<_>>(), [1, 4]);
        for bad in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(part(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn merging_needs_all_parts_of_one_run() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let put = |name: &str, number, files: &[&str], all: &[&str]| {
            let path = dir.path().join(name);
            let records = files.iter().map(|file| record(file)).collect();
            write_json(&path, &Shard::new(Part { number, of: 2 }, config(all), records)).expect("write");
            path
        };
        let one = put("one", 1, &["a", "c"], &["a", "b", "c"]);
        let two = put("two", 2, &["b"], &["a", "b", "c"]);
        for order in [[one.clone(), two.clone()], [two.clone(), one.clone()]] {
            let (_, records) = merge(&order).expect("all");
            assert_eq!(records.iter().map(|r| r.file.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        }
        let error = |paths: &[PathBuf]| merge(paths).expect_err("not all").to_string();
        assert_eq!(error(std::slice::from_ref(&one)), "missing: shard 2/2");
        assert!(error(&[one.clone(), one.clone()]).contains("are both shard 1"));
        let other = put("other", 2, &["b"], &["a", "b"]);
        assert!(error(&[one.clone(), other]).contains("of another run"));
        let cut = put("cut", 2, &[], &["a", "b", "c"]);
        assert!(error(&[one, cut]).contains("no shard has measured b"));
    }
}
