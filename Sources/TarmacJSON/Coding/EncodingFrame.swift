/// A value being encoded: from the call of its `encode(to:)` to its return.
///
/// Only the innermost value is writable: neither its encoder nor its containers may be used while one of its members or
/// elements is encoded, or after it is complete.
struct EncodingFrame {
    /// Identifies a value being encoded; invalid once the value is complete.
    struct Handle {
        let place: Int
        let serial: Int

        /// The handle of no value.
        static let closed = Handle(place: -2, serial: -1)
    }

    let serial: Int
    /// The number of containers open around the value.
    let depth: Int
    /// The start of its text.
    let start: Int
    /// The serial of the container that it opened; 0 for none.
    var container = 0
}
