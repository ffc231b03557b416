//! Reads lists and texts from LLVM whose length is not known in advance.

/// Fills a list by a call that returns its length, and has written all of it if the capacity
/// suffices.
pub(super) fn read_list<T: Copy>(list: &mut Vec<T>, call: impl Fn(*mut T, usize) -> usize) {
    list.clear();
    loop {
        let n = call(list.as_mut_ptr(), list.capacity());
        if n <= list.capacity() {
            // SAFETY: that many items were written.
            unsafe { list.set_len(n) };
            return;
        }
        list.reserve(n);
    }
}

/// Reads a text by a call that returns its length and writes the part that fits.
pub(super) fn read_text(call: impl Fn(*mut std::ffi::c_char, usize) -> usize) -> String {
    let mut text: Vec<u8> = Vec::new();
    read_list(&mut text, |out, capacity| call(out.cast(), capacity));
    String::from_utf8_lossy(&text).into_owned()
}
