@_spi(TarmacRooms) package import TarmacCore

/// The key of a download in the ledger, for the transport.
private struct LedgerKey: Attachment {
    let text: String
}

extension Request {
    /// The key of the download in the ledger. `nil` without a ledger.
    package var transferKey: String? {
        get { self[LedgerKey.self]?.text }
        set { self[LedgerKey.self] = newValue.map(LedgerKey.init) }
    }

    /// Returns the request with the ledger's key of its download.
    func of(transfer key: String) -> Request {
        guard !key.isEmpty else { return self }
        var copy = self
        copy.transferKey = key
        return copy
    }
}
