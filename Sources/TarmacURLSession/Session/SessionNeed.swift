import HTTPTypes
import TarmacCore

/// The connections that a request may use.
///
/// libcurl sends a request again by itself if a pooled connection is dead, whatever its method. For a request
/// with a body, Foundation asks first. Without a body, only a new connection is safe.
///
/// It also ends the wait for 100 (RFC 9110 §10.1.1) at an early success, without the body, and would use the connection again: the server
/// would take the next request, with its credentials, for that body. No other request follows on a new connection.
enum SessionNeed: Equatable {
    /// Any connection of the common session.
    case shared
    /// A new connection.
    case fresh

    init(_ request: Request, resendsByItself: Bool = Platform.resendsByItself) {
        let mayBeResent = request.isIdempotent || request.body.length != 0
        self = resendsByItself && (!mayBeResent || request.headers[.expect] != nil) ? .fresh : .shared
    }
}
