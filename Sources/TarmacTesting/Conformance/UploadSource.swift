@_spi(TarmacRooms) import TarmacCore

/// A request body that is created on demand and records the number of requested bytes.
final class UploadSource: Sendable {
    struct Failure: Error, Equatable {}

    let produced = Watched(0)
    private let total: Int
    private let chunk: Int
    private let failsAtEnd: Bool

    /// - Parameter failsAtEnd: Whether it throws ``Failure`` in place of the end.
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

    /// Returns the number of requested bytes after no more have been requested for a while.
    ///
    /// The suite only waits for time in this way: such waits end early if a transport never stops, and cannot make a
    /// correct transport fail.
    func settled() async throws -> Int {
        while true {
            let before = produced.value
            if before == total { return before }
            try await Task.sleep(for: .milliseconds(150))
            if produced.value == before { return before }
        }
    }
}
