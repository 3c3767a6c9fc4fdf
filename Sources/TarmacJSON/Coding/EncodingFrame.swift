/// A value being encoded: from the call of its `encode(to:)` to its return.
///
/// The innermost value alone can be written to: neither its encoder nor its containers may be used while one of its
/// members or elements is encoded, and not when it is over.
struct EncodingFrame {
    /// Names a value being encoded; stale once it is over.
    struct Handle {
        let place: Int
        let serial: Int

        /// Of no value.
        static let closed = Handle(place: -2, serial: -1)
    }

    let serial: Int
    /// The containers open around the value.
    let depth: Int
    /// Where its text begins.
    let start: Int
    /// The serial of the container it opened; 0 for none.
    var container = 0
}
