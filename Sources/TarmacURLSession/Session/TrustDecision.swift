import Foundation
import TarmacCore

/// The trusted certificates of a trust setting, which are read once.
enum TrustDecision: Sendable, Equatable {
    case system
    case systemAnd(certificates: [Data])
    case only(certificates: [Data])
    case anyone

    /// Reads the certificates of a setting.
    ///
    /// - Throws: `TarmacError(.unreadableFile)` for a PEM file that cannot be read or holds no certificate.
    init(_ setting: ConnectionSettings.TrustSetting) throws(TarmacError) {
        switch setting {
        case .system: self = .system
        case .systemAnd(let file): self = .systemAnd(certificates: try PEMCertificates.load(file))
        case .only(let file): self = .only(certificates: try PEMCertificates.load(file))
        case .onlyPEM(let text): self = .only(certificates: try PEMCertificates.read(text, named: "the text of trust"))
        case .insecureAcceptAnyCertificate: self = .anyone
        }
    }
}
