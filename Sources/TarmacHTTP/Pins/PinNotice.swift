#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason why a connection is used although no pin matches. The transport reports it for each exchange over
/// the connection.
public enum PinNotice: Hashable, Sendable {
    /// The pins are only reported; see ``PinSet/reportsOnly``.
    case mismatch(PinReport)
    /// The pins have expired; see ``PinSet/expires``.
    case expired(host: String, since: Date)

    /// Returns the same notice for one host of the pin set.
    package func naming(_ host: String) -> PinNotice {
        switch self {
        case .mismatch(let report): .mismatch(report.naming(host))
        case .expired(_, let since): .expired(host: host, since: since)
        }
    }
}
