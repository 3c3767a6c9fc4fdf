#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a connection was used although no pin fits it; a transport reports it for each exchange over the connection.
public enum PinNotice: Hashable, Sendable {
    /// The pins are only reported on, see ``PinSet/Mode/reportOnly``.
    case mismatch(PinReport)
    /// The pins have ended, see ``PinSet/expires``.
    case expired(host: String, since: Date)

    /// The same of one of the hosts that the pin set is for.
    package func naming(_ host: String) -> PinNotice {
        switch self {
        case .mismatch(let report): .mismatch(report.naming(host))
        case .expired(_, let since): .expired(host: host, since: since)
        }
    }
}
