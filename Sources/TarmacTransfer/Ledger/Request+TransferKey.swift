@_spi(TarmacRooms) package import TarmacCore

/// The key of a transfer, for the transport.
private struct LedgerKey: Attachment {
    let text: String
    var isRepeatable = true
}

extension Request {
    /// The key of the download in the ledger, `nil` without a ledger; or that of an upload.
    package var transferKey: String? {
        get { self[LedgerKey.self]?.text }
        set { self[LedgerKey.self] = newValue.map { LedgerKey(text: $0) } }
    }

    /// Whether the request may be sent again if its outcome is not known: its method is idempotent, or its key covers it.
    package var isRepeatableTransfer: Bool { self[LedgerKey.self]?.isRepeatable ?? false }

    /// Returns the request with the key of its transfer.
    package func of(transfer key: String, isRepeatable: Bool = true) -> Request {
        guard !key.isEmpty else { return self }
        var copy = self
        copy[LedgerKey.self] = LedgerKey(text: key, isRepeatable: isRepeatable)
        return copy
    }
}
