extension CallLog {
    /// A number of bytes.
    public struct ByteCount: Sendable, Hashable, CustomStringConvertible {
        public let bytes: Int

        private init(_ bytes: Int) { self.bytes = max(0, bytes) }

        public static func bytes(_ count: Int) -> ByteCount { ByteCount(count) }
        /// 1,024 bytes each.
        public static func kib(_ count: Int) -> ByteCount { ByteCount(product(count, 1 << 10)) }
        /// 1,048,576 bytes each.
        public static func mib(_ count: Int) -> ByteCount { ByteCount(product(count, 1 << 20)) }

        // Int has 32 bits on some watches.
        private static func product(_ count: Int, _ unit: Int) -> Int {
            let (product, overflows) = count.multipliedReportingOverflow(by: unit)
            return overflows ? .max : product
        }

        public var description: String { "\(bytes) bytes" }
    }

    /// How much of each body a log keeps.
    public enum Bodies: Sendable, Hashable, CustomStringConvertible {
        /// Nothing but the size is shown. The body of a request of up to 64 KiB stays in memory with its call, because secrets in it are masked
        /// wherever a server repeats them.
        case none
        /// The beginning of each body. Streams are not read for it: the log sees what the app reads or sends.
        case first(ByteCount)

        var limit: Int { if case .first(let count) = self { count.bytes } else { 0 } }

        public var description: String { if case .first(let count) = self { "the first \(count)" } else { "none" } }
    }

    /// A change of the log.
    public enum Update: Sendable, Hashable {
        /// A call has started.
        case started(Entry.ID)
        /// Something about a call has changed: ``CallLog/entry(_:)`` has its present state.
        case changed(Entry.ID)
        /// A call has landed, failed or was cancelled. An attempt in the background can still change it.
        case ended(Entry.ID)
        /// A call was removed, because there are more than ``CallLog/last``.
        case removed(Entry.ID)
        /// All calls were removed.
        case cleared
    }
}
