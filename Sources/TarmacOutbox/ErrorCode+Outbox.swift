public import TarmacCore

extension TarmacError.Code {
    /// The outbox holds its maximum number of entries.
    public static let outboxFull = Self("outboxFull", .input, .unsent, .lasting)
    /// The outbox no longer has the entry, or is sending it.
    public static let outboxEntryUnavailable = Self("outboxEntryUnavailable", .input, .unsent, .lasting)
}
