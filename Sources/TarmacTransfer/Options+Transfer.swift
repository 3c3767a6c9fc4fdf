@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// The ledger of unfinished downloads and resumable uploads. Default: ``TransferLedger/off``.
    public var transferLedger: TransferLedger? {
        get { self[TransferLedgerOption.self] }
        set { self[TransferLedgerOption.self] = newValue }
    }

    /// The text that identifies a transfer in the ledger, in place of its method and URL. Service, environment,
    /// principal and the name of the file are added. Default: empty, which means method and URL.
    public var transferKey: String? {
        get { self[TransferKeyOption.self] }
        set { self[TransferKeyOption.self] = newValue }
    }

    /// The rule for how an interrupted download or resumable upload continues. Default: ``ResumeRule/automatic``.
    public var resume: ResumeRule? {
        get { self[ResumeOption.self] }
        set { self[ResumeOption.self] = newValue }
    }

    /// The settings of downloads. Default: ``DownloadRule`` with its defaults.
    public var download: DownloadRule? {
        get { self[DownloadOption.self] }
        set { self[DownloadOption.self] = newValue }
    }

    /// The digest that a downloaded file must have. Default: any. A digest sent by the server (RFC 9530) is checked as
    /// well.
    public var expectedDigest: ExpectedDigest? {
        get { self[ExpectedDigestOption.self] }
        set { self[ExpectedDigestOption.self] = newValue }
    }

    /// The implementation that computes the digests of transfers. Default: ``Digesters/builtIn``.
    public var digesters: Digesters? {
        get { self[DigestersOption.self] }
        set { self[DigestersOption.self] = newValue }
    }
}

// Read once for each transfer, so they need no field among the resolved options.

package enum TransferLedgerOption: OptionKey {
    package static let name = "transferLedger"
    package static var defaultValue: TransferLedger { .off }
}

package enum TransferKeyOption: OptionKey {
    package static let name = "transferKey"
    package static var defaultValue: String { "" }
    /// The key may hold the name of a user.
    package static func describe(_ value: String) -> String { value.isEmpty ? "method and URL" : "set" }
}

package enum ResumeOption: OptionKey {
    package static let name = "resume"
    package static var defaultValue: ResumeRule { .automatic }
    package static func fault(of value: ResumeRule) -> String? { value.fault }
}

package enum DownloadOption: OptionKey {
    package static let name = "download"
    package static var defaultValue: DownloadRule { DownloadRule() }
    package static func fault(of value: DownloadRule) -> String? { value.fault }
}

package enum ExpectedDigestOption: OptionKey {
    package static let name = "expectedDigest"
    package static var defaultValue: ExpectedDigest { .any }
    package static func fault(of value: ExpectedDigest) -> String? { value.fault }
}

package enum DigestersOption: OptionKey {
    package static let name = "digesters"
    package static var defaultValue: Digesters { .builtIn }
    package static func describe(_ value: Digesters) -> String { value.isBuiltIn ? "built in" : "set" }
}
