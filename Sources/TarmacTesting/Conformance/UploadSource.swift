import TarmacCore

/// A request body made on demand, that tells how much of it was asked for.
final class UploadSource: Sendable {
    struct Failure: Error, Equatable {}

    let produced = Watched(0)
    private let total: Int
    private let chunk: Int
    private let failsAtEnd: Bool

    /// - Parameter failsAtEnd: throws ``Failure`` where the end would be.
    init(total: Int, chunk: Int = 65_536, failsAtEnd: Bool = false) {
        self.total = total
        self.chunk = chunk
        self.failsAtEnd = failsAtEnd
    }

    var stream: ByteStream { ByteStream { Reader(self) } }

    private final class Reader: ByteStreamSource {
        private let source: UploadSource
        private let left: Locked<Int>

        init(_ source: UploadSource) {
            self.source = source
            left = Locked(source.total)
        }

        func next() async throws -> Bytes? {
            let size = left.withLock { left in
                let size = min(left, source.chunk)
                left -= size
                return size
            }
            guard size > 0 else {
                if source.failsAtEnd { throw Failure() }
                return nil
            }
            source.produced.update { $0 += size }
            return Bytes([UInt8](repeating: UInt8(ascii: "u"), count: size))
        }
    }

    /// How much was asked for once nobody has asked for more for a while.
    ///
    /// The only waits for time in the suite are of this kind: they end early when a transport never stops asking, and
    /// cannot make a correct one fail.
    func settled() async throws -> Int {
        while true {
            let before = produced.value
            if before == total { return before }
            try await Task.sleep(for: .milliseconds(150))
            if produced.value == before { return before }
        }
    }
}
