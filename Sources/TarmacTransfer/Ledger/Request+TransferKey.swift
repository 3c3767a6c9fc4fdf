@_spi(TarmacRooms) package import TarmacCore

/// The key of a transfer, for the transport.
private struct LedgerKey: Attachment {
    let text: String
    var isRepeatable = true
    var owns: @Sendable (WebOrigin) -> Bool = { _ in false }
}

extension Request {
    /// The key of the download in the ledger, `nil` without a ledger; or that of an upload.
    package var transferKey: String? {
        get { self[LedgerKey.self]?.text }
        set { self[LedgerKey.self] = newValue.map { LedgerKey(text: $0) } }
    }

    /// Whether the request may be sent again if its outcome is not known: its method is idempotent, or its key covers it.
    package var isRepeatableTransfer: Bool { self[LedgerKey.self]?.isRepeatable ?? false }

    /// Whether the transfer may end at an origin: that of the request, or another one of its service.
    package func mayEnd(at origin: WebOrigin) -> Bool { origin == url.origin || self[LedgerKey.self]?.owns(origin) == true }

    /// Returns the request with the key of its transfer.
    ///
    /// - Parameter owns: Whether an origin belongs to the service.
    package func of(transfer key: String, isRepeatable: Bool = true, within owns: @escaping @Sendable (WebOrigin) -> Bool = { _ in false }) -> Request {
        guard !key.isEmpty else { return self }
        var copy = self
        copy[LedgerKey.self] = LedgerKey(text: key, isRepeatable: isRepeatable, owns: owns)
        return copy
    }
}
