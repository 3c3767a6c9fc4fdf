package import TarmacCore

/// The meaning of a failed request for the address of its host (pure).
package enum AddressVerdict: Equatable, Sendable {
    case works
    /// The next request begins at another address.
    case fails
    case unknown

    /// The codes of a failure after which the same request may go to another address.
    package static let unreachable: Set<TarmacError.Code> = [.connectionRefused, .connectTimeout, .connectionFailed]

    /// - Parameters:
    ///   - hasConnected: whether there was a connection.
    ///   - isReused: whether it had carried other requests.
    ///   - hasHead: whether a response began.
    package static func of(_ code: TarmacError.Code?, hasConnected: Bool, isReused: Bool = false, hasHead: Bool = false) -> AddressVerdict {
        if hasHead { return .works }
        let isLate = code == .timeout || code == .deadlineExceeded
        // The server behind a connection that has carried answers may only be slow.
        if hasConnected { return isLate && !isReused ? .fails : .unknown }
        // A failed handshake counts too, although the same request does not ask other servers until one has the right certificate.
        return isLate || code?.category == .tls || code.map(unreachable.contains) == true ? .fails : .unknown
    }
}
