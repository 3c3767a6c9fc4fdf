/// Cuts bytes into the whole blocks a hash is computed over, and pads the last (FIPS 180-4 §5.1).
package struct BlockBuffer {
    private let size: Int
    /// The bytes of the length field at the end.
    private let lengthSize: Int
    private var rest: [UInt8] = []
    private var total: UInt64 = 0

    package init(size: Int, lengthSize: Int) {
        self.size = size
        self.lengthSize = lengthSize
        rest.reserveCapacity(2 * size)
    }

    /// Hands on whole blocks and keeps the rest.
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

    /// A one, zeros, and the length in bits, up to a whole block.
    package mutating func finish(compress: (UnsafeRawBufferPointer) -> Void) {
        let bits = total &* 8
        rest.append(0x80)
        while rest.count % size != size - lengthSize { rest.append(0) }
        // No message here is so long that the upper half of a length is needed.
        for _ in 8..<lengthSize { rest.append(0) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) { rest.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        rest.withUnsafeBytes(compress)
        rest = []
    }
}
