"""The version, which is that of Cargo.toml."""

VERSION = "0.4.0"
