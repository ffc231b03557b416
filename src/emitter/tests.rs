//! The emitter on a host that records what is asked of it.
