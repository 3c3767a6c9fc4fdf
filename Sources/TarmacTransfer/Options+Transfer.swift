public import TarmacCore

extension Options {
    /// Where unfinished downloads and resumable uploads are noted. Default: ``TransferLedger/off``.
    public var transferLedger: TransferLedger? {
        get { self[TransferLedgerOption.self] }
        set { self[TransferLedgerOption.self] = newValue }
    }

    /// What a transfer is known by in the ledger, in place of its method and URL; service, environment, principal and the name
    /// of the file are added. Default: empty, so method and URL.
    public var transferKey: String? {
        get { self[TransferKeyOption.self] }
        set { self[TransferKeyOption.self] = newValue }
    }

    /// How a download goes on that broke off. Default: ``ResumeRule/automatic``.
    public var resume: ResumeRule? {
        get { self[ResumeOption.self] }
        set { self[ResumeOption.self] = newValue }
    }

    /// How downloads are carried out. Default: ``DownloadRule``.
    public var download: DownloadRule? {
        get { self[DownloadOption.self] }
        set { self[DownloadOption.self] = newValue }
    }

    /// The digest the file of a download has to have. Default: any. What the server itself says (RFC 9530) is checked besides.
    public var expectedDigest: ExpectedDigest? {
        get { self[ExpectedDigestOption.self] }
        set { self[ExpectedDigestOption.self] = newValue }
    }

    /// Where the digests of transfers are computed. Default: ``Digesters/builtIn``.
    public var digesters: Digesters? {
        get { self[DigestersOption.self] }
        set { self[DigestersOption.self] = newValue }
    }
}

// Read once for each transfer, so they need no field among the resolved options.

enum TransferLedgerOption: OptionKey {
    static let name = "transferLedger"
    static var defaultValue: TransferLedger { .off }
}

enum TransferKeyOption: OptionKey {
    static let name = "transferKey"
    static var defaultValue: String { "" }
    /// It may hold the name of a user.
    static func describe(_ value: String) -> String { value.isEmpty ? "method and URL" : "set" }
}

enum ResumeOption: OptionKey {
    static let name = "resume"
    static var defaultValue: ResumeRule { .automatic }
    static func fault(of value: ResumeRule) -> String? {
        value.maxBarrenAttempts < 0 || value.base < .zero || value.maximumDelay < .zero ? "nothing of it may be negative" : nil
    }
}

enum DownloadOption: OptionKey {
    static let name = "download"
    static var defaultValue: DownloadRule { DownloadRule() }
    static func fault(of value: DownloadRule) -> String? { value.fault }
}

enum ExpectedDigestOption: OptionKey {
    static let name = "expectedDigest"
    static var defaultValue: ExpectedDigest { .any }
    static func fault(of value: ExpectedDigest) -> String? { value.fault }
}

enum DigestersOption: OptionKey {
    static let name = "digesters"
    static var defaultValue: Digesters { .builtIn }
    static func describe(_ value: Digesters) -> String { "set" }
}
