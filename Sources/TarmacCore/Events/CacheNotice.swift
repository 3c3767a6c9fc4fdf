/// Something a store has to say that no call is to blame for.
public struct CacheNotice: Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable, CaseIterable {
        /// What was stored could not be read, and was removed.
        case corrupt
        /// Nothing can be written: the disk is full, the file cannot be changed. Calls go on uncached.
        case unwritable
        /// Nothing can be read. Calls go on uncached.
        case unreadable
        /// What could not be read or written can be again.
        case recovered
    }
    public let kind: Kind
    /// What happened; no secret.
    public let reason: String

    public init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    public var description: String { "\(kind.rawValue): \(reason)" }
}
