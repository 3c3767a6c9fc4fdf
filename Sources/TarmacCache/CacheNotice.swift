/// A change in the state of a cache store that no single call caused.
public struct CacheNotice: Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable, CaseIterable {
        /// An entry could not be read, and the store has removed it.
        case corrupt
        /// The store cannot write, such as when the disk is full or the file is read-only. Calls continue
        /// without the cache.
        case unwritable
        /// The store cannot read. Calls continue without the cache.
        case unreadable
        /// The store can read and write again after a failure.
        case recovered
    }
    public let kind: Kind
    /// A description of the change. It holds no secret.
    public let reason: String

    public init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    public var description: String { "\(kind.rawValue): \(reason)" }
}
