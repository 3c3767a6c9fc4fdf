/// Divides bytes into the blocks of a hash function, and pads the last block (FIPS 180-4 §5.1).
package struct BlockBuffer {
    private let size: Int
    /// The size of the length field at the end, in bytes.
    private let lengthSize: Int
    private var rest: [UInt8] = []
    private var total: UInt64 = 0

    package init(size: Int, lengthSize: Int) {
        self.size = size
        self.lengthSize = lengthSize
        rest.reserveCapacity(2 * size)
    }

    /// Passes on whole blocks and keeps the rest.
    package mutating func add(_ bytes: UnsafeRawBufferPointer, compress: (UnsafeRawBufferPointer) -> Void) {
        total += UInt64(bytes.count)
        var bytes = bytes
        if !rest.isEmpty {
            let missing = min(size - rest.count, bytes.count)
            rest.append(contentsOf: bytes[..<missing])
            bytes = UnsafeRawBufferPointer(rebasing: bytes[missing...])
            guard rest.count == size else { return }
            rest.withUnsafeBytes(compress)
            rest.removeAll(keepingCapacity: true)
        }
        let whole = bytes.count / size * size
        if whole > 0 { compress(UnsafeRawBufferPointer(rebasing: bytes[..<whole])) }
        rest.append(contentsOf: bytes[whole...])
    }

    /// Passes on the last blocks: the rest, a one, zeros, and the length in bits.
    package mutating func finish(compress: (UnsafeRawBufferPointer) -> Void) {
        let bits = total &* 8
        rest.append(0x80)
        while rest.count % size != size - lengthSize { rest.append(0) }
        // No message is so long that it needs the upper half of the length.
        for _ in 8..<lengthSize { rest.append(0) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) { rest.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        rest.withUnsafeBytes(compress)
        rest = []
    }
}
