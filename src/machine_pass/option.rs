//! Options of a plugin, as LLVM's command line shows them.

use std::str::FromStr;
use std::sync::Mutex;

/// An option with a typed value. It is a static: the plugin lists it
/// ([`Plugin::option`](super::Plugin::option)), and its passes read it.
///
/// ```no_run
/// use ptxpasses::machine_pass::PassOption;
///
/// static LIMIT: PassOption<u32> = PassOption::new("my-pass-limit", "n", "Stops after this many functions", || 10);
/// // In the pass:
/// let limit = LIMIT.get();
/// ```
pub struct PassOption<T> {
    name: &'static str,
    value_name: &'static str,
    help: &'static str,
    default: fn() -> T,
    value: Mutex<Option<T>>,
}

impl<T: Clone> PassOption<T> {
    /// Describes an option: its name without dashes, the name of its value, one line for `--help`,
    /// and its default. A flag has no value name: `-name` means `-name=true`. The rules for the
    /// name are those of a [`Pass`](super::Pass). No two options of a plugin may have the same
    /// name.
    pub const fn new(
        name: &'static str,
        value_name: &'static str,
        help: &'static str,
        default: fn() -> T,
    ) -> PassOption<T> {
        PassOption { name, value_name, help, default, value: Mutex::new(None) }
    }
    /// Returns its value.
    pub fn get(&self) -> T {
        let value = self.value.lock().unwrap_or_else(|e| e.into_inner()).clone();
        value.unwrap_or_else(self.default)
    }
}

/// An option of any type.
pub trait PluginOption: Sync {
    /// The name without dashes.
    fn name(&self) -> &'static str;
    /// The name of the value; empty for a flag.
    fn value_name(&self) -> &'static str;
    /// One line for `--help`.
    fn help(&self) -> &'static str;
    /// Sets its value.
    ///
    /// # Errors
    /// Gives the value, and says why it is invalid.
    fn set(&self, value: &str) -> Result<(), String>;
}

impl<T> PluginOption for PassOption<T>
where
    T: FromStr + Clone + Send,
    T::Err: std::fmt::Display,
{
    fn name(&self) -> &'static str {
        self.name
    }
    fn value_name(&self) -> &'static str {
        self.value_name
    }
    fn help(&self) -> &'static str {
        self.help
    }
    fn set(&self, value: &str) -> Result<(), String> {
        // A flag may have no value.
        let value = if value.is_empty() && self.value_name.is_empty() { "true" } else { value };
        let value = value.parse().map_err(|why: T::Err| format!("invalid value '{value}': {why}"))?;
        *self.value.lock().unwrap_or_else(|e| e.into_inner()) = Some(value);
        Ok(())
    }
}
