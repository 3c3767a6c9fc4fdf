@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// The ledger of unfinished downloads and resumable uploads. Default: ``TransferLedger/off``.
    public var transferLedger: TransferLedger? {
        get { self[Settings.transferLedger] }
        set { self[Settings.transferLedger] = newValue }
    }

    /// The text that identifies a transfer in the ledger, in place of its method and URL. Service, environment,
    /// principal and the name of the file are added. Default: empty, which means method and URL.
    public var transferKey: String? {
        get { self[Settings.transferKey] }
        set { self[Settings.transferKey] = newValue }
    }

    /// The rule for how an interrupted download or resumable upload continues. Default: ``ResumeRule/automatic``.
    public var resume: ResumeRule? {
        get { self[Settings.resume] }
        set { self[Settings.resume] = newValue }
    }

    /// The settings of downloads. Default: ``DownloadRule`` with its defaults.
    public var download: DownloadRule? {
        get { self[Settings.download] }
        set { self[Settings.download] = newValue }
    }

    /// The digest that a downloaded file must have. Default: any. A digest sent by the server (RFC 9530) is checked as
    /// well.
    public var expectedDigest: ExpectedDigest? {
        get { self[Settings.expectedDigest] }
        set { self[Settings.expectedDigest] = newValue }
    }

    /// The implementation that computes the digests of transfers. Default: ``Digesters/builtIn``.
    public var digesters: Digesters? {
        get { self[Settings.digesters] }
        set { self[Settings.digesters] = newValue }
    }
}

// Read once for each transfer, so they need no field among the resolved options.

extension Settings {
    package static let transferLedger = Setting<TransferLedger>("transferLedger", default: .off)

    package static let transferKey = Setting("transferKey", default: "") {
        // The key may hold the name of a user.
        $0.describe = { value in value.isEmpty ? "method and URL" : "set" }
    }

    package static let resume = Setting<ResumeRule>("resume", default: .automatic) {
        $0.fault = { $0.fault }
    }

    package static let download = Setting<DownloadRule>("download", default: DownloadRule()) {
        $0.fault = { $0.fault }
    }

    package static let expectedDigest = Setting<ExpectedDigest>("expectedDigest", default: .any) {
        $0.fault = { $0.fault }
    }

    package static let digesters = Setting<Digesters>("digesters", default: .builtIn) {
        $0.describe = { value in value.isBuiltIn ? "built in" : "set" }
    }
}
