//! The address spaces of NVPTX (`llvm/Support/NVPTXAddrSpace.h`, the NVPTX usage guide).

use crate::versions::{Nvptx, VERSIONS};

/// An address space, by NVPTX's name for its number. On a target that numbers its spaces
/// differently, ask [`AddressSpace::number`].
///
/// Two are equal if their numbers are, as long as each comes from [`AddressSpace::from_number`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum AddressSpace {
    /// 0: an address that may be in any space; on other targets the default memory.
    Generic,
    /// 1: memory of the device.
    Global,
    /// 3: memory of the thread block.
    Shared,
    /// 4: constant memory.
    Constant,
    /// 5: memory of the thread.
    Local,
    /// 7, from LLVM 21 on: shared memory of all thread blocks of the cluster. In LLVM 17 to 20 the
    /// number has no name.
    SharedCluster,
    /// 101: the parameters of a kernel, and of calls.
    Param,
    /// Another number.
    Other(u32),
}

impl AddressSpace {
    /// Returns the address space of a number in the LLVM that this build is for.
    pub fn from_number(number: u32) -> AddressSpace {
        AddressSpace::of_version(number, &VERSIONS.nvptx)
    }

    fn of_version(number: u32, version: &Nvptx) -> AddressSpace {
        match number {
            0 => AddressSpace::Generic,
            1 => AddressSpace::Global,
            3 => AddressSpace::Shared,
            4 => AddressSpace::Constant,
            5 => AddressSpace::Local,
            7 if version.has_shared_cluster => AddressSpace::SharedCluster,
            101 => AddressSpace::Param,
            other => AddressSpace::Other(other),
        }
    }

    /// Returns LLVM's number, as in `addrspace(3)`.
    pub const fn number(self) -> u32 {
        match self {
            AddressSpace::Generic => 0,
            AddressSpace::Global => 1,
            AddressSpace::Shared => 3,
            AddressSpace::Constant => 4,
            AddressSpace::Local => 5,
            AddressSpace::SharedCluster => 7,
            AddressSpace::Param => 101,
            AddressSpace::Other(number) => number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::{Versions, OLDEST, PREVIEW};

    #[test]
    fn a_number_stays_the_same() {
        for major in OLDEST..=PREVIEW {
            for number in (0..=200).chain([u32::MAX]) {
                let space = AddressSpace::of_version(number, &Versions::of(major).nvptx);
                assert_eq!(space.number(), number, "LLVM {major}");
            }
        }
    }

    #[test]
    fn shared_memory_of_a_cluster_has_a_name_since_21() {
        let of = |major| AddressSpace::of_version(7, &Versions::of(major).nvptx);
        assert_eq!([of(20), of(21)], [AddressSpace::Other(7), AddressSpace::SharedCluster]);
    }
}
